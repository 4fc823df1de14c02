import { describe, expect, test } from "vitest";
import type { Exchange } from "../../src/index.ts";
import { convertRequest, convertStream, createConverter, LossError, reduce, StreamError } from "../../src/index.ts";
import { anthropicMessages } from "../../src/protocols/anthropic-messages/index.ts";
import { openaiChat } from "../../src/protocols/openai-chat/index.ts";
import type { Body } from "./wire.ts";
import {
  anthropic,
  anthropicBlocks,
  block,
  call,
  chat,
  chatCalls,
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

const hello = events(start(), block(0, { type: "text", text: "" }), text(0, "Hi"), stop(0), finish("end_turn"), end);

/** The exchange of a request of Chat that went to Anthropic, after a restart. */
async function exchangeOf(request: Body): Promise<Exchange> {
  const body = { model: "m", messages: [{ role: "user", content: "q" }], ...request };
  return JSON.parse(JSON.stringify((await convertRequest(body, { from: chat, to: anthropic })).exchange));
}

describe("convertStream", () => {
  test("takes a stream in every form", async () => {
    const bytes = new TextEncoder().encode(hello);
    const expected = (await converted(hello, anthropic, chat)).text;
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    }
    for (const source of [bytes, chunks(), new Blob([bytes]).stream() as ReadableStream<Uint8Array>, [...hello]])
      expect((await converted(source, anthropic, chat)).text).toBe(expected);
  });

  test("works with protocols that are already loaded", async () => {
    let all = "";
    for await (const piece of createConverter(openaiChat, anthropicMessages).convertStream(hello)) all += piece;
    expect(all).toBe((await converted(hello, anthropic, chat)).text);
  });

  test("reads no more than is asked for", async () => {
    let read = 0;
    let ended = false;
    async function* endless() {
      try {
        yield events(start(), block(0, { type: "text", text: "" }));
        for (;;) {
          read++;
          yield events(text(0, "a"));
        }
      } finally {
        ended = true;
      }
    }
    const stream = convertStream(endless(), { from: anthropic, to: chat });
    const seen: string[] = [];
    for await (const piece of stream) if (seen.push(piece) === 4) break;
    expect(read).toBeLessThanOrEqual(4);
    expect(ended).toBe(true);
    expect(await stream.report).toEqual([]);
  });

  test("gives each piece without waiting for the next", async () => {
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slow() {
      yield chunk({ content: "a" });
      await waiting;
      yield chunk({}, "stop") + done;
    }
    for (const to of [chat, anthropic]) {
      const iterator = convertStream(slow(), { from: chat, to })[Symbol.asyncIterator]();
      const first = await iterator.next();
      expect(first.value).toContain('"a"');
      await iterator.return?.();
    }
    release();
  });

  test("ends with the reason of its signal, also while the source hangs", async () => {
    const controller = new AbortController();
    async function* hanging(): AsyncGenerator<string> {
      yield chunk({ content: "a" });
      await new Promise(() => {});
    }
    const stream = convertStream(hanging(), { from: chat, to: anthropic, signal: controller.signal });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    const pending = iterator.next();
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(await stream.report).toMatchObject([{ code: "response.time" }]);
  });

  test("tells the client of a source that breaks", async () => {
    async function* broken(): AsyncGenerator<string> {
      yield chunk({ content: "a" });
      throw new Error("connection reset by 10.0.0.1");
    }
    const { frames, text: all } = await converted(broken(), chat, anthropic);
    expect(frames.at(-1)).toMatchObject({ event: "error", data: { error: { type: "api_error" } } });
    expect(all).not.toContain("10.0.0.1");
    async function* again(): AsyncGenerator<string> {
      yield hello.slice(0, 40);
      throw new Error("reset");
    }
    expect((await converted(again(), anthropic, chat)).frames).toMatchObject([{ data: { error: {} } }]);
  });

  test("throws where nothing can be told any more", async () => {
    async function* late(): AsyncGenerator<string> {
      yield chunk({ content: "a" }) + data({ error: { message: "boom" } });
      throw new Error("reset");
    }
    await expect(converted(late(), chat, anthropic)).rejects.toThrow(StreamError);
  });

  test("settles the report of a stream that nobody reads", async () => {
    const stream = convertStream(hello, { from: anthropic, to: chat });
    await stream[Symbol.asyncIterator]().return?.();
    expect(await stream.report).toEqual([]);
    await expect(converted(hello, "nothing" as typeof chat, chat)).rejects.toThrow(/unknown protocol/);
  });

  test("obeys the policy on losses", async () => {
    const source = events(start(), block(0, { type: "thinking", thinking: "" }), {
      type: "content_block_delta",
      index: 0,
      delta: { type: "thinking_delta", thinking: "hm" },
    });
    const stream = convertStream(source, { from: anthropic, to: chat, onLoss: "throw" });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow(LossError);
    expect(await stream.report).toMatchObject([{ code: "reasoning.foreign", path: "/events/2/delta/thinking" }]);
  });

  test("is pushed by callers that have no source to loop over", async () => {
    const stream = createConverter(openaiChat, anthropicMessages).createStreamConversion();
    let all = "";
    for (const piece of hello) all += stream.push(piece);
    expect(stream.over).toBe(false);
    all += stream.finish();
    expect(all).toBe((await converted(hello, anthropic, chat)).text);
    expect(stream).toMatchObject({ over: true, losses: [] });
  });

  test("tells the client of a piece that cannot be read, and is over", () => {
    const stream = createConverter(anthropicMessages, openaiChat).createStreamConversion();
    expect(stream.push(chunk({ content: "Hi" }))).toContain('"text":"Hi"');
    const frames = framesOf(stream.push(`data: ${"x".repeat(65 << 20)}`));
    expect(frames.at(-1)).toMatchObject({ event: "error", data: { type: "error" } });
    expect(stream.over).toBe(true);
  });

  test("throws losses that the policy refuses to whoever pushes", () => {
    const stream = createConverter(openaiChat, anthropicMessages).createStreamConversion({ onLoss: "throw" });
    const strange = events(start(), { type: "content_block_start", index: 0, content_block: { type: "strange" } });
    expect(() => stream.push(strange)).toThrow(LossError);
    expect(stream.over).toBe(true);
    expect(stream.losses.length).toBeGreaterThan(0);
  });

  test("tells losses in a comment before the end, without content", async () => {
    const { text: all, losses } = await converted(chunk({ content: "secret" }, "stop") + done, chat, anthropic);
    const comments = all.split("\n").filter((line) => line.startsWith(":"));
    expect(comments).toHaveLength(1);
    expect(comments[0]).toMatch(/^: rolecall-losses worst=info, total=2, .*response\.time;n=1/);
    expect(comments[0]).not.toContain("secret");
    expect(losses).toHaveLength(2);
    expect(all.indexOf(": rolecall-losses")).toBeLessThan(all.indexOf("message_delta"));
    expect((await converted(hello, anthropic, chat)).text).not.toContain("rolecall-losses");
    // Clients of Gemini take a comment for a chunk that is cut.
    const google = await converted(chunk({ content: "secret" }, "stop") + done, chat, "gemini-generate-content");
    expect(google.text).not.toMatch(/^:/m);
    expect(google.losses.length).toBeGreaterThan(0);
  });

  test("sends usage to a client of Chat that asked for it", async () => {
    const asked = await exchangeOf({ stream: true, stream_options: { include_usage: true } });
    const silent = await exchangeOf({ stream: true });
    const usageOf = ({ frames }: { readonly frames: readonly Body[] }) => frames.filter(({ data }) => data.usage);
    expect(usageOf(await converted(hello, anthropic, chat, { exchange: asked }))).toHaveLength(1);
    const without = await converted(hello, anthropic, chat, { exchange: silent });
    expect(usageOf(without)).toEqual([]);
    expect(without.losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "usage.not_requested /events/0/message/usage",
      "usage.not_requested /events/4/usage",
    ]);
    expect(without.frames.at(-1)?.data).toBe("[DONE]");
  });

  test("tells in each frame with counts which one no frame has", async () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 2 } };
    const last = { ...finish("end_turn"), usage };
    const stream = events(start({ usage }), block(0, { type: "text", text: "" }), text(0, "Hi"), stop(0), last, end);
    const { losses } = await converted(stream, anthropic, chat);
    expect(losses.filter(({ code }) => code === "field.absent").map(({ path }) => path)).toEqual([
      "/events/0/message/usage/cache_creation_input_tokens",
      "/events/4/usage/cache_creation_input_tokens",
    ]);
  });

  test("gives names and custom tools back", async () => {
    const exchange = await exchangeOf({
      tools: [
        { type: "function", function: { name: "a.b/c", parameters: { type: "object" } } },
        { type: "custom", custom: { name: "shell" } },
      ],
    });
    const sent = Object.keys(exchange.toolNames ?? {})[0];
    const source = events(
      start(),
      block(0, { type: "tool_use", id: "t1", name: sent, input: {} }),
      json(0, '{"x":1}'),
      stop(0),
      block(1, { type: "tool_use", id: "t2", name: "shell", input: {} }),
      json(1, '{"input":"ls '),
      json(1, '-l\\n"}'),
      stop(1),
      finish("tool_use"),
      end,
    );
    const { frames } = await converted(source, anthropic, chat, { exchange });
    expect(chatCalls(frames)[0]).toMatchObject({ id: "t1", name: "a.b/c", arguments: '{"x":1}' });
    const custom = frames
      .flatMap(({ data }) => data.choices?.[0]?.delta?.tool_calls ?? [])
      .filter((item) => item.custom);
    expect(custom[0]).toMatchObject({ index: 1, id: "t2", type: "custom", custom: { name: "shell" } });
    expect(custom.map((item) => item.custom.input).join("")).toBe("ls -l\n");
  });

  test("shows reasoning to a client of Chat whose profile names the field", async () => {
    const source = events(
      start(),
      block(0, { type: "thinking", thinking: "" }),
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      stop(0),
      finish("end_turn"),
      end,
    );
    const target = { reasoningField: "reasoning_content" } as const;
    const { frames, losses } = await converted(source, anthropic, chat, { target });
    expect(frames.map(({ data }) => data.choices?.[0]?.delta?.reasoning_content ?? "").join("")).toBe("hm");
    expect(losses).toEqual([]);
    expect((await converted(source, anthropic, chat)).losses.map((loss) => loss.code)).toEqual(["reasoning.foreign"]);
  });

  test("gives the first of several candidates to Anthropic, and all of them to the IR", async () => {
    const other = (delta: Body, reason: string | null = null): string =>
      chunk({}, null, { choices: [{ index: 1, delta, finish_reason: reason }] });
    const source = chunk({ content: "a" }) + other({ content: "b" }) + chunk({}, "stop") + other({}, "length") + done;
    const { frames, losses } = await converted(source, chat, anthropic);
    expect(anthropicBlocks(frames)).toMatchObject([{ text: "a" }]);
    expect(losses.filter((loss) => loss.code === "response.alternatives").map((loss) => loss.path)).toEqual([
      "/events/1/choices/0",
      "/events/3/choices/0",
    ]);
    expect((await converted(source, chat, chat)).frames).toHaveLength(5);
  });

  test("keeps what Anthropic alone knows in its own protocol, and reports it across", async () => {
    const source = events(
      start(),
      block(0, { type: "compaction", content: null }),
      { type: "content_block_delta", index: 0, delta: { type: "compaction_delta", content: "short" } },
      stop(0),
      { type: "new_event", x: 1 },
      block(1, { type: "text", text: "", future: 1 }),
      { type: "content_block_delta", index: 1, delta: { type: "future_delta", y: 2 } },
      stop(1),
      finish("end_turn"),
      end,
    );
    const same = await converted(source, anthropic, anthropic);
    expect(same.losses).toEqual([]);
    expect(same.text).toBe(source);
    const { losses } = await converted(source, anthropic, chat);
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "part.opaque /events/1/content_block",
      "stream.raw /events/2/delta",
      "stream.raw /events/4",
      "field.no_counterpart /events/5/content_block/future",
      "stream.raw /events/6/delta",
    ]);
    const { value } = await anthropicMessages.decodeStream(source);
    expect(value.content[0]).toMatchObject({ type: "opaque", value: { type: "compaction", content: "short" } });
  });

  test("shows edits of events in a stream of the same protocol", () => {
    const decoder = anthropicMessages.createStreamDecoder();
    const encoder = anthropicMessages.createStreamEncoder();
    const frames = hello
      .split("\n\n")
      .filter(Boolean)
      .map((frame) => ({ data: frame.slice(frame.indexOf("data: ") + 6) }));
    const written = frames.flatMap((frame) =>
      encoder.push(
        decoder
          .push(frame)
          .map((event) => (event.type === "text_delta" ? { ...event, text: event.text.toUpperCase() } : event)),
      ),
    );
    expect(written.map((frame) => frame.data)).toEqual(frames.map((frame) => frame.data.replace('"Hi"', '"HI"')));
  });

  test("builds a message from events alone", () => {
    const place = { at: 0, path: "" };
    const message = reduce(
      [
        { type: "part_start", index: 0, part: { type: "text", text: "" }, ...place },
        { type: "text_delta", index: 0, text: "a", ...place },
        { type: "stop", stopReason: "stop", ...place },
        { type: "done", ...place },
      ],
      chat,
    );
    expect(message).toMatchObject({ api: chat, content: [{ type: "text", text: "a" }], stopReason: "stop" });
  });

  test("carries the free text of a custom call as a JSON string", async () => {
    const custom = (index: number, more: Body): Body => ({ index, type: "custom", ...more });
    const source =
      chunk({ tool_calls: [custom(0, { id: "c1", custom: { name: "shell", input: 'ls "' } })] }) +
      chunk({ tool_calls: [custom(0, { custom: { input: '\n🌍"' } })] }) +
      chunk({ tool_calls: [call(1, "c2", "f", "{}")] }, "tool_calls") +
      done;
    const { frames } = await converted(source, chat, anthropic);
    const blocks = anthropicBlocks(frames);
    expect(JSON.parse(blocks[0].json)).toEqual({ input: 'ls "\n🌍"' });
    expect(blocks[1]).toMatchObject({ name: "f", json: "{}" });
  });
});
