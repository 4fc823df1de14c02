import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./command.ts";

test("docs/losses.md says what the catalogue says", () => {
  const args = [join(repository, "scripts/losses-doc.mjs"), "--check"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
