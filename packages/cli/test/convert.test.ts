import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anthropicRequest, chatRequest, chatResponse, rolecall, temporaryFolder } from "./command.ts";

const { path, write } = temporaryFolder();
const request = write("request.json", anthropicRequest);
const toChat = ["convert", "--to", "openai-chat"];

function oneLine(text: string): string {
  expect(text.endsWith("\n")).toBe(true);
  expect(text.trimEnd().split("\n")).toHaveLength(1);
  return text.trimEnd();
}

describe("rolecall convert", () => {
  test("reads a file and prints one line of JSON, and nothing else without a terminal", () => {
    const { status, stdout, stderr } = rolecall([...toChat, request]);
    const value = JSON.parse(oneLine(stdout));
    expect(value.messages[0].role).toBe("system");
    expect(value.messages.at(-1)).toMatchObject({ role: "tool", content: '{"error":"no such file"}' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test.each([[[]], [["-"]]])("reads standard input with %j", (operands) => {
    const { status, stdout } = rolecall([...toChat, ...operands], { stdin: JSON.stringify(anthropicRequest) });
    expect(stdout).toBe(rolecall([...toChat, request]).stdout);
    expect(status).toBe(0);
  });

  test("needs no --from for the plainest body of Chat Completions", () => {
    const stdin = JSON.stringify({ model: "gpt-5.6", messages: [{ role: "user", content: "Hello" }] });
    const { status, stdout, stderr } = rolecall(["convert", "--to", "anthropic-messages"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ model: "gpt-5.6", messages: [{ role: "user" }] });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("takes a request as it goes over HTTP", () => {
    const file = write("http.json", {
      method: "POST",
      path: "/v1/chat/completions",
      headers: { "content-type": "application/json" },
      body: { messages: [{ role: "user", content: "Hello" }] },
    });
    const { status, stdout } = rolecall(["convert", "--to", "anthropic-messages", file]);
    expect(JSON.parse(stdout).messages[0].role).toBe("user");
    expect(status).toBe(0);
  });

  test.each([
    ["a body", (body: string) => body, "/messages/0/content"],
    [
      "a recorded exchange",
      (body: string) => `{"request":{"path":"/v1/chat/completions","body":${body}}}`,
      "/messages/0/content",
    ],
  ])("reports what reading the text of %s loses", (_name, around, path) => {
    const file = write("inexact.json", {});
    writeFileSync(
      file,
      around('{"seed":12345678901234567890,"messages":[{"role":"user","content":"a","content":"b"}]}'),
    );
    const { stdout } = rolecall(["convert", "--to", "openai-chat", "--json", file]);
    const losses: { code: string; path: string }[] = JSON.parse(stdout).losses;
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "field.precision /seed",
      `field.repeated_key ${path}`,
    ]);
  });

  test("prints what belongs outside of the body, where there is any", () => {
    const target = '{"apiVersion":"2023-06-01","betas":["b"]}';
    const { stdout } = rolecall(
      ["convert", "--from", "openai-chat", "--to", "anthropic-messages", "--target", target],
      {
        stdin: JSON.stringify(chatRequest),
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      headers: { version: "2023-06-01", betas: ["b"] },
      body: { max_tokens: 50 },
    });
  });

  test("--json prints value, losses, groups, summary and exchange", () => {
    const { status, stdout, stderr } = rolecall([...toChat, "--json", "--verbose", request]);
    const answer = JSON.parse(oneLine(stdout));
    expect(Object.keys(answer)).toEqual(["value", "losses", "groups", "summary", "exchange"]);
    expect(answer.value.messages).toHaveLength(4);
    expect(answer.summary.total).toBe(answer.losses.length);
    expect(answer.exchange).toMatchObject({ from: "anthropic-messages", to: "openai-chat" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("--report writes the losses", () => {
    const file = path("report.json");
    expect(rolecall([...toChat, "--report", file, request]).status).toBe(0);
    const report = JSON.parse(readFileSync(file, "utf8"));
    expect(Object.keys(report)).toEqual(["from", "to", "losses", "groups", "summary"]);
    expect(report.losses.map((loss: { code: string }) => loss.code)).toContain("reasoning.foreign");
  });

  test("--verbose lists each loss with its place, also without a terminal and without shortening", () => {
    const { stderr } = rolecall([...toChat, "--verbose", request]);
    expect(stderr).toMatch(
      /^anthropic-messages → openai-chat {3}1 tool · 3 messages · \d+ bytes {3}\d losses in \d groups\n/,
    );
    expect(stderr).toMatch(/\n {6}dropped +\/messages\/1\/content\/0\n/);
    expect(stderr).toContain(
      "reasoning of anthropic-messages not sent; not seen by the model  /messages/1/content/0\n",
    );
    expect(stderr.trimEnd().endsWith("rolecall explain CODE")).toBe(true);
  });
});

describe("responses and errors", () => {
  test("a response is detected and comes back in the terms of its request", () => {
    const odd = { ...anthropicRequest, tools: [{ ...anthropicRequest.tools[0], name: "read.file" }] };
    const sent = rolecall([...toChat, "--json"], { stdin: JSON.stringify(odd) });
    const exchange = write("exchange.json", sent.stdout);
    const name = JSON.parse(sent.stdout).value.tools[0].function.name;
    const answered = structuredClone(chatResponse);
    answered.choices[0]!.message.tool_calls[0]!.function.name = name;
    const args = ["convert", "--to", "anthropic-messages", "--exchange", exchange];
    const { status, stdout } = rolecall(args, { stdin: JSON.stringify(answered) });
    const value = JSON.parse(stdout);
    expect(value).toMatchObject({ type: "message", stop_reason: "tool_use" });
    expect(value.content.at(-1)).toMatchObject({ type: "tool_use", name: "read.file", input: { path: "a.txt" } });
    expect(status).toBe(0);
  });

  test("an exchange of another pair is refused", () => {
    const exchange = write("other.json", { from: "openai-chat", to: "anthropic-messages" });
    const args = ["convert", "--to", "anthropic-messages", "--exchange", exchange];
    const { status, stderr } = rolecall(args, { stdin: JSON.stringify(chatResponse) });
    expect(oneLine(stderr)).toContain("the exchange is of a request openai-chat → anthropic-messages");
    expect(status).toBe(2);
  });

  test("an exchange with a request is refused", () => {
    const { status, stderr } = rolecall([...toChat, "--exchange", request, request]);
    expect(oneLine(stderr)).toContain("--exchange belongs to the conversion of a response");
    expect(status).toBe(2);
  });

  test("an error is {status, headers, body}", () => {
    const error = {
      status: 429,
      headers: { "retry-after": "3" },
      body: { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
    };
    const { status, stdout } = rolecall([...toChat, "--kind", "error"], { stdin: JSON.stringify(error) });
    expect(JSON.parse(stdout)).toMatchObject({ status: 429, body: { error: { message: "slow down" } } });
    expect(status).toBe(0);
  });

  test.each([
    [{ body: {} }, "an error needs an HTTP status (at /status)"],
    [{ status: 400, headers: [] }, "the headers of an error are an object of strings (at /headers)"],
    [[], "an error is an object"],
  ])("%j is no error", (input, reason) => {
    const args = [...toChat, "--kind", "error", "--from", "anthropic-messages"];
    const { status, stderr } = rolecall(args, { stdin: JSON.stringify(input) });
    expect(oneLine(stderr)).toContain(reason);
    expect(status).toBe(2);
  });

  test("the body of an error alone is told from a request", () => {
    const { status, stderr } = rolecall(toChat, { stdin: '{"type":"error","error":{"message":"x"}}' });
    expect(oneLine(stderr)).toContain("--kind error");
    expect(status).toBe(2);
  });
});

describe("bad input is one line with its place, and exit 2", () => {
  test.each([
    ['{"a": 1,\n  "b": ]}', "standard input: not valid JSON: unexpected character at line 2, column 8"],
    ['{"a": [1, 2', "standard input: not valid JSON: the text ends too early at line 1, column 12"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "standard input: not valid UTF-8"],
    ["", "standard input: empty"],
    ["5", "standard input: a request must be an object, not a number"],
    ['{"max_tokens":5,"messages":[{"role":"user","content":"x"}]}', "say which with --from"],
    ['{"system":"x","messages":[{"role":"zz"}]}', "(at /messages/0/role)"],
    ['{"system":"x","messages":[{"role":"user","content":5}]}', "/messages/0/content"],
    [`{"system":"x","messages":${"[".repeat(9999)}${"]".repeat(9999)}}`, "nests deeper than 512 levels"],
    ['{"input":[]}', "openai-responses needs an input"],
  ])("%j", (stdin, line) => {
    const { status, stdout, stderr } = rolecall(toChat, { stdin });
    expect(oneLine(stderr)).toContain(line);
    expect(stderr).toMatch(/^rolecall convert: standard input: /);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  test("names the file, and escapes what is odd in its name", () => {
    const bad = write("bad\u001b[2J.json", '{"x"');
    const { status, stderr } = rolecall([...toChat, bad]);
    expect(oneLine(stderr)).toContain(
      "bad\\u001b[2J.json: not valid JSON: the text ends too early at line 1, column 5",
    );
    expect(status).toBe(2);
  });

  test.each([
    ["missing.json", "there is no such file"],
    ["", "it is a directory"],
  ])("a file %j that cannot be read", (name, reason) => {
    const { status, stderr } = rolecall([...toChat, path(name)]);
    expect(oneLine(stderr)).toBe(`rolecall convert: cannot read ${path(name)}: ${reason}`);
    expect(status).toBe(2);
  });

  test("a report that cannot be written", () => {
    const file = path("missing/report.json");
    const { status, stdout, stderr } = rolecall([...toChat, "--report", file, request]);
    expect(oneLine(stderr)).toBe(`rolecall convert: cannot write ${file}: there is no such file`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  test.each([
    ['{"suportsEffort":true}', '--target: a profile has no field "suportsEffort": did you mean "supportsEffort"?'],
    ['{"supportsEffort":1}', '--target: "supportsEffort" must be true or false (at /supportsEffort)'],
    ['{"toolNamePattern":"(["}', '--target: "toolNamePattern" must be a regular expression: Invalid'],
    ['{"maxOutputTokens":-5}', '--target: "maxOutputTokens" must be a whole number from 1, not -5'],
    ['{"maxOutputTokens":"5"}', '--target: "maxOutputTokens" must be a number'],
    ['{"thinking":"much"}', '"thinking" must be one of adaptive, budget, both, none'],
    ['{"protocol":"anthropic-messages"}', "the profile is one of anthropic-messages, not of openai-chat"],
    ['{"model":', "--target: not valid JSON: the text ends too early at line 1, column 10"],
  ])("profile %j", (target, line) => {
    const { status, stderr } = rolecall([...toChat, "--target", target, request]);
    expect(oneLine(stderr)).toContain(line);
    expect(status).toBe(2);
  });

  test.each(["[]", '"str"', "5", "null"])("%s is no body", (stdin) => {
    for (const more of [[], ["--from", "openai-chat"], ["--kind", "response", "--from", "openai-chat"]]) {
      const { status, stderr } = rolecall(["convert", "--to", "anthropic-messages", ...more], { stdin });
      expect(stderr).toContain("must be an object, not ");
      expect(status).toBe(2);
    }
  });

  test("what the target cannot do names its fallback, and the fallback works", () => {
    const stdin = JSON.stringify({ ...chatRequest, n: 2 });
    const args = ["convert", "--from", "openai-chat", "--to", "anthropic-messages"];
    const { status, stderr } = rolecall(args, { stdin });
    expect(stderr).toContain("target.fallbacks.");
    const fallback = /--target '(.+)'/.exec(oneLine(stderr))?.[1];
    expect(stderr).toContain("(at /n)");
    expect(status).toBe(2);
    expect(rolecall([...args, "--target", fallback!], { stdin }).status).toBe(0);
  });
});

describe("policies", () => {
  const accepted = { accept: [{ code: "*", reason: "known to us" }] };

  test("--on-loss fail refuses with exit 3 and names the groups", () => {
    const report = path("refused.json");
    const { status, stdout, stderr } = rolecall([...toChat, "--on-loss", "fail", "--report", report, request]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/content +! tool_result\.error_flag/);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(
      /^rolecall convert: refused: \d losses in \d groups of anthropic/,
    );
    expect(status).toBe(3);
    expect(JSON.parse(readFileSync(report, "utf8")).summary.total).toBeGreaterThan(2);
  });

  test("with --json the refusal is JSON, and one line for people", () => {
    const { status, stdout, stderr } = rolecall([...toChat, "--on-loss", "fail", "--json", request]);
    expect(JSON.parse(stdout)).toMatchObject({ refused: true, from: "anthropic-messages", to: "openai-chat" });
    oneLine(stderr);
    expect(status).toBe(3);
  });

  test("what is accepted is not refused, but counted", () => {
    const file = write("accept.json", accepted);
    const args = [...toChat, "--on-loss", "fail", "--accept", file, "--json", request];
    const { status, stdout } = rolecall(args);
    const { summary, losses } = JSON.parse(stdout);
    expect(summary.accepted).toBe(losses.length);
    expect(losses[0].accepted).toBe("known to us");
    expect(status).toBe(0);
  });

  test("accepted losses are summed up in the report", () => {
    const file = write("accept.json", accepted);
    const { stderr } = rolecall([...toChat, "--accept", file, "--verbose", request]);
    expect(stderr).toMatch(/accepted: \d by "known to us"/);
    expect(stderr).not.toContain("reasoning.foreign");
  });

  test.each([
    [
      { accept: [{ code: "cache.mrak", reason: "x" }] },
      "no loss has this code; `rolecall explain` lists them (at /accept/0/code)",
    ],
    [[{ code: "cache.mark" }], 'state a "reason"'],
    [[{ code: "cache.mark", reason: "x", pth: "/x" }], 'an entry has no "pth"; it has code, from, to, path, reason'],
    [[{ code: "cache.mark", reason: "x", path: "max_tokens" }], '"path" must be a JSON pointer'],
    [{ losses: [] }, "an accept list is an array"],
    ["[", "not valid JSON: the text ends too early at line 1, column 2"],
  ])("accept list %j is wrong", (list, line) => {
    const file = write("wrong-accept.json", list);
    const { status, stderr } = rolecall([...toChat, "--accept", file, request]);
    expect(oneLine(stderr)).toContain(`wrong-accept.json: ${line}`);
    expect(status).toBe(2);
  });
});

describe("--previous", () => {
  const longer = {
    ...anthropicRequest,
    top_k: 3,
    messages: [
      ...anthropicRequest.messages,
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "YQ==" },
          { type: "text", text: "No." },
        ],
      },
      { role: "user", content: "Why?" },
    ],
  };
  const later = write("later.json", longer);
  const codes = (stdout: string) => JSON.parse(stdout).new.losses.map((loss: { code: string }) => loss.code);

  test.each(["report", "json", "body"])("an earlier %s: only what is new", (shape) => {
    const previous = shape === "body" ? request : path(`previous-${shape}.json`);
    if (shape === "report") rolecall([...toChat, "--report", previous, request]);
    if (shape === "json") write(`previous-${shape}.json`, rolecall([...toChat, "--json", request]).stdout);
    const { status, stdout } = rolecall([...toChat, "--previous", previous, "--json", later]);
    expect(codes(stdout).sort()).toEqual(["reasoning.foreign", "setting.no_counterpart"]);
    expect(JSON.parse(stdout).new.repeated).toBe(JSON.parse(stdout).losses.length - 2);
    expect(status).toBe(0);
  });

  test("the report for people shows only what is new and counts the rest", () => {
    const { stderr } = rolecall([...toChat, "--previous", request, "--verbose", later]);
    expect(stderr).toMatch(/2 new losses in 2 groups · \d as before\n/);
    expect(stderr).not.toContain("tool_result.error_flag");
  });

  test("nothing is new", () => {
    const { stderr } = rolecall([...toChat, "--previous", request, "--verbose", request]);
    expect(stderr).toMatch(/no new losses · \d as before\n$/);
  });

  test("a report of another pair is no previous one", () => {
    const file = write("other-report.json", { from: "openai-chat", to: "anthropic-messages", losses: [] });
    const { status, stderr } = rolecall([...toChat, "--previous", file, later]);
    expect(oneLine(stderr)).toContain("a report of openai-chat → anthropic-messages");
    expect(status).toBe(2);
  });

  test("a report with a loss that is none", () => {
    const file = write("odd-report.json", {
      losses: [{ code: "cache.mark", path: "/x", kind: "dropped" }, { code: 5 }],
    });
    const { status, stderr } = rolecall([...toChat, "--previous", file, later]);
    expect(oneLine(stderr)).toContain("not a loss (at /losses/1)");
    expect(status).toBe(2);
  });
});
