import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { anthropicRequest, atTerminal, chatRequest, main, rolecall, temporaryFolder } from "./command.ts";

const { write } = temporaryFolder();
const toAnthropic = ["convert", "--jsonl", "--to", "anthropic-messages"];
const toChat = ["convert", "--jsonl", "--to", "openai-chat"];
const lines = (...bodies: readonly unknown[]) =>
  bodies.map((body) => `${typeof body === "string" ? body : JSON.stringify(body)}\n`).join("");
const read = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("rolecall convert --jsonl", () => {
  test("gives a line for each line, as the conversion of each body alone does", () => {
    const file = write("bodies.jsonl", lines(anthropicRequest, { ...anthropicRequest, max_tokens: 5 }));
    const { status, stdout, stderr } = rolecall([...toChat, file]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const alone = rolecall(["convert", "--to", "openai-chat"], { stdin: JSON.stringify(anthropicRequest) });
    expect(stdout.split("\n")[0]).toBe(alone.stdout.trimEnd());
    expect(read(stdout)).toHaveLength(2);
  });

  test("goes on behind lines that fail, and names each", () => {
    const text = lines(chatRequest, "{broken", "", '{"messages":[7]}', " \r", chatRequest);
    const { status, stdout, stderr } = rolecall([...toAnthropic, write("some.jsonl", text)]);
    expect(status).toBe(2);
    expect(read(stdout)).toHaveLength(2);
    const [syntax, message, last] = stderr.trimEnd().split("\n");
    expect(syntax).toMatch(/some\.jsonl:2: .*column 2/);
    expect(message).toMatch(/some\.jsonl:4: .*\/messages\/0/);
    expect(last).toBe("rolecall convert: 2 lines of 4 could not be converted");
  });

  test("reads a last line without an end, Windows line ends, and a mark at the start", () => {
    const text = `\u{feff}${JSON.stringify(chatRequest)}\r\n${JSON.stringify(chatRequest)}`;
    const { status, stdout } = rolecall(toAnthropic, { stdin: text });
    expect(status).toBe(0);
    expect(read(stdout)).toHaveLength(2);
  });

  test("a line that never ends is told and left out, and its bytes are not held", async () => {
    const child = spawn(process.execPath, ["--max-old-space-size=60", main, ...toAnthropic], { stdio: "pipe" });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
    const closed = once(child, "close");
    child.stdin.write(lines(chatRequest));
    const piece = Buffer.alloc(1 << 20, "a");
    for (let count = 0; count < 140; count++) if (!child.stdin.write(piece)) await once(child.stdin, "drain");
    child.stdin.end(`\n${lines(chatRequest)}`);
    expect((await closed)[0]).toBe(2);
    expect(read(stdout)).toHaveLength(2);
    expect(stderr).toContain("standard input:2: longer than 128 MB");
  });

  test("--json tells the losses, the exchange and the failure of each line", () => {
    const { status, stdout, stderr } = rolecall([...toChat, "--json"], { stdin: lines(anthropicRequest, "[1]") });
    expect(status).toBe(2);
    const [first, second] = read(stdout);
    const alone = rolecall(["convert", "--to", "openai-chat", "--json"], { stdin: JSON.stringify(anthropicRequest) });
    expect(first).toEqual({ line: 1, ...JSON.parse(alone.stdout) });
    expect(second).toEqual({ line: 2, error: expect.stringMatching(/^standard input:2: .*object/) });
    expect(stderr).toBe("rolecall convert: 1 line of 2 could not be converted\n");
  });

  test("refuses line by line, exit 3", () => {
    const { status, stdout, stderr } = rolecall([...toChat, "--from", "anthropic-messages", "--on-loss", "fail"], {
      stdin: lines(anthropicRequest, { model: "m", max_tokens: 5, messages: [{ role: "user", content: "hi" }] }),
    });
    expect(status).toBe(3);
    expect(read(stdout)).toHaveLength(1);
    expect(stderr).toMatch(/standard input:1: refused: /);
    expect(stderr).toMatch(/refused: 1 line of 2; accept losses/);
  });

  test("shows at a terminal what all lines lost", async () => {
    const { status, stderr } = await atTerminal(toChat, { stdin: lines(anthropicRequest, anthropicRequest) });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^anthropic-messages → openai-chat {3}2 lines · \d+ KB {3}\d+ losses in \d+ groups\n/);
    expect(stderr).toMatch(/cost +· cache\.mark +×2/);
  });

  test.each([
    [[...toChat, "--report", "x.json"], "--report is about one body"],
    [[...toChat, "--previous", "x.json"], "--previous is about one body"],
    [[...toChat, "--kind", "stream"], "a stream has many lines"],
    [[...toChat, "--target", "{}x"], "--target"],
    [[...toChat, "--target", "/no/such/file"], "cannot read /no/such/file"],
  ])("%j is refused once", (args, message) => {
    const { status, stdout, stderr } = rolecall(args, { stdin: lines(anthropicRequest, anthropicRequest) });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(message)]);
  });

  test("says that an empty input is empty", () => {
    expect(rolecall(toChat, { stdin: "\n\n" })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("standard input: empty"),
    });
  });

  test("takes memory for a line, not for the file", { timeout: 60_000 }, async () => {
    const line = lines({ ...chatRequest, messages: [{ role: "user", content: "x".repeat(1 << 20) }] });
    const child = spawn(process.execPath, ["--max-old-space-size=40", main, ...toAnthropic], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
    });
    const over = once(child, "close");
    for (let count = 0; count < 80; count++) if (!child.stdin.write(line)) await once(child.stdin, "drain");
    child.stdin.end();
    expect((await over)[0]).toBe(0);
    expect(size).toBeGreaterThan(80 << 20);
  });
});
