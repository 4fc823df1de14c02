import { readFileSync } from "node:fs";
import type { Json } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { anthropicRequest, atTerminal, chatRequest, rolecall, temporaryFolder } from "./command.ts";

const { write } = temporaryFolder();

const unanswered = {
  ...anthropicRequest,
  messages: [...anthropicRequest.messages.slice(0, 2), { role: "user", content: "Go on." }],
};
const good = write("good.json", anthropicRequest);
const bad = write("bad.json", unanswered);
const chat = write("chat.json", { ...chatRequest, model: "gpt-5-mini", stop: ["end"] });
const warned = write("warned.json", { ...chatRequest, stop: [] });

describe("rolecall lint", () => {
  test("says that nothing is wrong, and exits with 0", () => {
    const { status, stdout, stderr } = rolecall(["lint", good]);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: `${good}   anthropic-messages   no findings\n`,
      stderr: "",
    });
  });

  test("names rule, place and mend of each finding, and exits with 1", () => {
    const { status, stdout } = rolecall(["lint", good, bad, chat]);
    expect(status).toBe(1);
    expect(stdout).toContain(`${bad}   anthropic-messages   1 error\n`);
    expect(stdout).toMatch(/^ {2}! A4a {2}the call has no result in the next turn: .* {2}\/messages\/1\/content\/1$/m);
    expect(stdout).toContain(`${chat}   openai-chat   1 error\n`);
    expect(stdout).toMatch(/^ {2}! C14a {2}.* {2}\/stop$/m);
  });

  test("exits with 0 for warnings", () => {
    const { status, stdout } = rolecall(["lint", warned]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/openai-chat {3}1 warning\n {2}· C7f /);
  });

  test("--json gives the findings of each file", () => {
    const { status, stdout } = rolecall(["lint", "--json", good, bad]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { file: good, protocol: "anthropic-messages", findings: [] },
      { file: bad, protocol: "anthropic-messages", findings: [{ rule: "A4a", severity: "error", evidence: "issue" }] },
    ]);
  });

  test("reads standard input, and requests as they go over HTTP", () => {
    const body = { ...chatRequest, messages: [] };
    const { status, stdout } = rolecall(["lint", "-"], { stdin: JSON.stringify(body) });
    expect({ status, head: stdout.split("\n")[0] }).toEqual({
      status: 1,
      head: "standard input   openai-chat   1 error",
    });
    const headers = { "anthropic-version": "2026-10-21" };
    const sampled = { ...anthropicRequest, model: "example", temperature: 1 };
    const request = { method: "POST", path: "/v1/messages", headers, body: sampled };
    expect(rolecall(["lint"], { stdin: JSON.stringify(request) }).stdout).toMatch(/! A11a .*\/temperature/);
    expect(rolecall(["lint"], { stdin: JSON.stringify({ request, response: null }) }).stdout).toContain("! A11a");
    const { max_tokens: _maximum, ...counted } = anthropicRequest;
    const counting = { path: "/v1/messages/count_tokens", body: counted };
    expect(rolecall(["lint"], { stdin: JSON.stringify(counting) })).toMatchObject({ status: 0 });
  });

  test("checks protocols that it cannot convert", () => {
    const input = [{ type: "function_call_output", call_id: "a", output: "b" }];
    const responses = rolecall(["lint", "-"], { stdin: JSON.stringify({ model: "m", input }) });
    expect(responses.status).toBe(1);
    expect(responses.stdout).toMatch(/openai-responses {3}1 error\n {2}! R1b .*\/input\/0\/call_id/);
    const contents = [{ role: "system", parts: [{ text: "hi" }] }];
    const gemini = rolecall(["lint", "--repair", "-"], { stdin: JSON.stringify({ contents }) });
    expect({ status: gemini.status, value: JSON.parse(gemini.stdout) }).toEqual({ status: 1, value: { contents } });
    expect(gemini.stderr).toContain("G1a");
  });

  test("takes what is known of the server", () => {
    const stdin = JSON.stringify({ ...anthropicRequest, model: "example", temperature: 1 });
    expect(rolecall(["lint", "-"], { stdin }).status).toBe(0);
    expect(rolecall(["lint", "-", "--target", '{"supportsSampling":false}'], { stdin }).status).toBe(1);
  });

  test("checks a decoded conversation for the protocol that it goes to", () => {
    const conversation = { messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }], settings: { n: 2 } };
    const file = write("conversation.json", conversation);
    const { status, stdout } = rolecall(["lint", "--protocol", "anthropic-messages", file]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/! X8 .*\n? *\/settings\/n/);
    expect(rolecall(["lint", "--protocol", "openai-chat", file]).status).toBe(0);
    expect(rolecall(["lint", file])).toMatchObject({ status: 2, stdout: "" });
  });

  test.each<[string, readonly string[], RegExp]>([
    ["no such file", ["lint", "nothing.json"], /nothing\.json: there is no such file/],
    ["no JSON", ["lint", write("text.txt", "{")], /text\.txt: /],
    ["no object", ["lint", write("list.json", "[1]")], /a request must be an object/],
    ["no protocol", ["lint", write("odd.json", '{"model":"m"}')], /say which with --protocol/],
    ["no request", ["lint", write("answer.json", { response: { body: { choices: [] } } })], /holds no request/],
    ["an unknown option", ["lint", "--fix", good], /unknown option --fix/],
    ["an unknown protocol", ["lint", "--protocol", "openai", good], /--protocol cannot be "openai"/],
    ["a wrong profile", ["lint", "--target", '{"supportsPrefil":true}', good], /did you mean "supportsPrefill"/],
    ["several files to repair", ["lint", "--repair", good, bad], /name one FILE/],
    ["standard input twice", ["lint", "-", "-"], /name - once/],
  ])("%s is a mistake of one line", (_, args, message) => {
    const { status, stdout, stderr } = rolecall(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("rolecall lint --repair", () => {
  test("prints the mended request, and says on standard error what was mended", () => {
    const { status, stdout, stderr } = rolecall(["lint", "--repair", bad]);
    expect(status).toBe(0);
    const { messages } = JSON.parse(stdout) as { readonly messages: readonly Json[] };
    expect(messages).toHaveLength(4);
    expect(messages[2]).toMatchObject({ content: [{ type: "tool_result", tool_use_id: "toolu_1", is_error: true }] });
    expect(stderr).toContain(`${bad}: 1 place mended\n`);
    expect(stderr).toContain("tool_result.missing");
    expect(stderr).toContain("no findings");
    expect(rolecall(["lint", "-"], { stdin: stdout }).status).toBe(0);
  });

  test("prints a request without findings as it is", () => {
    const { status, stdout, stderr } = rolecall(["lint", "--repair", good]);
    expect({ status, value: JSON.parse(stdout) }).toEqual({ status: 0, value: anthropicRequest });
    expect(stderr).toContain("nothing mended");
  });

  test("says what cannot be mended, and exits with 1", () => {
    const { status, stdout, stderr } = rolecall(["lint", "--repair", chat]);
    expect({ status, value: JSON.parse(stdout) }).toEqual({ status: 1, value: JSON.parse(readFileSync(chat, "utf8")) });
    expect(stderr).toContain("C14a");
  });

  test("--json gives value, losses and findings", () => {
    const { status, stdout, stderr } = rolecall(["lint", "--repair", "--json", bad]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ losses: [{ code: "tool_result.missing" }], findings: [] });
  });
});

describe("at a terminal", () => {
  test("fits, and has colours only where they are wanted", async () => {
    for (const columns of [50, 80, 120]) {
      const { stdout } = await atTerminal(["lint", bad, chat, "--verbose"], { columns });
      for (const line of stdout.split("\n").filter((text) => !text.includes("   "))) {
        expect(line.length).toBeLessThanOrEqual(columns);
      }
      expect(stdout).not.toContain("\u001b");
    }
    expect((await atTerminal(["lint", bad], { color: true })).stdout).toContain("\u001b[31m");
    expect(rolecall(["lint", bad], { env: { NO_COLOR: "1" } }).stdout).not.toContain("\u001b");
    expect(rolecall(["lint", bad], { env: { FORCE_COLOR: "1" } }).stdout).toContain("\u001b");
  });

  test("--verbose says where a rule is known from", async () => {
    const { stdout } = await atTerminal(["lint", bad, "--verbose"], { columns: 120 });
    expect(stdout).toContain("https://github.com/anthropics/claude-code/issues/5060");
  });

  test("does not obey the name of a file", () => {
    const { stdout } = rolecall(["lint", write("\u001b[31mred.json", anthropicRequest)]);
    expect(stdout).not.toContain("\u001b");
  });
});
