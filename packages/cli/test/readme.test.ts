import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, repository, rolecall, temporaryFolder } from "./command.ts";

const readme = readFileSync(join(repository, "README.md"), "utf8");

const exchanges = temporaryFolder().path("exchanges.jsonl");

/** What differs from run to run. */
const settled = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/^\d\d:\d\d:\d\d/gm, "TIME")
    .replaceAll(/\d+\.\d s to first byte/g, "SECONDS");

test("the README shows what the demo prints", () => {
  const [, shown] = /^```\n([\s\S]*?)^```$/m.exec(readme)!;
  const args = [join(repository, "scripts/demo.mjs")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(settled(shown!)).toBe(settled(stdout));
});

test("the README shows what a conversion prints", async () => {
  const [, command = "", report = "", part = ""] =
    /^```console\n\$ npx rolecall (.*) > chat\.json\n([\s\S]*?)\$ node -p .*\n([\s\S]*?)\n```$/m.exec(readme)!;
  const args = command.split(" ").map((word) => (word.includes("/") ? join(repository, word) : word));
  const { stdout, stderr } = await atTerminal(args, { columns: 140 });
  expect(stderr).toBe(report);
  expect(JSON.stringify(JSON.parse(stdout).messages[2])).toBe(part);
});

test("the commands that the README says run in a clone do", () => {
  const commands = [...readme.matchAll(/^npx rolecall (?!gateway)([^#\n]*)/gm)].map(([, args = ""]) => args.trim());
  expect(commands).toHaveLength(8);
  for (const command of commands) {
    const args = command.split(" ").map((word) => (/^fixtures\//.test(word) ? join(repository, word) : word));
    const { status, stdout } = rolecall(args, { env: { ROLECALL_EXCHANGES: exchanges } });
    // The linter finds something in that request, which it says by its exit code.
    expect([command, status]).toEqual([command, /^lint (?!--repair)/.test(command) ? 1 : 0]);
    expect(stdout).not.toBe("");
  }
});

test.each(["README.md", "packages/cli/README.md"])("the commands of %s have the options that it names", (page) => {
  const text = readFileSync(join(repository, page), "utf8");
  const commands = [...text.matchAll(/^(?:npx )?rolecall (\w+) ([^#\n]*)/gm)];
  expect(commands.length).toBeGreaterThan(4);
  for (const [, command, rest] of commands) {
    const { stdout } = rolecall([command!, "--help"]);
    for (const option of rest!.match(/--[\w-]+/g) ?? []) expect(stdout).toContain(`  ${option} `);
  }
});
