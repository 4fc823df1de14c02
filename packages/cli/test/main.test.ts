import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main, repository, rolecall, temporaryFolder } from "./command.ts";
import { shell } from "./shell.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const { write } = temporaryFolder();

describe("rolecall", () => {
  test("is a program that a shell starts by its name", () => {
    const { status, stdout } = spawnSync(join(repository, "node_modules/.bin/rolecall"), ["--version"], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
  });

  test("--version prints the version of the package", () => {
    expect(rolecall(["--version"])).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test.each([[["--help"]], [[]], [["-h"]]])("%j prints the usage", (args) => {
    const { status, stdout, stderr } = rolecall(args);
    expect(stdout).toMatch(/^Usage: rolecall COMMAND/);
    expect(stdout).toMatch(/convert .*\n.*explain .*\n.*audit /);
    expect(stdout).toMatch(/Exit codes: 0 .*1 .*2 .*3 .*\n70 internal error/);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test.each([
    ["convert", ["--from", "--to", "--kind", "--source", "--target", "--exchange", "--on-loss", "--accept"]],
    ["convert", ["--report", "--previous", "--json", "--verbose", "--time"]],
    ["explain", ["--json"]],
    ["audit", ["--from", "--to", "--kind", "--baseline", "--write-baseline", "--leaves", "--seed", "--json"]],
  ])("%s --help names %j", (command, options) => {
    for (const flag of ["--help", "-h"]) {
      const { status, stdout } = rolecall([command, flag]);
      expect(status).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: rolecall ${command} `));
      for (const option of options) expect(stdout).toContain(`  ${option}`);
      expect(stdout).toMatch(/Exit codes: 0 [^.]*70 internal error\./);
    }
  });

  test.each([
    [
      ["nonsense"],
      'rolecall: unknown command "nonsense": use convert, explain, audit, lint, switch, models, chat, classify, image, show, probe, doctor, gateway, launch or --help',
    ],
    [["convrt"], 'rolecall: unknown command "convrt": did you mean "convert"?'],
    [
      ["--verison"],
      'rolecall: unknown option "--verison": use convert, explain, audit, lint, switch, models, chat, classify, image, show, probe, doctor, gateway, launch or --help',
    ],
    [["convert", "--accpet", "x"], "rolecall convert: unknown option --accpet: did you mean --accept?"],
    [["convert", "--to"], "rolecall convert: --to needs a value: --to Q;"],
    [["convert", "--to", "--json"], "rolecall convert: --to needs a value: --to Q;"],
    [["convert", "--json=1"], "rolecall convert: --json takes no value;"],
    [["convert", "--json", "--json"], "rolecall convert: --json is given twice;"],
    [["convert", "--to", "openia-chat"], 'rolecall convert: --to cannot be "openia-chat": did you mean "openai-chat"?'],
    [["convert", "--to", "nope"], "It takes openai-chat, openai-responses, anthropic-messages"],
    [["gateway", "http://127.0.0.1:9/v1"], "did you mean --to http://127.0.0.1:9/v1?"],
    [["gateway", "--allow-origin", "foo"], 'rolecall gateway: "foo" is no origin'],
    [["launch", "pi", "x"], "rolecall launch: arguments of the client stand behind --"],
    [["explain", "a", "b"], "one CODE at most"],
    [["convert", "--to", "openai-chat", "a", "b"], "one FILE at most"],

    [
      ["convert", "--kind", "zzzzzz"],
      'rolecall convert: --kind cannot be "zzzzzz": use request, response, stream, error;',
    ],
    [["convert", "a", "b"], "rolecall convert: one FILE at most, not 2;"],
    [["explain", "--__proto__=1"], "rolecall explain: unknown option --__proto__"],
    [["audit"], "rolecall audit: name the files or directories to audit"],
    [["audit", "--leaves", "x", "."], 'rolecall audit: --leaves must be a whole number from 1, not "x"'],
    [["audit", "--leaves=-1", "."], 'rolecall audit: --leaves must be a whole number from 1, not "-1"'],
  ])("%j is one line on standard error and exit 2", (args, line) => {
    const { status, stdout, stderr } = rolecall(args);
    expect(stderr).toContain(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  test("control characters of arguments do not reach the terminal", () => {
    const { stderr } = rolecall(["convert", "--\u001b[31mred\u0007\u202e"]);
    expect(stderr).toContain("--\\u001b[31mred\\u0007\\u202e");
    for (const character of ["\u001b", "\u0007", "\u202e"]) expect(stderr).not.toContain(character);
  });

  describe.skipIf(!existsSync("/dev/full"))("an output that cannot be written ends with exit 2", () => {
    test("standard output, with one line", () => {
      const { status, stderr } = shell("--help > /dev/full");
      expect(stderr).toBe("rolecall: cannot write standard output: no space left\n");
      expect(status).toBe(2);
    });

    test("standard error, in silence", () => {
      expect(shell("nonsense 2> /dev/full")).toEqual({ status: 2, stdout: "", stderr: "" });
      expect(shell("explain nonsense > /dev/full 2>&1")).toEqual({ status: 2, stdout: "", stderr: "" });
    });
  });

  test("a reader that stops reading is no crash", async () => {
    const messages = Array.from({ length: 40_000 }, (_, index) => ({ role: "user", content: `Question ${index}` }));
    const file = write("large.json", { model: "m", max_tokens: 5, system: "x", messages });
    const child = spawn(process.execPath, [main, "convert", "--to", "openai-chat", file], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdout.destroy();
    const [status, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on("close", (...ended) => resolve(ended));
    });
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" });
  });
});
