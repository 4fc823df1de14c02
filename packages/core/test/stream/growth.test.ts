import { describe, expect, test } from "vitest";
import type { Exchange, ProtocolId } from "../../src/index.ts";
import { convertStream, loadProtocol } from "../../src/index.ts";
import { countReads } from "./reads.ts";
import type { Body } from "./wire.ts";
import {
  anthropic,
  block,
  call,
  chat,
  chunk,
  data,
  done,
  end,
  events,
  finish,
  gemini,
  json,
  start,
  stop,
  text,
} from "./wire.ts";

interface Shape {
  readonly from: ProtocolId;
  readonly exchange?: Exchange;
  readonly of: (count: number) => string;
}

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const calls = (...pieces: Body[]): string => chunk({ tool_calls: pieces });
const whole = (index: number): Body => call(index, `c${index}`, "f", "{}");
const begun = (index: number): Body => call(index, `c${index}`, "f", "");
const piece = (index: number): Body => call(index, undefined, undefined, "{}");
const ended = chunk({}, "tool_calls") + done;
const citation = { type: "url_citation", url_citation: { url: "https://e.test", start_index: 0, end_index: 1 } };
const located = {
  type: "citations_delta",
  citation: {
    type: "char_location",
    cited_text: "a",
    document_index: 0,
    document_title: null,
    start_char_index: 0,
    end_char_index: 1,
  },
};
const grounded = (index: number): string =>
  data({
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [{ text: "abc é " }] },
        groundingMetadata: {
          groundingChunks: [{ web: { uri: `https://e.test/${index}` } }],
          groundingSupports: [
            {
              segment: { startIndex: 7 * index, endIndex: 7 * index + 6, text: "abc é" },
              groundingChunkIndices: [0],
            },
          ],
        },
      },
    ],
  });
const said = (frames: Body[]): string => events(start(), ...frames, finish("end_turn"), end);
const more = (value: Body): Body => ({ type: "content_block_delta", index: 0, delta: value });
const list = (count: number, make: (index: number) => Body[]): Body[] =>
  Array.from({ length: count }, (_, index) => make(index)).flat();

/** Streams of a size in which there is much of one thing. */
const shapes: { readonly [name: string]: Shape } = {
  "calls one after the other": { from: chat, of: (count) => many(count, (index) => calls(whole(index))) + ended },
  "calls in one chunk": {
    from: chat,
    of: (count) => calls(...Array.from({ length: count }, (_, index) => whole(index))) + ended,
  },
  "renamed calls in one chunk": {
    from: chat,
    exchange: { from: chat, to: chat, toolNames: { f: "g" } },
    of: (count) => calls(...Array.from({ length: count }, (_, index) => whole(index))) + ended,
  },
  "calls that are open at once": {
    from: chat,
    of: (count) =>
      many(count, (index) => calls(begun(index))) + many(count, (index) => calls(piece(count - 1 - index))) + ended,
  },
  "calls without an index": {
    from: chat,
    of: (count) =>
      many(
        count,
        (index) => calls(call(undefined, `c${index}`, "f", "")) + calls(call(undefined, undefined, undefined, "{}")),
      ) + ended,
  },
  "calls that their ids tell apart": {
    from: chat,
    of: (count) =>
      many(count, (index) => calls(call(undefined, `c${index}`, "f", ""))) +
      many(count, (index) => calls(call(undefined, `c${index}`, undefined, "{}"))) +
      ended,
  },
  "a reason to end with each call": {
    from: chat,
    of: (count) => many(count, (index) => chunk({ tool_calls: [whole(index)] }, "tool_calls")) + done,
  },
  "arguments in blank pieces": {
    from: chat,
    of: (count) =>
      calls(begun(0)) + many(count, () => calls(call(0, undefined, undefined, " "))) + calls(piece(0)) + ended,
  },
  "texts between calls": {
    from: chat,
    of: (count) => many(count, (index) => calls(whole(index)) + chunk({ content: "t" })) + ended,
  },
  choices: {
    from: chat,
    of: (count) =>
      many(count, (index) =>
        chunk({}, null, { choices: [{ index, delta: { content: "t" }, finish_reason: "stop" }] }),
      ) + done,
  },
  annotations: {
    from: chat,
    of: (count) =>
      chunk({ content: "t" }) + many(count, () => chunk({ annotations: [citation] })) + chunk({}, "stop") + done,
  },
  "reasoning details": {
    from: chat,
    of: (count) =>
      many(count, (index) => chunk({ reasoning_details: [{ type: "reasoning.text", index, text: "t" }] })) +
      chunk({}, "stop") +
      done,
  },
  blocks: {
    from: anthropic,
    of: (count) =>
      said(list(count, (index) => [block(index, { type: "text", text: "" }), text(index, "t"), stop(index)])),
  },
  "blocks that are open at once": {
    from: anthropic,
    of: (count) =>
      said([
        ...list(count, (index) => [block(index, { type: "tool_use", id: `t${index}`, name: "f", input: {} })]),
        ...list(count, (index) => [json(index, "{}"), stop(index)]),
      ]),
  },
  citations: {
    from: anthropic,
    of: (count) => said([block(0, { type: "text", text: "" }), ...list(count, () => [more(located)]), stop(0)]),
  },
  "texts with grounding": {
    from: gemini,
    of: (count) => many(count, grounded) + data({ candidates: [{ index: 0, finishReason: "STOP" }] }),
  },
  "fields of an unknown block": {
    from: anthropic,
    of: (count) =>
      said([
        block(0, { type: "new_block" }),
        ...list(count, (index) => [more({ type: "new_delta", [`f${index}`]: index })]),
        stop(0),
      ]),
  },
};

async function reads({ from, exchange, of }: Shape, count: number): Promise<number> {
  const source = of(count);
  const options = exchange === undefined ? {} : { exchange };
  const protocol = await loadProtocol(from);
  return countReads(async () => {
    for (const to of [chat, anthropic]) for await (const _ of convertStream(source, { from, to, ...options }));
    await protocol.decodeStream(source, exchange);
  });
}

describe.each(Object.entries(shapes))("a stream of many %s", (_name, shape) => {
  test("is converted by a number of reads that grows with its length", async () => {
    const few = await reads(shape, 100);
    const many = await reads(shape, 800);
    expect(many / few).toBeLessThan(9);
  });
});

test("a candidate of a high number takes no room for those below it", async () => {
  const choices = [{ index: 4e9, delta: { content: "t" }, finish_reason: "stop" }];
  const source = chunk({ content: "a" }, "stop") + chunk({}, null, { choices }) + done;
  const { value } = await (await loadProtocol(chat)).decodeStream(source);
  expect(value.alternatives).toMatchObject([{ content: [{ type: "text", text: "t" }] }]);
});
