import type { JsonObject } from "@rolecall/core";
import { HistoryCache } from "@rolecall/core";
import { afterEach, expect, test, vi } from "vitest";
import { anthropicText, chatText, json } from "./service.ts";
import { post, start } from "./start.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const long = 'A line of a file with "quotes" and é.\n'.repeat(400);
const history: readonly JsonObject[] = Array.from({ length: 6 }, (_, index) => [
  { role: "assistant", content: [{ type: "tool_use", id: `toolu_${index}`, name: "read", input: { path: "a" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${index}`, content: long }] },
]).flat();

/** Turn N of an agent: the whole history, with a mark that moves on. */
function turn(number: number): JsonObject {
  const messages = [{ role: "user", content: "Go." }, ...history.slice(0, number * 2)];
  const last = messages.at(-1) as { readonly content: readonly JsonObject[] | string };
  const content = Array.isArray(last.content)
    ? last.content.map((block) => ({ ...block, cache_control: { type: "ephemeral" } }))
    : last.content;
  return {
    model: "claude-opus-4-8",
    max_tokens: 64,
    system: long,
    tools: [{ name: "read", input_schema: { type: "object" } }],
    messages: [...messages.slice(0, -1), { role: "user", content }],
  };
}

test("what goes on from the turn before is sent as what is converted as a whole", async () => {
  const keep = vi.spyOn(HistoryCache.prototype, "keep");
  const setup = {
    protocol: "openai-chat",
    answer: (_request, response) => json(response, 200, chatText("ok")),
  } as const satisfies Parameters<typeof start>[0];
  const going = await start({ ...setup, modelMap: { "claude-*": { model: "gpt-5.6", maxTokens: 32 } } });
  const whole = await start({
    ...setup,
    modelMap: { "claude-*": { model: "gpt-5.6", maxTokens: 32 } },
    limits: { historyBytes: 0 },
  });
  for (let number = 0; number <= 6; number++) {
    for (const { url } of [going, whole]) expect((await post(url, "/v1/messages", turn(number))).status).toBe(200);
    const [sent, expected] = [going.service.received[number], whole.service.received[number]];
    expect(sent?.text).toBe(expected?.text);
    expect(sent?.headers["content-length"]).toBe(expected?.headers["content-length"]);
    expect(sent?.headers["transfer-encoding"]).toBeUndefined();
    const [own, other] = [going.records[number], whole.records[number]];
    expect({ losses: own?.losses, fresh: own?.fresh, turn: own?.turn }).toEqual({
      losses: other?.losses,
      fresh: other?.fresh,
      turn: other?.turn,
    });
  }
  expect(keep.mock.calls.filter(([, isContinuation]) => isContinuation).length).toBe(6);
});

test("a history of one key is not compared with a request that has another", async () => {
  const keep = vi.spyOn(HistoryCache.prototype, "keep");
  const { url } = await start({
    protocol: "anthropic-messages",
    answer: (_request, response) => json(response, 200, anthropicText("ok")),
  });
  const body = (length: number): JsonObject => ({
    model: "gpt-5.6",
    messages: [
      { role: "user", content: long },
      ...Array.from({ length }, () => [
        { role: "assistant", content: "Yes." },
        { role: "user", content: "Go on." },
      ]).flat(),
    ],
  });
  for (const [key, length] of [
    ["one", 1],
    ["two", 2],
    ["one", 2],
    ["two", 3],
  ] as const)
    await post(url, "/v1/chat/completions", body(length), { authorization: `Bearer sk-${key}` });
  expect(keep.mock.calls.map(([, isContinuation]) => isContinuation)).toEqual([false, false, true, true]);
});
