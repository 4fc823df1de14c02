import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { convertRequest, convertResponse } from "../../src/index.ts";
import type { Body } from "../stream/wire.ts";
import { anthropic, block, chat, converted, end, events, finish, json, start, stop } from "../stream/wire.ts";

const request = {
  model: "m",
  messages: [{ role: "user", content: "x" }],
  tools: [
    { type: "custom", custom: { name: "patch" } },
    { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
  ],
};

/** What the model writes where it should write one text `input`, and the text that the client gets. */
const inputs: readonly (readonly [JsonObject, string, boolean])[] = [
  [{ input: "a" }, "a", true],
  [{ input: "a", extra: 1 }, "a", false],
  [{}, "", false],
  [{ text: "a" }, '{"text":"a"}', false],
  [{ input: 1 }, '{"input":1}', false],
];

describe.each(inputs)("a call of a free-text tool with %j", (input, text, isExact) => {
  test("comes back as one", async () => {
    const { exchange } = await convertRequest(request, { from: chat, to: anthropic });
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "tool_use", id: "t", name: "patch", input }],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const { value, losses } = await convertResponse(message, { from: anthropic, to: chat, exchange });
    const [call] = (value as Body).choices[0].message.tool_calls;
    expect(call).toEqual({ id: "t", type: "custom", custom: { name: "patch", input: text } });
    const told = losses.filter(({ code }) => code === "tool_call.free_text").map(({ path }) => path);
    expect(told).toEqual(isExact ? [] : ["/content/0/input"]);
  });

  test.each([true, false])("comes back as one from a stream", async (inPieces) => {
    const { exchange } = await convertRequest(request, { from: chat, to: anthropic });
    const written = JSON.stringify(input);
    const pieces = inPieces ? [written.slice(0, 1), written.slice(1)] : [written];
    const stream = events(
      start(),
      block(0, { type: "tool_use", id: "t", name: "patch", input: {} }),
      ...pieces.map((piece) => json(0, piece)),
      stop(0),
      finish("tool_use"),
      end,
    );
    const { frames, losses } = await converted(stream, anthropic, chat, { exchange });
    const calls = frames.flatMap(({ data }) => data.choices?.[0]?.delta?.tool_calls ?? []);
    expect(calls[0]).toMatchObject({ type: "custom", custom: { name: "patch" } });
    expect(calls.map((call: Body) => call.custom.input).join("")).toBe(text);
    expect(losses.filter(({ code }) => code === "tool_call.free_text")).toHaveLength(isExact ? 0 : 1);
  });
});

describe("a choice among free-text tools and functions", () => {
  const allowed = (...tools: JsonObject[]): JsonObject => ({
    ...request,
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools } },
  });
  const free = { type: "custom", custom: { name: "patch" } };
  const typed = { type: "function", function: { name: "f" } };

  test.each([[[free]], [[free, typed]], [[typed, free]]])("stays what it is within its protocol: %j", async (tools) => {
    const body = allowed(...tools);
    const { value, losses } = await convertRequest(body, { from: chat, to: chat });
    expect(value).toEqual(body);
    expect(losses).toEqual([]);
  });

  test.each([[[free]], [[free, typed]]])("keeps its mode and its tools toward Anthropic: %j", async (tools) => {
    const { value, losses } = await convertRequest(allowed(...tools), { from: chat, to: anthropic });
    const sent = value as Body;
    expect(sent.tool_choice).toEqual({ type: "any" });
    expect(sent.tools.map(({ name }: Body) => name)).toEqual(tools.length === 1 ? ["patch"] : ["patch", "f"]);
    const codes = losses.map(({ code }) => code);
    expect(codes).toContain("tool_choice.subset");
    expect(codes).not.toContain("field.no_counterpart");
  });

  test("names functions for a server without free-text tools", async () => {
    const { value } = await convertRequest(allowed(free), {
      from: chat,
      to: chat,
      target: { supportsCustomTools: false },
    });
    expect((value as Body).tool_choice.allowed_tools.tools).toEqual([
      { type: "function", function: { name: "patch" } },
    ]);
  });
});
