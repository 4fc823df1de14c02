import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Protocol, StreamDecodeOptions, StreamEvent } from "../../../src/index.ts";
import { createConverter } from "../../../src/index.ts";
import { protocol as anthropicMessages } from "../../../src/protocols/anthropic-messages/index.ts";
import { protocol as geminiGenerateContent } from "../../../src/protocols/gemini-generate-content/index.ts";
import { protocol as openaiChat } from "../../../src/protocols/openai-chat/index.ts";
import { protocol as openaiResponses } from "../../../src/protocols/openai-responses/index.ts";
import {
  call,
  callStart,
  chatFrame,
  choice,
  chunk,
  geminiChunk,
  geminiFrame,
  messagesFrame,
  messagesStart,
  responsesFrame,
  responsesStart,
  textStart,
} from "./frames.ts";

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
    [geminiGenerateContent, geminiFrame, []],
    [openaiResponses, responsesFrame, responsesStart],
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
    [geminiGenerateContent, geminiFrame, []],
    [openaiResponses, responsesFrame, responsesStart],
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
        // With its frame a reason to stop that came twice is not lost.
        expect(read.losses.filter(({ code }) => code !== "stop.repeated")).toEqual(expected.losses);
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

const sources = [
  [openaiChat, chatFrame, []],
  [anthropicMessages, messagesFrame, [messagesStart]],
  [geminiGenerateContent, geminiFrame, []],
  [openaiResponses, responsesFrame, responsesStart],
] as const;
const directions = sources.flatMap(([source, frame, before]) =>
  sources.map(([target]) => [source.id, target.id, source, target, frame, before] as const),
);

describe("frames behind the end", () => {
  const textOfGemini = (piece: string) => geminiChunk([{ text: piece }]);
  const textOfResponses = (delta: string) => ({
    type: "response.output_text.delta",
    item_id: "i",
    output_index: 0,
    content_index: 0,
    delta,
  });
  const textOfMessages = (piece: string) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: piece },
  });
  const textOfChat = (content: string) => chunk({ choices: [choice({ content }, null)] });
  const ends = ["[DONE]", "{", "null", JSON.stringify({ error: { message: "m", code: 500, status: "INTERNAL" } })];
  const kinds = [
    [openaiChat, textOfChat, []],
    [anthropicMessages, textOfMessages, [messagesStart, textStart]],
    [geminiGenerateContent, textOfGemini, []],
    [openaiResponses, textOfResponses, responsesStart],
  ] as const;

  test.each(
    kinds.flatMap(([protocol, frame, before]) =>
      ends.map((end) => [protocol.id, end, protocol, frame, before] as const),
    ),
  )("of %s by %s are read alike however they are spelled", (_id, end, protocol, frame, before) => {
    const read = (write: (value: object) => string) => {
      const decoder = protocol.createStreamDecoder();
      for (const value of before) decoder.push({ data: compact(value) });
      for (const piece of ["a", "b", "c"]) decoder.push({ data: compact(frame(piece)) });
      decoder.push({ data: end });
      const after = [decoder.push({ data: write(frame("d")) }), decoder.push({ data: write(frame("e")) })];
      return { after, run: end === "[DONE]" ? undefined : decoder.run?.(), rest: decoder.finish() };
    };
    expect(read(compact)).toEqual(read((value) => JSON.stringify(value, null, 1)));
  });
});

describe("frames in which more than a text varies", () => {
  const padded = (content: string, index: number) =>
    chunk({ choices: [choice({ content }, null)], obfuscation: "x".repeat(index % 5) });
  const counted = (piece: string, index: number) =>
    geminiChunk(
      [{ text: piece }],
      {},
      { promptTokenCount: 3, candidatesTokenCount: index, totalTokenCount: index + 3 },
    );
  const numbered = (delta: string, index: number) => ({
    type: "response.output_text.delta",
    item_id: "i",
    output_index: 0,
    content_index: 0,
    delta,
    logprobs: [],
    sequence_number: index,
    obfuscation: "x".repeat(index % 5),
  });

  test.each([
    [openaiChat, padded, []],
    [geminiGenerateContent, counted, []],
    [openaiResponses, numbered, responsesStart],
  ] as const)("%# are not parsed one by one", (protocol, frame, before) => {
    const decoder = protocol.createStreamDecoder();
    for (const value of before) decoder.push({ data: JSON.stringify(value) });
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    for (let index = 0; index < 100; index++) decoder.push({ data: JSON.stringify(frame(`${index} `, index + 10)) });
    expect(parse.mock.calls.length).toBeLessThan(30);
  });
});

