import { describe, expect, test } from "vitest";
import { anthropicRequest, atTerminal, chatRequest, rolecall, temporaryFolder } from "./command.ts";

const { write } = temporaryFolder();
const { context_management: _beta, ...plain } = anthropicRequest;
const claude = write("claude.json", plain);
const chat = write("chat.json", chatRequest);

describe("rolecall switch", () => {
  test("shows what would be lost, and exits with 0 where it can go on", () => {
    const { status, stdout, stderr } = rolecall(["switch", "--to", "openai/gpt-5.6", claude]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^anthropic-messages → openai-chat {3}1 tool · 3 messages/);
    expect(stdout).toMatch(/reasoning ! reasoning\.foreign .* \/messages\/1\/content\/0/);
  });

  test("shows what would be refused, and exits with 1", () => {
    const stdin = JSON.stringify({ ...chatRequest, n: 2 });
    const { status, stdout } = rolecall(["switch", "--to", "anthropic/claude-opus-4-8"], { stdin });
    expect(status).toBe(1);
    expect(stdout).toMatch(/! X8 .*\n? *\/n/);
  });

  test("warns of another model of the same service", () => {
    const args = ["switch", "--to", "anthropic/claude-sonnet-5", "--source", '{"provider":"anthropic"}', claude];
    const { status, stdout } = rolecall(args);
    expect(status).toBe(0);
    expect(stdout).toMatch(/· A9 .*\/messages\/1\/content\/0/);
  });

  test.each([
    ["openai-chat", { protocol: "openai-chat" }],
    ["openrouter", { protocol: "openai-chat", provider: "openrouter" }],
    ["openrouter/vendor/model", { protocol: "openai-chat", provider: "openrouter", model: "vendor/model" }],
    ["llama.cpp", { protocol: "openai-chat", provider: "llama.cpp" }],
    ["anthropic/claude-opus-4-8", { protocol: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-8" }],
  ])("--to %s", (given, to) => {
    const read = JSON.parse(rolecall(["switch", "--json", "--to", given, chat]).stdout);
    expect(read.to).toEqual(to);
    expect(read.from).toEqual({ protocol: "openai-chat", model: "gpt-5.6" });
  });

  test("--json gives losses, groups, summary and findings; profiles count", () => {
    const target = '{"provider":"mine","supportsStrictTools":false}';
    const { stdout } = rolecall(["switch", "--json", "--to", "openai-chat", "--target", target, claude]);
    const { to, losses, groups, summary, findings } = JSON.parse(stdout);
    expect(to).toEqual({ protocol: "openai-chat", provider: "mine", supportsStrictTools: false });
    expect(losses.length).toBe(summary.total);
    expect(groups.length).toBe(summary.groups);
    expect(findings).toEqual([]);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["no model", ["switch", chat], /state what it would go on with/],
    ["an unknown service", ["switch", "--to", "openruter/x", chat], /did you mean "openrouter"/],
    [
      "a profile of another protocol",
      ["switch", "--to", "openai", "--target", '{"protocol":"anthropic-messages"}', chat],
      /not of openai-chat/,
    ],
    ["two files", ["switch", "--to", "openai", chat, claude], /one FILE at most/],
    ["no request", ["switch", "--to", "openai", write("list.json", "[]")], /must be an object/],
  ])("%s is a mistake of one line", (_, args, message) => {
    const { status, stdout, stderr } = rolecall(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("fits the terminal", async () => {
    for (const columns of [60, 100]) {
      const { stdout } = await atTerminal(["switch", "--to", "openai", claude], { columns });
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });
});
