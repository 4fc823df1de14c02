import { convertRequest, convertResponse, convertStream, writeSse } from "@rolecall/core";
import { expect, test } from "vitest";

const back = { from: "anthropic-messages", to: "openai-chat" } as const;
const request = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "q" }] };
const parameters = { type: "object", properties: {} };

const exchangeOf = async (tools: object) =>
  (await convertRequest({ ...request, ...tools }, { from: "openai-chat", to: "anthropic-messages" })).exchange;
const deprecated = { functions: [{ name: "f", parameters }] };

const response = (...names: readonly string[]): object => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: names.map((name, index) => ({ type: "tool_use", id: `toolu_${index}`, name, input: { a: index } })),
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

test("a client that declared functions reads its call where it looks for it", async () => {
  const exchange = await exchangeOf(deprecated);
  const { value, losses } = await convertResponse(response("f"), { ...back, exchange });
  expect(value).toMatchObject({
    choices: [{ message: { function_call: { name: "f", arguments: '{"a":0}' } }, finish_reason: "function_call" }],
  });
  expect(JSON.stringify(value)).not.toContain("tool_calls");
  expect(losses.filter(({ code }) => code.startsWith("tool_call") || code.startsWith("stop"))).toEqual([]);
});

test("of several calls the first is given, the others are reported", async () => {
  const exchange = await exchangeOf(deprecated);
  const { value, losses } = await convertResponse(response("f", "g"), { ...back, exchange });
  expect(value).toMatchObject({ choices: [{ message: { function_call: { name: "f" } } }] });
  expect(losses).toContainEqual(
    expect.objectContaining({ code: "tool_call.single", path: "/content/1", severity: "error" }),
  );
});

test("a client that declared tools gets tool calls", async () => {
  const exchange = await exchangeOf({ tools: [{ type: "function", function: { name: "f", parameters } }] });
  expect(exchange.functionCalls).toBeUndefined();
  const { value } = await convertResponse(response("f"), { ...back, exchange });
  expect(value).toMatchObject({ choices: [{ message: { tool_calls: [{}] }, finish_reason: "tool_calls" }] });
});

test("a stream says it the same way", async () => {
  const call = (index: number, name: string): object[] => [
    { type: "content_block_start", index, content_block: { type: "tool_use", id: `toolu_${index}`, name, input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: '{"a":' } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: "1}" } },
    { type: "content_block_stop", index },
  ];
  const events: object[] = [
    { type: "message_start", message: { ...response(), stop_reason: null } },
    ...call(0, "f"),
    ...call(1, "g"),
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  async function* chunks(): AsyncGenerator<string> {
    for (const event of events) {
      yield writeSse({ event: (event as { type: string }).type, data: JSON.stringify(event) });
    }
  }
  const stream = convertStream(chunks(), { ...back, exchange: await exchangeOf(deprecated) });
  let text = "";
  for await (const chunk of stream) text += chunk;
  const frames = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data as string));
  const choices = frames.flatMap((frame) => frame.choices);
  const pieces = choices.flatMap(({ delta }) => (delta.function_call === undefined ? [] : [delta.function_call]));
  expect(pieces[0]).toEqual({ name: "f", arguments: "" });
  expect(pieces.map((piece) => piece.arguments).join("")).toBe('{"a":1}');
  expect(choices.map((choice) => choice.finish_reason).filter(Boolean)).toEqual(["function_call"]);
  expect(text).not.toContain("tool_calls");
  const single = (await stream.report).filter(({ code }) => code === "tool_call.single");
  expect(single.map(({ path }) => path)).toContain("/events/5/content_block");
});