describe("frames of one text", () => {
  const sse = (frame: object) => {
    const name = (frame as { readonly type?: string }).type;
    return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(frame)}\n\n`;
  };
  /** What a stream in such chunks becomes. */
  const convert = (source: Protocol, target: Protocol, chunks: readonly (string | Uint8Array)[]) => {
    const conversion = createConverter(target, source).createStreamConversion();
    const text = chunks.map((piece) => conversion.push(piece)).join("") + conversion.finish();
    return { text, losses: conversion.losses, failure: conversion.failure };
  };

  test.each(directions)(
    "of %s become in %s what they become one by one",
    (_from, _to, source, target, frame, before) => {
      fc.assert(
        fc.property(fc.array(frame, { maxLength: 30 }), fc.infiniteStream(fc.nat(400)), (list, sizes) => {
          const frames = [...before, ...list].map(sse);
          // A frame that comes in two pieces is read by itself.
          const halves = frames.flatMap((whole) => [whole.slice(0, 9), whole.slice(9)]);
          const expected = convert(source, target, halves);
          expect(convert(source, target, frames)).toEqual(expected);
          const groups: string[] = [];
          for (let at = 0; at < frames.length; ) {
            const size = 1 + ((sizes.next().value as number) % 6);
            groups.push(frames.slice(at, at + size).join(""));
            at += size;
          }
          expect(convert(source, target, groups)).toEqual(expected);
          const bytes = Buffer.from(frames.join(""));
          const pieces: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = 1 + (sizes.next().value as number);
            pieces.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(convert(source, target, pieces)).toEqual(expected);
        }),
        { numRuns: 150 },
      );
    },
  );

  test.each([
    [openaiChat, anthropicMessages, chunk({ choices: [choice({ content: "a" }, null)] })],
    [
      anthropicMessages,
      openaiChat,
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
    ],
    [
      geminiGenerateContent,
      openaiChat,
      { candidates: [{ index: 0, content: { role: "model", parts: [{ text: "a" }] } }] },
    ],
  ] as const)("%# count for the places of what follows", (source, target, frame) => {
    const begin = source === anthropicMessages ? [messagesStart, textStart] : [];
    const opening = [...begin, frame, frame].map(sse);
    const { failure } = convert(source, target, [...opening, sse(frame).repeat(5), "data: {\n\n"]);
    expect(failure?.message).toContain(`/events/${opening.length + 5} `);
  });

  test("count for the places of citations behind them", () => {
    const block = (index: number, ...deltas: object[]) => [
      { type: "content_block_start", index, content_block: { type: "text", text: "" } },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
    const pieces = Array.from({ length: 9 }, () => ({ type: "text_delta", text: "four" }));
    const citation = {
      type: "web_search_result_location",
      url: "https://a.example",
      title: "t",
      cited_text: "four",
      encrypted_index: "e",
    };
    const frames = [
      messagesStart,
      ...block(0, ...pieces),
      ...block(1, ...pieces, { type: "citations_delta", citation }),
    ];
    const ended = [...frames, { type: "message_delta", delta: { stop_reason: "end_turn" } }, { type: "message_stop" }];
    const { text: written } = convert(anthropicMessages, openaiChat, ended.map(sse));
    expect(written).toContain('"start_index":36,"end_index":72');
  });

  test.each([
    [openaiChat, anthropicMessages, (content: string): object => chunk({ choices: [choice({ content }, null)] })],
    [
      anthropicMessages,
      openaiChat,
      (piece: string): object => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: piece },
      }),
    ],
  ] as const)("%# are not decoded one by one", (source, target, frame) => {
    let decoded = 0;
    const counting: Protocol = {
      ...source,
      createStreamDecoder(exchange, options) {
        const decoder = source.createStreamDecoder(exchange, options);
        const push: typeof decoder.push = (given) => {
          decoded++;
          return decoder.push(given);
        };
        return { ...decoder, push };
      },
    };
    const begin = source === anthropicMessages ? [messagesStart, textStart] : [];
    const pieces = Array.from({ length: 100 }, (_, index) => `${index} "é"\n`);
    const { text: written } = convert(counting, target, [...begin, ...pieces.map((piece) => frame(piece))].map(sse));
    expect(decoded).toBeLessThan(10);
    expect(written).toContain(JSON.stringify(pieces[99]));
  });
});
