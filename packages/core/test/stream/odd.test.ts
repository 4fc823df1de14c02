import { describe, expect, test } from "vitest";
import { loadProtocol } from "../../src/index.ts";
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
  framesOf,
  json,
  start,
  stop,
  text,
} from "./wire.ts";

const sources = {
  [chat]:
    chunk({
      role: "assistant",
      reasoning: "hm",
      reasoning_details: [{ type: "reasoning.text", text: "hm", index: 0 }],
    }) +
    chunk({
      content: "Hi",
      annotations: [{ type: "url_citation", url_citation: { url: "https://a.b", start_index: 0, end_index: 2 } }],
    }) +
    chunk({
      content: [
        { type: "text", text: "a" },
        { type: "thinking", thinking: [{ type: "text", text: "b" }] },
      ],
    }) +
    chunk({ refusal: "no", function_call: { name: "old", arguments: "{}" } }) +
    chunk({
      tool_calls: [
        call(0, "a", "f", '{"x":'),
        { index: 1, id: "b", type: "custom", custom: { name: "g", input: "i" } },
      ],
    }) +
    chunk({ tool_calls: [call(0, undefined, undefined, "1}")] }) +
    chunk({}, "tool_calls", {
      usage: { prompt_tokens: 4, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
    }) +
    done,
  [anthropic]: events(
    start({ usage: { input_tokens: 3, cache_creation: { ephemeral_5m_input_tokens: 1 }, output_tokens: 1 } }),
    block(0, { type: "thinking", thinking: "", signature: "" }),
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
    stop(0),
    block(1, { type: "text", text: "", citations: [] }),
    text(1, "Hi"),
    {
      type: "content_block_delta",
      index: 1,
      delta: {
        type: "citations_delta",
        citation: { type: "char_location", cited_text: "a", document_index: 0, start_char_index: 0, end_char_index: 1 },
      },
    },
    stop(1),
    block(2, { type: "tool_use", id: "t1", name: "f", input: {} }),
    json(2, '{"x":1}'),
    stop(2),
    block(3, { type: "server_tool_use", id: "s1", name: "web_search", input: {} }),
    json(3, '{"query":"q"}'),
    stop(3),
    finish("refusal", { stop_details: { type: "refusal", category: "bio", explanation: "no" } }),
    end,
  ),
};

const oddValues: readonly Body[] = [null, true, 0, -1, 1e300, "", "x", "\ud83d", [], ["x"], {}, { x: [null] }];

/** The value with each of its places replaced, removed, or with an odd key beside it. */
function* mutations(value: Body): Generator<Body> {
  for (const odd of oddValues) yield odd;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const copy = (): Body => (Array.isArray(value) ? [...value] : { ...value });
    for (const inner of mutations(value[key])) yield Object.assign(copy(), { [key]: inner });
    const without = copy();
    if (Array.isArray(without)) without.splice(Number(key), 1);
    else delete without[key];
    yield without;
  }
  if (Array.isArray(value)) return;
  yield JSON.parse(`{"__proto__":{"polluted":1},"constructor":1,${JSON.stringify(value).slice(1)}`.replace(",}", "}"));
}

describe("odd streams", () => {
  for (const [from, to] of [
    [chat, anthropic],
    [anthropic, chat],
  ] as const) {
    test(`${from}: any place may hold anything`, { timeout: 60_000 }, async () => {
      const [source, target] = await Promise.all([loadProtocol(from), loadProtocol(to)]);
      const frames = framesOf(sources[from]);
      let count = 0;
      for (const [index, frame] of frames.entries()) {
        if (typeof frame.data === "string") continue;
        for (const mutated of mutations(frame.data)) {
          count++;
          const decoder = source.createStreamDecoder();
          const encoders = [target.createStreamEncoder(), source.createStreamEncoder()];
          const written = encoders.map(() => [] as string[]);
          const push = (list: Parameters<(typeof encoders)[number]["push"]>[0]): void => {
            encoders.forEach((encoder, at) => {
              for (const out of encoder.push(list)) written[at]!.push(out.data);
            });
          };
          frames.forEach((other, at) => {
            const body = at === index ? mutated : other.data;
            push(
              decoder.push({
                ...(other.event !== undefined && { event: other.event }),
                data: typeof body === "string" && at !== index ? body : JSON.stringify(body),
              }),
            );
          });
          push(decoder.finish());
          for (const out of written.flat()) if (out !== "[DONE]") JSON.parse(out);
          expect(written[0]!.length).toBeGreaterThan(0);
        }
      }
      expect(count).toBeGreaterThan(1000);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    });

    test(`${from}: cut at any byte, it ends in an error or well, and never in between`, async () => {
      const bytes = new TextEncoder().encode(sources[from]);
      for (let at = 0; at < bytes.length; at += 13) {
        const { frames } = await converted(bytes.subarray(0, at), from, to);
        const last = frames.at(-1)!;
        const isGood = last.data === "[DONE]" || last.event === "message_stop";
        expect(isGood || last.data.error !== undefined, `cut at ${at}`).toBe(true);
      }
    });
  }

  test("what is no stream at all ends in an error", async () => {
    const page = "<html>502 Bad Gateway</html>";
    for (const source of [
      "",
      page,
      data("x"),
      data([]),
      data(7),
      '{"error":{"message":"no"}}',
      data({ error: "boom" }),
    ]) {
      for (const [from, to] of [
        [chat, anthropic],
        [anthropic, chat],
      ] as const) {
        const { frames } = await converted(source, from, to);
        expect(frames.at(-1)?.data.error, source).toBeTypeOf("object");
      }
    }
  });

  test("a frame of any depth is refused, not followed", async () => {
    const deep = `data: {"id":"c1","choices":[{"index":0,"delta":{"content":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}\n\n`;
    const { frames } = await converted(deep, chat, anthropic);
    expect(frames.at(-1)?.event).toBe("error");
  });
});
