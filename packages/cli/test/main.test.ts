import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

function rolecall(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
}

describe("rolecall", () => {
  test("--version prints the version of the package", () => {
    const { status, stdout } = rolecall("--version");
    expect(stdout).toBe(`${manifest.version}\n`);
    expect(status).toBe(0);
  });

  test("--help prints the usage", () => {
    const { status, stdout } = rolecall("--help");
    expect(stdout).toMatch(/^Usage: rolecall/);
    expect(status).toBe(0);
  });

  test("an unknown argument is an error on standard error", () => {
    const { status, stdout, stderr } = rolecall("nonsense");
    expect(stderr).toContain('unknown argument "nonsense"');
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});
