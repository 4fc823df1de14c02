import type { Json, JsonObject, Profile, ProtocolId, Usage } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { readCorpus } from "../bodies/bodies.ts";
import { protocolOf } from "../protocols.ts";

const chat = protocolOf("openai-chat");
const anthropic = protocolOf("anthropic-messages");

const chatAnswer = (usage?: Json): Json => ({
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }],
  ...(usage !== undefined && { usage }),
});
const anthropicAnswer = (usage?: Json): Json => ({
  id: "1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "x" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  ...(usage !== undefined && { usage }),
});

/** The counts alone. */
function counts({ raw: _raw, wire: _wire, ...usage }: Usage): object {
  return usage;
}

describe("Chat counts cached tokens inside the prompt", () => {
  test.each<[name: string, usage: Json, expected: object]>([
    [
      "everything",
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      { input: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 15, totalTokens: 120 },
    ],
    [
      "what is not reported is zero, and said to be not reported",
      { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      { input: 7, cacheRead: 0, cacheWrite: 0, output: 3, totalTokens: 10, unreported: ["cacheRead", "cacheWrite"] },
    ],
    [
      "a reported zero is a zero",
      {
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      },
      { input: 7, cacheRead: 0, cacheWrite: 0, output: 3, totalTokens: 10 },
    ],
    [
      "a server that counts cached tokens beside the prompt: there are more than it has",
      {
        prompt_tokens: 10,
        completion_tokens: 1,
        total_tokens: 61,
        prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 0 },
      },
      { input: 10, cacheRead: 50, cacheWrite: 0, output: 1, totalTokens: 61 },
    ],
    [
      "a server that counts reasoning beside the completion: its total tells",
      {
        prompt_tokens: 49,
        completion_tokens: 32,
        total_tokens: 264,
        prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 183 },
      },
      { input: 42, cacheRead: 7, cacheWrite: 0, output: 215, reasoning: 183, totalTokens: 264 },
    ],
    [
      "the service's own total wins over the sum",
      {
        prompt_tokens: 10,
        completion_tokens: 1,
        total_tokens: 20,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      },
      { input: 10, cacheRead: 0, cacheWrite: 0, output: 1, totalTokens: 20 },
    ],
  ])("%s", (_name, usage, expected) => {
    expect(counts(chat.decodeResponse(chatAnswer(usage)).value.usage)).toEqual(expected);
  });
});

describe("Messages counts cached tokens beside the input", () => {
  test.each<[name: string, usage: Json, expected: object]>([
    [
      "everything",
      {
        input_tokens: 10,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
        output_tokens: 20,
        output_tokens_details: { thinking_tokens: 15 },
      },
      {
        input: 10,
        cacheRead: 60,
        cacheWrite: 30,
        cacheWrite1h: 10,
        cacheWriteByTtl: { "5m": 20, "1h": 10 },
        output: 20,
        reasoning: 15,
        totalTokens: 120,
      },
    ],
    [
      "null is not reported",
      { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: null, cache_creation_input_tokens: null },
      { input: 7, cacheRead: 0, cacheWrite: 0, output: 3, totalTokens: 10, unreported: ["cacheRead", "cacheWrite"] },
    ],
    [
      "the times to live give the sum",
      {
        input_tokens: 1,
        output_tokens: 1,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
      },
      {
        input: 1,
        cacheRead: 0,
        cacheWrite: 9,
        cacheWrite1h: 5,
        cacheWriteByTtl: { "5m": 4, "1h": 5 },
        output: 1,
        totalTokens: 11,
      },
    ],
  ])("%s", (_name, usage, expected) => {
    expect(counts(anthropic.decodeResponse(anthropicAnswer(usage)).value.usage)).toEqual(expected);
  });
});

test("an answer without usage reports nothing", () => {
  for (const answer of [chat.decodeResponse(chatAnswer()).value, anthropic.decodeResponse(anthropicAnswer()).value]) {
    expect(answer.usage.totalTokens).toBe(0);
    expect(answer.usage.unreported).toEqual(["input", "output", "cacheRead", "cacheWrite", "totalTokens"]);
    expect(answer.usage.raw).toBeUndefined();
  }
});

test("the service's own object stands beside the counts", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, queue_time: 0.5 };
  expect(chat.decodeResponse(chatAnswer(usage)).value.usage.raw).toEqual(usage);
});

describe("usage in streams of Chat", () => {
  const ask = { model: "m", max_tokens: 9, stream: true, messages: [{ role: "user", content: "x" }] };
  const streamOptions = async (body: JsonObject, from: ProtocolId, target: Profile = {}) => {
    const { value, losses } = await convertRequest(body, { from, to: "openai-chat", target });
    return { sent: value["stream_options"], lost: losses.map(({ code, path }) => `${code} ${path}`) };
  };

  test("is asked for where the client's own protocol tells it unasked", async () => {
    expect(await streamOptions(ask, "anthropic-messages")).toEqual({ sent: { include_usage: true }, lost: [] });
    const { value } = await convertRequest(
      { ...ask, stream: false },
      { from: "anthropic-messages", to: "openai-chat" },
    );
    expect(value).not.toHaveProperty("stream_options");
    expect(await streamOptions(ask, "openai-chat")).toEqual({ sent: undefined, lost: [] });
  });

  test("is not asked for where the server refuses the option", async () => {
    const target = { provider: "mistral" };
    expect(await streamOptions(ask, "anthropic-messages", target)).toEqual({ sent: undefined, lost: [] });
    const asking = { ...ask, stream_options: { include_usage: true } };
    expect(await streamOptions(asking, "openai-chat", target)).toEqual({
      sent: undefined,
      lost: ["setting.no_counterpart /stream_options"],
    });
  });
});

describeWithCorpus("recorded usage", (folder) => {
  const { responses } = readCorpus(folder);
  const usages = responses.flatMap(({ path, protocol, body }) => {
    try {
      return [{ path, usage: protocolOf(protocol).decodeResponse(body).value.usage }];
    } catch {
      return []; // Bodies that are none are listed where bodies go to their own protocol.
    }
  });

  test(`none of ${usages.length} has a bucket below zero, and reasoning is inside the output`, () => {
    const odd = usages.filter(
      ({ usage: { input, output, cacheRead, cacheWrite, reasoning = 0 } }) =>
        [input, output, cacheRead, cacheWrite].some((count) => count < 0) || reasoning > output,
    );
    expect(odd.map(({ path, usage }) => `${path} ${JSON.stringify(counts(usage))}`)).toEqual([]);
  });
});
