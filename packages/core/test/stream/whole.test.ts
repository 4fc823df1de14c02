import { arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import type { Json, Loss, ProtocolId } from "../../src/index.ts";
import { createConverter, ProviderError, RolecallError, withoutWire } from "../../src/index.ts";
import { protocol as anthropicMessages } from "../../src/protocols/anthropic-messages/index.ts";
import { protocol as openaiChat } from "../../src/protocols/openai-chat/index.ts";
import { readCorpus } from "../bodies/bodies.ts";
import { law } from "../laws/law.ts";
import { schemaFindings } from "../vendor-schema.ts";
import { recordedStreams } from "./recordings/recorded.ts";
import type { Body } from "./wire.ts";
import { anthropic, anthropicBlocks, chat, chatCalls, chunk, data, done, framesOf } from "./wire.ts";

const pairs = [
  { from: chat, to: anthropic, service: openaiChat, client: anthropicMessages },
  { from: anthropic, to: chat, service: anthropicMessages, client: openaiChat },
];
const [toAnthropic, toChat] = pairs.map(({ service, client }) => createConverter(client, service)) as [
  ReturnType<typeof createConverter>,
  ReturnType<typeof createConverter>,
];

/** Where a response says a thing and where its stream does, are two places. */
const withoutTarget = (losses: readonly Loss[]) => losses.map(({ targetPath: _target, ...loss }) => loss);

/** Holds the stream that is made of a response against the response. False for a response that cannot be converted at all. */
async function agrees({ service, client }: (typeof pairs)[number], body: Json, name: string): Promise<boolean> {
  const converter = createConverter(client, service);
  let whole: ReturnType<typeof converter.convertResponse>;
  try {
    whole = converter.convertResponse(body as object);
  } catch (error) {
    expect(error, name).toBeInstanceOf(RolecallError);
    expect(() => converter.streamResponse(body as object), name).toThrow((error as Error).message);
    return false;
  }
  const streamed = converter.streamResponse(body as object);
  const { value: message } = await client.decodeStream(streamed.value);
  expect(withoutWire(message), name).toEqual(withoutWire(client.decodeResponse(whole.value as Json).value));
  expect(withoutTarget(streamed.losses), name).toEqual(withoutTarget(whole.losses));
  return true;
}

describe.each(pairs)("a response of $from as a stream of $to", (pair) => {
  law(
    "says what the response says, and loses the same",
    200,
    fc.asyncProperty(arbitraryResponseBody(pair.from as "openai-chat"), async (body: Body) => {
      // An empty refusal is one in a response; in a stream it is what servers write where there is none.
      fc.pre(!body.stop_details || body.stop_details.explanation);
      await agrees(pair, body, "");
    }),
  );
});

const chatResponse: Body = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        reasoning_content: "hm",
        content: "Two cities.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
          { id: "call_2", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      finish_reason: "tool_calls",
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
};

test("clients that read deltas alone get every text and input", () => {
  const { value } = toAnthropic.streamResponse(chatResponse);
  const frames = framesOf(value);
  expect(anthropicBlocks(frames)).toMatchObject([
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "Two cities." },
    { type: "tool_use", id: "call_1", name: "weather", json: '{"city":"Oslo"}' },
    { type: "tool_use", id: "call_2", name: "weather", json: '{"city":"Rome"}' },
  ]);
  expect(frames.map(({ data: { type } }) => type).filter((type) => type !== "content_block_delta")).toEqual([
    "message_start",
    ...Array.from({ length: 4 }, () => ["content_block_start", "content_block_stop"]).flat(),
    "message_delta",
    "message_stop",
  ]);
  expect(frames.at(-2)!.data).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 7 } });
});

describe("toward Chat", () => {
  const response = toAnthropic.convertResponse(chatResponse).value;

  test.each([
    [undefined, true],
    [false, false],
    [true, true],
  ])("where usage was asked for: %s", (includeUsage, told) => {
    const exchange = { from: chat, to: anthropic, stream: true };
    const { value, losses } = toChat.streamResponse(response, {
      exchange: includeUsage === undefined ? exchange : { ...exchange, includeUsage },
    });
    const isTold = includeUsage === undefined ? false : told;
    const frames = framesOf(value);
    expect(chatCalls(frames)).toMatchObject([{ id: "call_1" }, { id: "call_2" }]);
    expect(frames.map(({ data: { usage } }) => usage).filter(Boolean)).toHaveLength(isTold ? 1 : 0);
    expect(losses.filter(({ code }) => code === "usage.not_requested").map(({ path }) => path)).toEqual(
      isTold ? [] : ["/usage"],
    );
    expect(frames.at(-1)!.data).toBe("[DONE]");
  });
});

describe("a stream as a response", () => {
  const stream =
    chunk({ role: "assistant", content: "Hi " }) +
    chunk({ content: "there" }, "stop") +
    data({ id: "c1", choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }) +
    done;

  test("has all that a response has, usage included", async () => {
    const { value } = await toAnthropic.collectStream(stream);
    expect(value).toMatchObject({
      type: "message",
      content: [{ type: "text", text: "Hi there" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 2 },
    });
    const exchange = { from: chat, to: anthropic, includeUsage: false } as const;
    const back = await toChat.collectStream(toAnthropic.streamResponse(chatResponse).value, { exchange });
    expect(schemaFindings(chat, "response", back.value)).toEqual([]);
    expect(back.value["usage"]).toMatchObject({ prompt_tokens: 5, completion_tokens: 7 });
    expect(back.losses.map(({ code }) => code)).not.toContain("usage.not_requested");
  });

  test("reports what the stream lost, with the place in the stream", async () => {
    const strange = stream.replace('"index":0', '"index":0,"strange":1');
    const { losses } = await toAnthropic.collectStream(strange);
    expect(losses).toContainEqual(expect.objectContaining({ path: "/events/0/choices/0/strange", kind: "dropped" }));
  });

  test.each([
    [chunk({ content: "a" }) + data({ error: { message: "slow down", type: "rate_limit_error" } }), "rate_limit"],
    [chunk({ content: "a" }), "server"],
    ["", "server"],
  ])("%j is an error", async (failing, kind) => {
    const failure = await toAnthropic.collectStream(failing).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderError);
    expect((failure as ProviderError).kind).toBe(kind);
  });
});

describeWithCorpus("recorded answers", (folder) => {
  const { responses } = readCorpus(folder);

  test.each(pairs)("responses of $from as streams of $to", { timeout: 60_000 }, async (pair) => {
    let count = 0;
    for (const { path, protocol, body } of responses)
      if (protocol === pair.from && (await agrees(pair, body, path))) count++;
    expect(count).toBeGreaterThan(300);
  });

  test.each(pairs)(
    "streams of $from as responses of $to",
    { timeout: 60_000 },
    async ({ from, to, client, service }) => {
      const converter = createConverter(client, service);
      let count = 0;
      for (const { name, text } of recordedStreams(folder, from as ProtocolId)) {
        const { value: message } = await service.decodeStream(text);
        const collected = converter.collectStream(text);
        if (message.stopReason === "error" && message.error !== undefined) {
          await expect(collected, name).rejects.toBeInstanceOf(ProviderError);
          continue;
        }
        const { value } = await collected.catch((error: unknown) => {
          throw new Error(`${name}: ${(error as Error).message}`);
        });
        expect(schemaFindings(to, "response", value), name).toEqual([]);
        count++;
      }
      expect(count).toBeGreaterThan(100);
    },
  );
});
