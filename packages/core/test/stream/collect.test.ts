import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Citation, Loss } from "../../src/index.ts";
import { createConverter } from "../../src/index.ts";
import { protocolOf } from "../protocols.ts";
import type { Body } from "./wire.ts";
import {
  anthropic,
  block,
  call,
  chat,
  chunk,
  converted,
  data,
  done,
  end,
  events,
  finish,
  json,
  start,
  stop,
  text,
} from "./wire.ts";

const [ofChat, ofAnthropic] = [chat, anthropic].map((id) => createConverter(protocolOf(id), protocolOf(id))) as [
  ReturnType<typeof createConverter>,
  ReturnType<typeof createConverter>,
];
const toChat = createConverter(protocolOf(chat), protocolOf(anthropic));
const places = (losses: readonly Loss[]) => losses.map(({ code, path }) => `${code} ${path}`);
const choiceChunk = (choice: Body, more: Body = {}): string =>
  data({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
    ...more,
  });

describe("a stream of Chat as a response of its own", () => {
  test("has the sound in one piece, wherever it is cut and padded", async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(bytes, fc.string()), { minLength: 1, maxLength: 5 }), async (pieces) => {
        const deltas = pieces.map(([sound, transcript], index) => ({
          audio: { ...(index === 0 && { id: "audio_1" }), data: Buffer.from(sound).toString("base64"), transcript },
        }));
        const stream =
          deltas.map((delta) => chunk(delta)).join("") + chunk({ audio: { expires_at: 9 } }) + chunk({}, "stop") + done;
        const { value, losses } = await ofChat.collectStream(stream);
        expect((value as Body).choices[0].message.audio).toEqual({
          id: "audio_1",
          data: Buffer.concat(pieces.map(([sound]) => sound)).toString("base64"),
          transcript: pieces.map(([, transcript]) => transcript).join(""),
          expires_at: 9,
        });
        expect(losses).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("has lists that came in pieces, of each candidate", async () => {
    const token = (name: string) => ({ token: name, logprob: -1, bytes: null, top_logprobs: [] });
    const stream =
      choiceChunk(
        { delta: { role: "assistant", content: "a" }, logprobs: { content: [token("a")], refusal: null } },
        { service_tier: "flex" },
      ) +
      choiceChunk({
        index: 1,
        delta: { content: "c", images: [1] },
        logprobs: { content: [token("c")], refusal: null },
      }) +
      choiceChunk({
        delta: { content: "b", images: [2] },
        logprobs: { content: [token("b")], refusal: null },
        token_ids: [7],
      }) +
      choiceChunk({ delta: { images: [3] }, token_ids: [8] }, { moderation: { flagged: false } }) +
      choiceChunk({ index: 1, finish_reason: "stop" }) +
      choiceChunk({ finish_reason: "stop" }) +
      done;
    const { value, losses } = await ofChat.collectStream(stream);
    expect(value).toMatchObject({
      service_tier: "flex",
      moderation: { flagged: false },
      choices: [
        {
          index: 0,
          message: { content: "ab", images: [2, 3] },
          logprobs: { content: [token("a"), token("b")], refusal: null },
          token_ids: [7, 8],
        },
        { index: 1, message: { content: "c", images: [1] }, logprobs: { content: [token("c")] } },
      ],
    });
    expect(losses).toEqual([]);
  });

  test("reports what a later chunk replaces, and what only a frame has", async () => {
    const stream =
      choiceChunk({ delta: { content: "a", mood: "fine" } }, { service_tier: "flex" }) +
      choiceChunk({ delta: { mood: "grim", tool_calls: [call(0, "c", "f", "{")] } }, { service_tier: "auto" }) +
      choiceChunk({ delta: { tool_calls: [call(0, undefined, undefined, "}", { note: 1 })] } }) +
      chunk({}) +
      done;
    const { value, losses } = await ofChat.collectStream(stream);
    expect(value).toMatchObject({ service_tier: "auto", choices: [{ message: { mood: "grim" } }] });
    expect(places(losses).sort()).toEqual([
      "field.no_counterpart /events/0/choices/0/delta/mood",
      "field.no_counterpart /events/0/service_tier",
      "field.no_counterpart /events/2/choices/0/delta/tool_calls/0/note",
      "stop.inferred /events/3/choices/0/finish_reason",
    ]);
  });
});

describe("a stream of Messages as a response of its own", () => {
  test("has what its head came to hold, and reports the rest", async () => {
    const container = { id: "container_1", expires_at: "2026-12-01T00:00:00Z" };
    const stream = events(
      start({ future: 1, container: null }),
      { type: "ping" },
      { type: "news", value: 1 },
      block(0, { type: "tool_use", id: "t", name: "f", input: {} }),
      json(0, '{"a":1,"a":2}'),
      { ...stop(0), note: 1 },
      {
        ...finish("tool_use", { container }),
        context_management: { applied_edits: [] },
        input_transformations: [{ a: 1 }],
      },
      end,
    );
    const { value, losses } = await ofAnthropic.collectStream(stream);
    expect(value).toMatchObject({
      future: 1,
      container,
      context_management: { applied_edits: [] },
      input_transformations: [{ a: 1 }],
      content: [{ type: "tool_use", input: { a: 2 } }],
    });
    expect(places(losses).sort()).toEqual([
      "field.no_counterpart /events/5/note",
      "stream.raw /events/2",
      "tool_call.precision /events/4/delta/partial_json",
    ]);
  });
});

describe("arguments that never came", () => {
  const blank = fc.array(fc.constantFrom("", " ", "\n"), { maxLength: 3 });
  const tool = block(0, { type: "tool_use", id: "t", name: "now", input: {} });
  const argumentsOf = (frames: readonly { readonly data: Body }[], path: (delta: Body) => Body): string =>
    frames
      .flatMap(({ data: value }) => value.choices ?? [])
      .map(({ delta }: Body) => path(delta) ?? "")
      .join("");

  test("are an empty object toward Chat, and stay as they are within one protocol", async () => {
    await fc.assert(
      fc.asyncProperty(blank, fc.boolean(), async (pieces, isEnded) => {
        const frames = [
          start(),
          tool,
          ...pieces.map((piece) => json(0, piece)),
          ...(isEnded ? [stop(0)] : []),
          finish("tool_use"),
          end,
        ];
        const stream = events(...frames);
        const { frames: sent } = await converted(stream, anthropic, chat);
        expect(JSON.parse(argumentsOf(sent, (delta) => delta.tool_calls?.[0].function.arguments))).toEqual({});
        const exchange = { from: chat, to: anthropic, functionCalls: true } as const;
        const old = await converted(stream, anthropic, chat, { exchange });
        expect(JSON.parse(argumentsOf(old.frames, (delta) => delta.function_call?.arguments))).toEqual({});
        const { value } = await toChat.collectStream(stream);
        expect(JSON.parse((value as Body).choices[0].message.tool_calls[0].function.arguments)).toEqual({});
        expect((await converted(stream, anthropic, anthropic)).frames.map(({ data: frame }) => frame)).toEqual(frames);
      }),
      { numRuns: 60 },
    );
    const own = chunk({ tool_calls: [call(0, "c", "now", "")] }) + chunk({}, "tool_calls") + done;
    expect(
      argumentsOf((await converted(own, chat, chat)).frames, (delta) => delta.tool_calls?.[0].function.arguments),
    ).toBe("");
  });
});

describe("citations that come late", () => {
  const url = (name: string) => ({
    type: "url_citation",
    url_citation: { url: `https://${name}.example`, start_index: 0, end_index: 1 },
  });
  const others = [
    { content: "y" },
    { refusal: "no" },
    { tool_calls: [call(0, "c", "f", "{}")] },
    { reasoning_content: "hm" },
  ];

  test("are told of in any order, and arrive in a response of Chat", async () => {
    const order = fc.shuffledSubarray([...others, { annotations: [url("a")] }, { annotations: [url("b")] }], {
      minLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(order, async (deltas: readonly Body[]) => {
        const stream =
          chunk({ content: "x" }) + deltas.map((delta) => chunk(delta)).join("") + chunk({}, "stop") + done;
        const { losses } = await converted(stream, chat, anthropic);
        deltas.forEach((delta, index) => {
          if (delta.annotations !== undefined)
            expect(places(losses)).toContain(`citation.foreign /events/${index + 1}/choices/0/delta/annotations/0`);
        });
        const { value } = await ofChat.collectStream(stream);
        for (const { annotations } of deltas)
          if (annotations !== undefined) expect(JSON.stringify(value)).toContain(annotations[0].url_citation.url);
      }),
      { numRuns: 60 },
    );
  });

  test.each([chat, anthropic] as const)("are told of by the encoder of %s where its text has ended", (id) => {
    const encoder = protocolOf(id).createStreamEncoder();
    const place = { at: 1, path: "/x" };
    const citation: Citation =
      id === chat
        ? { type: "url", url: "https://a.example" }
        : { type: "document", citedText: "x", sourceIndex: 0, range: { unit: "character", start: 0, end: 1 } };
    encoder.push([
      { type: "part_start", ...place, index: 0, part: { type: "text", text: "" } },
      { type: "text_delta", ...place, index: 0, text: "x" },
      { type: "part_end", ...place, index: 0 },
      { type: "citation", ...place, index: 0, citation },
    ]);
    expect(encoder.losses.map(({ code }) => code)).toContain("citation.late");
  });
});

test("the text of a free-text tool that stands twice is told of", async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  await fc.assert(
    fc.asyncProperty(name, name, fc.boolean(), async (first, second, isTwice) => {
      const input = isTwice ? `{"input":"${first}","input":"${second}"}` : `{"input":"${second}"}`;
      const stream = events(
        start(),
        block(0, { type: "tool_use", id: "t", name: "cu", input: {} }),
        json(0, input),
        stop(0),
        finish("tool_use"),
        end,
      );
      const exchange = { from: chat, to: anthropic, customTools: ["cu"] } as const;
      const { losses } = await converted(stream, anthropic, chat, { exchange });
      const told = places(losses).filter((place) => place.startsWith("tool_call"));
      expect(told).toEqual(isTwice ? ["tool_call.free_text /events/2/delta/partial_json"] : []);
    }),
    { numRuns: 60 },
  );
});

test.each([chat, anthropic] as const)(
  "bytes of %s that are no UTF-8 are told of at their frame, also within one protocol",
  async (from) => {
    const stream =
      from === chat
        ? chunk({ content: "aQ" }) + chunk({ content: "b\ufffd" }) + chunk({}, "stop") + done
        : events(
            start(),
            block(0, { type: "text", text: "" }),
            text(0, "aQ"),
            text(0, "b\ufffd"),
            stop(0),
            finish("end_turn"),
            end,
          );
    const bytes = new TextEncoder().encode(stream);
    bytes[stream.indexOf("Q")] = 0xff;
    const place = `text.encoding /events/${from === chat ? 0 : 2}`;
    for (const to of [chat, anthropic] as const) {
      const { losses, text: sent } = await converted(bytes, from, to);
      expect(places(losses).filter((item) => item.startsWith("text"))).toEqual([place]);
      expect(sent).toContain('"a\ufffd"');
    }
  },
);

test("arguments that come as text and are read are told of where their text says more", async () => {
  const toAnthropic = createConverter(protocolOf(anthropic), protocolOf(chat));
  const inexact = ['{"a":1,"a":2}', '{"n":12345678901234567890}'];
  const exact = ['{"a":1,"b":2}', '{"n":12345678901234567000}', ""];
  for (const text of [...inexact, ...exact]) {
    const half = text.length >> 1;
    const stream =
      chunk({ tool_calls: [call(0, "c", "f", text.slice(0, half))] }) +
      chunk({ tool_calls: [call(0, undefined, undefined, text.slice(half))] }) +
      chunk({}, "tool_calls") +
      done;
    const told = ["tool_call.precision /events/1/choices/0/delta/tool_calls/0/function/arguments"];
    const { losses } = await toAnthropic.collectStream(stream);
    expect(places(losses).filter((place) => place.startsWith("tool_call"))).toEqual(inexact.includes(text) ? told : []);
    expect((await ofChat.collectStream(stream)).losses).toEqual([]);
  }
});
