import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./command.ts";

test.each([
  ["docs/losses.md", "scripts/losses-doc.mjs"],
  ["docs/lint.md", "scripts/lint-doc.mjs"],
  ["docs/odd-input.md", "scripts/odd-input-doc.mjs"],
])("%s says what its source says", (_, script) => {
  const args = [join(repository, script), "--check"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
