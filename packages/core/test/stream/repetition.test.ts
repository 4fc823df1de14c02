import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Protocol, StreamDecodeOptions, StreamEvent } from "../../src/index.ts";
import { protocol as anthropicMessages } from "../../src/protocols/anthropic-messages/index.ts";
import { protocol as openaiChat } from "../../src/protocols/openai-chat/index.ts";

/** Texts of which some are spelled like keys, and some need escapes. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "}",
    "a",
    " token",
    ",",
    "content",
    "delta",
    '"',
    "\\",
    "\n",
    "é",
    "\ud83c",
    '":"',
    '"content":"a"',
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

const chunk = (fields: object) => ({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...fields });
const choice = (delta: object, finish: string | null, index = 0) => ({ index, delta, finish_reason: finish });
const call = (args: string) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] });
const callStart = {
  tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }],
};

const chatFrame: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: text.map((content) => chunk({ choices: [choice({ content }, null)] })) },
  text.map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
  text.map((reasoning_content) => chunk({ choices: [choice({ reasoning_content }, null)] })),
  text.map((refusal) => chunk({ choices: [choice({ refusal }, null)] })),
  text.map((content) => chunk({ choices: [choice({ content }, null, 1)] })),
  fc
    .tuple(text, text)
    .map(([content, other]) => chunk({ choices: [choice({ content }, null), choice({ content: other }, null, 1)] })),
  fc.tuple(text, text).map(([content, obfuscation]) => chunk({ choices: [choice({ content }, null)], obfuscation })),
  fc
    .tuple(text, text)
    .map(([content, extra]) => chunk({ content: extra, choices: [choice({ content, x: extra }, null)] })),
  fc.constant(chunk({ choices: [choice(callStart, null)] })),
  { weight: 3, arbitrary: text.map((args) => chunk({ choices: [choice(call(args), null)] })) },
  fc.constant(chunk({ choices: [choice({}, null)] })),
  fc.constant(chunk({ choices: [choice({}, "stop")] })),
  fc.constant(chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })),
);

const blockIndex = fc.constantFrom(0, 1);
const blockStart = (content: object) =>
  blockIndex.map((index) => ({ type: "content_block_start", index, content_block: content }));
const blockDelta = (key: string, type: string) =>
  fc
    .tuple(blockIndex, text)
    .map(([index, piece]) => ({ type: "content_block_delta", index, delta: { type, [key]: piece } }));

const messagesFrame: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: blockDelta("text", "text_delta") },
  { weight: 3, arbitrary: blockDelta("partial_json", "input_json_delta") },
  blockDelta("thinking", "thinking_delta"),
  blockDelta("strange", "strange_delta"),
  blockStart({ type: "text", text: "" }),
  blockStart({ type: "thinking", thinking: "", signature: "" }),
  blockStart({ type: "tool_use", id: "t", name: "f", input: {} }),
  blockIndex.map((index) => ({ type: "content_block_stop", index })),
  fc.constant({ type: "ping" }),
);
const messagesStart = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

/** The events of frames, each written as stated. */
function eventsOf(
  protocol: Protocol,
  frames: readonly object[],
  write: (frame: object, position: number) => string,
  options?: StreamDecodeOptions,
) {
  const decoder = protocol.createStreamDecoder(undefined, options);
  const events: StreamEvent[] = [];
  frames.forEach((frame, position) => {
    events.push(...decoder.push({ data: write(frame, position), ...(position % 7 === 6 && { event: "named" }) }));
  });
  // What was held back or left open shows at the end.
  events.push(...decoder.push({ data: "[DONE]" }), ...decoder.finish());
  return { events, losses: decoder.losses };
}

/** Neighbours are spelled differently, so that none repeats another. */
const alternating = (frame: object, position: number) => JSON.stringify(frame, null, position % 2 === 0 ? 1 : 2);
const compact = (frame: object) => JSON.stringify(frame);
/** As Python writes it. */
const spaced = (frame: object) => JSON.stringify(frame, null, 1).replaceAll(/\n\s*/g, " ");

describe("frames that repeat one another", () => {
  test.each([
    [openaiChat, chatFrame, []],
    [anthropicMessages, messagesFrame, [messagesStart]],
  ] as const)("%# give the events of frames that do not", (protocol, frame, before) => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 40 }), (list) => {
        const frames = [...before, ...list];
        const expected = eventsOf(protocol, frames, alternating);
        expect(eventsOf(protocol, frames, compact)).toEqual(expected);
        expect(eventsOf(protocol, frames, spaced)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    [openaiChat, chatFrame, []],
    [anthropicMessages, messagesFrame, [messagesStart]],
  ] as const)("%# say the same where their events carry no frames", (protocol, frame, before) => {
    const bare = (events: readonly StreamEvent[]) => events.map(({ wire, ...event }) => ({ ...event, ...wire?.rest }));
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 40 }), (list) => {
        const frames = [...before, ...list];
        const expected = eventsOf(protocol, frames, compact);
        const read = eventsOf(protocol, frames, compact, { frames: false });
        expect(bare(read.events)).toEqual(bare(expected.events));
        expect(read.events.map(({ wire }) => wire?.protocol)).toEqual(
          expected.events.map(({ wire }) => wire?.protocol),
        );
        expect(read.losses).toEqual(expected.losses);
      }),
      { numRuns: 200 },
    );
  });

  test("a repeated frame is not copied where nobody writes it again", () => {
    const frames = ["a", "b", "c"].map((content) => chunk({ choices: [choice({ content }, null)] }));
    const framesOf = (options?: StreamDecodeOptions) =>
      eventsOf(openaiChat, frames, compact, options).events.flatMap(({ type, wire }) =>
        type === "text_delta" ? [wire?.form?.["frame"] !== undefined] : [],
      );
    expect(framesOf().at(-1)).toBe(true);
    expect(framesOf({ frames: false }).at(-1)).toBe(false);
  });

  test("arguments are followed to their end", () => {
    const frames = [callStart, call("{"), call("}")].map((delta) => chunk({ choices: [choice(delta, null)] }));
    const { events } = eventsOf(openaiChat, frames, compact);
    expect(events.at(-2)).toMatchObject({ type: "stop", inferred: true });
  });

  test("what no JSON string can hold is still an error", () => {
    const frame = (content: string) => `{"choices":[{"index":0,"delta":{"content":"${content}"}}]}`;
    for (const wrong of ["\n", "\\x", '"', '",a":"', "\\"]) {
      const decoder = openaiChat.createStreamDecoder();
      decoder.push({ data: frame("a") });
      expect(decoder.push({ data: frame("b") })).toMatchObject([{ type: "text_delta", text: "b", at: 1 }]);
      expect(decoder.push({ data: frame(wrong) })).toMatchObject([{ type: "error", at: 2 }]);
    }
  });

  test("a text that closes its string early is read as what it says", () => {
    const frame = (content: string) => `{"choices":[{"index":0,"delta":{"content":"${content}"}}]}`;
    const decoder = openaiChat.createStreamDecoder();
    decoder.push({ data: frame("a") });
    decoder.push({ data: frame("b") });
    const events = decoder.push({ data: frame('b","refusal":"no') });
    expect(events.map((event) => event.type)).toContain("part_start");
  });
});
