import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../test/corpus.ts";
import { anthropicRequest, atTerminal, chatResponse, rolecall, temporaryFolder } from "./command.ts";

const { path, write } = temporaryFolder();
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "gpt-5.6",
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const chatStream = [
  chunk({ role: "assistant", content: "I read" }),
  chunk({ content: " it." }),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
].join("");
const annotated = chatStream.replace('"content":" it."', '"content":" it.","mood":"fine"');
const toAnthropic = ["convert", "--kind", "stream", "--to", "anthropic-messages"];

describe("rolecall convert --kind stream", () => {
  test.each(["file", "standard input"])("converts from a %s, and detects the protocol", (place) => {
    const args = place === "file" ? [...toAnthropic, write("chat.sse", chatStream)] : toAnthropic;
    const { status, stdout, stderr } = rolecall(args, { stdin: chatStream });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^event: message_start\ndata: /);
    expect(stdout).toContain('"text":" it."');
    expect(stdout).toMatch(/event: message_stop\ndata: .*\n\n$/);
    const back = rolecall(["convert", "--kind", "stream", "--to", "openai-chat"], { stdin: stdout });
    expect(back.status).toBe(0);
    expect(back.stdout).toContain("data: [DONE]");
  });

  test.each([
    ["an error body", '{"error":{"message":"no such model","type":"not_found_error"}}'],
    ["a page", "<html><body>502 Bad Gateway</body></html>"],
    ["comments alone", ": hello\n\n"],
  ])("refuses %s, which is no stream, exit 2", (_name, input) => {
    for (const args of [toAnthropic, [...toAnthropic, "--from", "openai-chat"]]) {
      const { status, stdout, stderr } = rolecall(args, { stdin: input });
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/^rolecall convert: standard input: no (?:event|stream)/);
    }
  });

  test("takes a stream that holds the failure of its service for one", () => {
    const input = 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n';
    const { status, stdout, stderr } = rolecall([...toAnthropic, "--from", "openai-chat"], { stdin: input });
    expect(status).toBe(2);
    expect(stdout).toContain("overloaded");
    expect(stderr).toMatch(/^rolecall convert: standard input: the stream failed.*: overloaded\n$/);
  });

  const cutCall = { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"a":1' } }] };
  test.each([
    ["a stream that was cut", chatStream.slice(0, chatStream.indexOf(" it."))],
    ["a stream without its end", chatStream.slice(0, chatStream.indexOf("data: ", 10))],
    ["a failure within a stream", `${chunk({ content: "I" })}data: {"error":{"message":"overloaded"}}\n\n`],
    ["a call that no client may run", `${chunk(cutCall)}${chunk({}, "tool_calls")}data: [DONE]\n\n`],
  ])("tells of %s, exit 2", (_name, input) => {
    const plain = rolecall(toAnthropic, { stdin: input });
    expect(plain.status).toBe(2);
    expect(plain.stdout).toContain("event: error");
    expect(plain.stderr).toMatch(/^rolecall convert: standard input: the stream failed, and so does the result: .+\n$/);
    const json = rolecall([...toAnthropic, "--json"], { stdin: input });
    expect(json).toMatchObject({ status: 2, stderr: plain.stderr });
    const { failure, value } = JSON.parse(json.stdout);
    expect(plain.stderr).toContain(failure.message);
    expect(value).toBe(plain.stdout);
  });

  test("a stream that ended well has no failure", () => {
    const { status, stdout } = rolecall([...toAnthropic, "--json"], { stdin: chatStream });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).not.toHaveProperty("failure");
  });

  test("--json and --report tell the losses", () => {
    const file = write("annotated.sse", annotated);
    const { stdout } = rolecall([...toAnthropic, "--json", "--report", path("stream-report.json"), file]);
    const answer = JSON.parse(stdout);
    expect(answer.value).toContain("message_start");
    expect(answer.losses).toContainEqual(
      expect.objectContaining({ code: "field.no_counterpart", path: "/events/1/choices/0/delta/mood" }),
    );
    expect(JSON.parse(readFileSync(path("stream-report.json"), "utf8")).losses).toEqual(answer.losses);
  });

  test("shows its report at a terminal", async () => {
    const { status, stderr } = await atTerminal(toAnthropic, { stdin: annotated });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^openai-chat → anthropic-messages {3}\d+ bytes {3}\d+ loss/);
  });

  test("ends where a policy refuses, exit 3", () => {
    const { status, stdout, stderr } = rolecall([...toAnthropic, "--on-loss", "fail"], { stdin: annotated });
    expect(status).toBe(3);
    expect(stdout).not.toContain("message_stop");
    expect(stderr).toContain("refused");
  });

  test("uses the exchange of the request", () => {
    const exchange = path("exchange.json");
    const request = write("request.json", {
      ...anthropicRequest,
      tools: [{ name: "mcp.files.read file", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: "Read a.txt" }],
    });
    const { stdout } = rolecall(["convert", "--to", "openai-chat", "--json", request]);
    write("exchange.json", stdout);
    const name = JSON.parse(stdout).value.tools[0].function.name;
    const call = chunk({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: "{}" } }] });
    const stream = `${call}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
    const answer = rolecall([...toAnthropic, "--exchange", exchange], { stdin: stream });
    expect(answer.stdout).toContain('"name":"mcp.files.read file"');
  });

  test.each([
    ["an empty input", [], "", "standard input: empty; name a FILE or pipe a stream in"],
    ["text that is no stream", [], "hello\n\n", "say which with --from"],
    ["a file that is not there", [path("none.sse")], "", "none.sse: there is no such file"],
    ["--previous", ["--previous", "x.json"], chatStream, "--previous compares requests"],
    ["--source", ["--source", "{}"], chatStream, "--source belongs to"],
  ])("says in one line what is wrong with %s", (_, args, stdin, words) => {
    const { status, stderr } = rolecall([...toAnthropic, ...args], { stdin });
    expect(status).toBe(2);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain(words);
  });

  test("a response that is no stream is not taken for an empty answer", () => {
    const { status, stdout, stderr } = rolecall(toAnthropic, { stdin: JSON.stringify(chatResponse) });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("--from");
  });
});

describe("what a model says does not steer a terminal", () => {
  const said = [
    ["a\u001b]52;c;ZXZpbA==\u0007b\u001b", "[2Jc\u009b1A\u202e"],
    ["\u009d0;title\u009c", "\u2066x\u2069\u200b\u0085"],
    ["\u001b", "[", "31mred\r\u0000\u007f"],
  ];
  const streams = said.map((pieces) =>
    [...pieces.map((content) => chunk({ content })), chunk({}, "stop"), "data: [DONE]\n\n"].join(""),
  );

  async function check(stream: string): Promise<void> {
    for (const to of ["anthropic-messages", "openai-chat"]) {
      const args = ["convert", "--kind", "stream", "--from", "openai-chat", "--to", to];
      const { stdout: shown } = await atTerminal(args, { stdin: stream });
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      const { stdout: written } = rolecall(args, { stdin: stream });
      const textOf = (text: string) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
      expect(textOf(shown)).toEqual(textOf(written));
    }
  }

  test.each(streams)("sibling %#", (stream) => check(stream));

  describeWithCorpus("as reported", (folder) => {
    test("terminal-escape-output", () =>
      check(JSON.parse(readFileSync(join(folder, "cases/B113.json"), "utf8")).input));
  });
});
