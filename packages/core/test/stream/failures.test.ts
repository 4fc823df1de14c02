import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, ProtocolId } from "../../src/index.ts";
import { createConverter, loadProtocol, valueAt } from "../../src/index.ts";
import type { Body } from "./wire.ts";
import {
  anthropic,
  block,
  chat,
  chunk,
  converted,
  data,
  done,
  end,
  events,
  finish,
  start,
  stop,
  text,
} from "./wire.ts";

const begun = {
  [chat]: chunk({ role: "assistant", content: "I" }),
  [anthropic]: events(start(), block(0, { type: "text", text: "" }), text(0, "I")),
};
const whole = {
  [chat]: begun[chat] + chunk({}, "stop") + done,
  [anthropic]: begun[anthropic] + events(stop(0), finish("end_turn"), end),
};
type Id = keyof typeof begun;
const pairs: readonly (readonly [Id, Id])[] = [
  [chat, anthropic],
  [anthropic, chat],
  [chat, chat],
  [anthropic, anthropic],
];

/** Each text and number of an error, with its pointer. */
function leaves(value: Json, pointer: string): (readonly [string, Json])[] {
  if (value === null || value === "") return [];
  if (typeof value !== "object") return [[pointer, value]];
  return Object.entries(value).flatMap(([key, item]) => leaves(item as Json, `${pointer}/${key}`));
}

const word = fc.stringMatching(/^[a-z]{6,9}$/);
const extra = fc.oneof(
  word,
  fc.integer({ min: 1000, max: 99999 }),
  fc.record({ a: word }),
  fc.array(word, { maxLength: 2 }),
);
const more = fc.dictionary(fc.constantFrom("details", "error_code", "param", "code", "extra", "metadata"), extra);

/** An error as each protocol tells it within a stream, and where its words stand. */
function frames(id: Id, error: Body, beside: Body): Body[] {
  if (id === anthropic) return [{ type: "error", error, ...beside }];
  return [
    { error, ...beside },
    {
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta: {}, finish_reason: null, error }],
    },
    { object: "error", ...error },
  ];
}

const written = (id: Id, frame: Body): string => (id === anthropic ? events(frame) : data(frame));

describe.each(pairs)("an error within a stream of %s for a client of %s", (from, to) => {
  test("shows, or is told, field by field", async () => {
    await fc.assert(
      fc.asyncProperty(more, fc.dictionary(fc.constantFrom("request_id", "other"), word), async (fields, beside) => {
        const error = { type: "overloaded_error", message: "too much", ...fields };
        for (const frame of frames(from, error, beside)) {
          const source = begun[from] + written(from, frame);
          const { text: sent, losses } = await converted(source, from, to);
          const at = from === chat ? 1 : 3;
          for (const [pointer, value] of leaves(frame, `/events/${at}`)) {
            if (/\/(?:object|type|id|created|model|index)$/.test(pointer)) continue;
            const isShown = sent.includes(JSON.stringify(value));
            const isTold = losses.some(
              ({ path }) => path !== "" && (pointer === path || pointer.startsWith(`${path}/`)),
            );
            expect([pointer, isShown || isTold]).toEqual([pointer, true]);
          }
          for (const { path } of losses.filter((loss) => loss.path.startsWith(`/events/${at}/`)))
            expect(valueAt({ events: { [at]: frame } } as Json, path), path).toBeDefined();
        }
      }),
      { numRuns: 100 },
    );
  });

  test("comes after no complete answer, wherever its source breaks off", async () => {
    const expected = (await converted(whole[from], from, to)).text;
    const pieces = whole[from].split(/(?<=\n\n)/);
    async function* broken(): AsyncGenerator<string> {
      yield* pieces;
      throw new Error("ECONNRESET");
    }
    expect((await converted(broken(), from, to)).text).toBe(expected);
    const [client, service] = [await loadProtocol(to), await loadProtocol(from)];
    const collected = createConverter(client, service).collectStream(broken());
    expect((await collected).value).toEqual((await createConverter(client, service).collectStream(whole[from])).value);
    expect((await service.decodeStream(broken())).value.stopReason).toBe("stop");
    for (let count = 1; count < pieces.length - 1; count++) {
      async function* early(): AsyncGenerator<string> {
        yield* pieces.slice(0, count);
        throw new Error("ECONNRESET");
      }
      expect((await converted(early(), from, to)).text).toContain("the source of the stream failed");
    }
  });

  test("has the text of what came in place of a stream", async () => {
    const tell = async (source: string): Promise<Body> => (await converted(source, from, to)).frames.at(-1)?.data.error;
    const json = { error: { message: "no such model", type: "not_found_error" } };
    for (const body of [JSON.stringify(json), JSON.stringify(json, undefined, 2)])
      expect(await tell(body)).toMatchObject({ message: "no such model" });
    const page = `<html>\n<body>502 Bad Gateway</body>\n${"<p>x</p>\n".repeat(10_000)}`;
    const { message } = await tell(page);
    expect(message).toContain("502 Bad Gateway");
    expect(message.length).toBeLessThanOrEqual(500);
    expect((await tell('{"id":"x","content":[]}')).message).toContain("not a stream of server-sent events");
    expect((await tell(": a comment\n\n")).message).toBe("the stream ended before the answer was complete");
  });

  test("says that a frame nests too deep, and where", async () => {
    const deep = `${"[".repeat(600)}${"]".repeat(600)}`;
    const frame = from === anthropic ? `event: ping\ndata: {"type":"ping","x":${deep}}\n\n` : `data: {"x":${deep}}\n\n`;
    const { frames: got } = await converted(begun[from] + frame, from, to);
    const at = from === chat ? 1 : 3;
    expect(got.at(-1)?.data.error.message).toMatch(new RegExp(`^the frame /events/${at} .*512 levels \\(below /x/0`));
  });
});

test.each<[ProtocolId, Body]>([
  [chat, { model: "m", messages: [{ role: "user", content: "x" }] }],
  [anthropic, { model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] }],
])("a request of %s that nests too deep says where", async (id, body) => {
  const converter = createConverter(await loadProtocol(id), await loadProtocol(id));
  const deep = `${"[".repeat(600)}${"]".repeat(600)}`;
  const request = JSON.stringify({ ...body, metadata: { a: ["deep"] } }).replace('"deep"', deep);
  expect(() => converter.convertRequest(request)).toThrow(
    expect.objectContaining({ path: "/metadata/a/0/0/0/0", message: expect.stringContaining("512 levels") }),
  );
});

describe("behind the frames of a stream", () => {
  const google = data({ candidates: [{ content: { role: "model", parts: [{ text: "I" }] }, finishReason: "STOP" }] });
  const bare = JSON.stringify({ error: { code: 499, message: "cancelled", status: "CANCELLED" } }, null, 2);

  test.each([anthropic, chat] as const)("an error that stands bare is told to a client of %s", async (to) => {
    const { text: sent } = await converted(`${google}${bare}\n`, "gemini-generate-content", to);
    expect(sent).toContain("cancelled");
    expect(sent).not.toMatch(/message_stop|DONE|"finish_reason":"/);
  });

  test.each(["{}", '{"error":null}', "{", "end", bare.slice(0, -2)])("%s changes nothing", async (rest) => {
    const { text: sent } = await converted(google, "gemini-generate-content", anthropic);
    expect((await converted(`${google}${rest}\n`, "gemini-generate-content", anthropic)).text).toBe(sent);
  });
});
