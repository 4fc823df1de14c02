import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./command.ts";

test("docs/losses.md says what the catalogue says", () => {
  const args = [join(repository, "scripts/losses-doc.mjs"), "--check"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the demo shows the report without a terminal", () => {
  const args = [join(repository, "scripts/demo.mjs")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stdout).toMatch(/anthropic-messages → openai-chat {3}3 tools · 5 messages · 5 KB {3}\d+ losses in \d groups/);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
