import { convertRequest, convertResponse } from "@rolecall/core";
import { describe, expect, test } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: wire bodies are read by path, as a client reads them
type Body = any;
const gemini = "gemini-generate-content" as const;
const own = { from: gemini, to: gemini } as const;

const call = (name: string, args: object, more: object = {}): object => ({ functionCall: { name, args, ...more } });
const result = (name: string, response: object, more: object = {}): object => ({
  functionResponse: { name, response, ...more },
});
const turns = (calls: readonly object[], results: readonly object[]): object => ({
  contents: [
    { role: "user", parts: [{ text: "q" }] },
    { role: "model", parts: calls },
    { role: "user", parts: results },
  ],
});
const toChat = async (body: object): Promise<Body> =>
  (await convertRequest(body, { from: gemini, to: "openai-chat" })).value;

describe("calls of functions", () => {
  test("without ids, results find their calls by name and order", async () => {
    const { messages } = await toChat(
      turns(
        [call("f", { n: 1 }), call("g", {}), call("f", { n: 2 })],
        [result("f", { result: "one" }), result("f", { result: "two" }), result("g", { result: "three" })],
      ),
    );
    const [, answer, ...results] = messages;
    const [first, second, third] = answer.tool_calls.map(({ id }: Body) => id);
    expect(new Set([first, second, third]).size).toBe(3);
    const texts = Object.fromEntries(results.map((item: Body) => [item.tool_call_id, item.content]));
    expect(texts[first]).toContain("one");
    expect(texts[third]).toContain("two");
    expect(texts[second]).toContain("three");
  });

  test("with ids, results find their calls by them", async () => {
    const { messages } = await toChat(
      turns(
        [call("f", {}, { id: "a" }), call("f", {}, { id: "b" })],
        [result("f", { result: "for b" }, { id: "b" }), result("f", { result: "for a" }, { id: "a" })],
      ),
    );
    const [, answer, ...results] = messages;
    const texts = Object.fromEntries(results.map((item: Body) => [item.tool_call_id, item.content]));
    expect(answer.tool_calls.map(({ id }: Body) => texts[id])).toEqual([
      expect.stringContaining("for a"),
      expect.stringContaining("for b"),
    ]);
  });

  test("ids that Gemini did not give come back as none", async () => {
    const body = turns([call("f", { n: 1 })], [result("f", { result: "one" })]);
    expect((await convertRequest(body, own)).value).toEqual(body);
    const { value, exchange } = await convertRequest(body, { from: gemini, to: "openai-chat" });
    expect(exchange).toBeDefined();
    expect((await convertRequest(value, { from: "openai-chat", to: gemini })).value).toMatchObject(turns([{}], [{}]));
  });

  test("the result of another protocol is an object", async () => {
    const body = {
      model: "m",
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "a", content: "it rains" },
      ],
    };
    const { value }: Body = await convertRequest(body, { from: "openai-chat", to: gemini });
    const { functionResponse } = value.contents[2].parts[0];
    expect(functionResponse.name).toBe("f");
    expect(functionResponse.response).toEqual({ output: "it rains" });
  });

  test("a signature stays with the part that it came with", async () => {
    const parts = [
      { text: "hm", thought: true },
      { ...call("f", { n: 1 }), thoughtSignature: "c2lnMQ==" },
      call("f", { n: 2 }),
      { text: "so", thoughtSignature: "c2lnMg==" },
    ];
    const answer = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }] };
    const { value }: Body = await convertResponse(answer, own);
    expect(value.candidates[0].content.parts).toEqual(parts);
  });

  test.each(["openai-chat", "anthropic-messages"] as const)("a signature that %s cannot carry is told", async (to) => {
    const parts = [{ ...call("f", {}), thoughtSignature: "c2ln" }];
    const answer = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] };
    const { losses } = await convertResponse(answer, { from: gemini, to });
    expect(losses.map(({ path }) => path)).toContain("/candidates/0/content/parts/0/thoughtSignature");
  });
});
