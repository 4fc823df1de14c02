import type { JsonObject } from "@rolecall/core";
import { ConfigError, convertRequest, createConverter, HistoryCache } from "@rolecall/core";
import { anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { openaiChat } from "@rolecall/core/protocols/openai-chat";
import { describe, expect, test } from "vitest";

const converter = createConverter(anthropicMessages, openaiChat);
const { convertRequest: convert } = converter;

const user = (text: string): JsonObject => ({ role: "user", content: [{ type: "text", text }] });
const model = (text: string): JsonObject => ({ role: "assistant", content: [{ type: "text", text }] });

function bodyOf(messages: readonly JsonObject[], more: JsonObject = {}): string {
  return JSON.stringify({ model: "claude-opus-4-8", max_tokens: 64, messages, ...more });
}

const history = [user("one"), model("two"), user("three"), model("four"), user("five")];
const goes = (cache: HistoryCache, text: string, scope = ""): boolean => {
  const before = cache.continued;
  const { value, losses } = convert(text, { cache, scope });
  expect({ value, losses }).toEqual((({ value, losses }) => ({ value, losses }))(convert(text)));
  return cache.continued > before;
};

describe("a cache of histories", () => {
  test("goes on where items were added, where the last ones changed, and where one is sent again", () => {
    const cache = new HistoryCache({ minimumLength: 0 });
    expect(goes(cache, bodyOf(history))).toBe(false);
    expect(goes(cache, bodyOf([...history, model("six"), user("seven")]))).toBe(true);
    const marked = { role: "user", content: [{ type: "text", text: "seven", cache_control: { type: "ephemeral" } }] };
    expect(goes(cache, bodyOf([...history, model("six"), marked, model("8"), user("9")]))).toBe(true);
    expect(goes(cache, bodyOf([...history, model("six"), marked, model("8"), user("9")]))).toBe(true);
    expect(cache.size).toBe(1);
  });

  test("does not go on where anything else changed", () => {
    const cache = new HistoryCache({ minimumLength: 0 });
    goes(cache, bodyOf(history));
    expect(goes(cache, bodyOf([...history, model("six"), user("seven")], { temperature: 1 }))).toBe(false);
    expect(goes(cache, bodyOf([user("another"), ...history.slice(1), model("six"), user("seven")]))).toBe(false);
  });

  test("never compares what is kept for one with what comes from another", () => {
    const cache = new HistoryCache({ minimumLength: 0 });
    goes(cache, bodyOf(history), "first");
    expect(goes(cache, bodyOf([...history, model("six"), user("seven")]), "second")).toBe(false);
    expect(goes(cache, bodyOf([...history, model("six"), user("seven")]), "first")).toBe(true);
    expect(cache.size).toBe(2);
  });

  test.each([
    ["bytes", (text: string) => new TextEncoder().encode(text)],
    ["a Buffer", (text: string) => Buffer.from(text)],
  ])("keeps copies of %s, which their owner may change", (_kind, bytesOf) => {
    const cache = new HistoryCache({ minimumLength: 0 });
    const bytes: Uint8Array = bytesOf(bodyOf(history));
    convert(bytes, { cache });
    const changed = bodyOf([user("ONE"), ...history.slice(1)]);
    bytes.set(new TextEncoder().encode(changed));
    const { value } = convert(bytes, { cache });
    expect(new TextDecoder().decode(value)).toBe(convert(changed).value);
    expect(cache.continued).toBe(0);
  });

  test("gives bytes that their owner may change", () => {
    const cache = new HistoryCache({ minimumLength: 0 });
    const bytes = new TextEncoder().encode(bodyOf(history));
    convert(bytes, { cache }).value.fill(0);
    const { value } = convert(bytes, { cache });
    expect(new TextDecoder().decode(value)).toBe(convert(bodyOf(history)).value);
  });

  test("forgets the conversation that was used least recently, and nothing is beyond its bounds", () => {
    const long = "x".repeat(1000);
    const bodies = Array.from({ length: 6 }, (_, index) =>
      bodyOf([user(`${index}${long}`), model("two"), user("three")]),
    );
    const one = new HistoryCache({ minimumLength: 0 });
    goes(one, bodies[0] ?? "");
    const maximumBytes = one.bytes * 3;
    const cache = new HistoryCache({ minimumLength: 0, maximumBytes });
    for (const body of bodies) goes(cache, body);
    expect(cache.size).toBe(3);
    expect(cache.bytes).toBeLessThanOrEqual(maximumBytes);
    expect(goes(cache, bodies[5] ?? "")).toBe(true);
    expect(goes(cache, bodies[0] ?? "")).toBe(false);
    cache.clear();
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
  });

  test("keeps nothing that is too small, too large, broken, or says more than its value", () => {
    const small = new HistoryCache();
    goes(small, bodyOf(history));
    const none = new HistoryCache({ minimumLength: 0, maximumBytes: 0 });
    goes(none, bodyOf(history));
    const cache = new HistoryCache({ minimumLength: 0 });
    expect(() => convert(bodyOf(history).slice(0, -1), { cache })).toThrow(/not valid JSON/);
    goes(cache, bodyOf(history).replace('"max_tokens":64', '"max_tokens":64,"max_tokens":65'));
    goes(cache, bodyOf(history).replace('"max_tokens":64', '"max_tokens":12345678901234567890'));
    goes(cache, bodyOf([user("\ud800"), ...history.slice(1)]));
    expect([small.size, none.size, cache.size]).toEqual([0, 0, 0]);
  });

  test("tells the way of each node as a conversion of the whole does", () => {
    const cache = new HistoryCache({ minimumLength: 0 });
    goes(cache, bodyOf(history));
    const text = bodyOf([...history, model("six"), user("seven")]);
    expect(convert(text, { cache }).trace()).toEqual(convert(text).trace());
    expect(cache.continued).toBe(1);
  });

  test("applies policies to the losses of the whole", async () => {
    const cache = new HistoryCache({ minimumLength: 0 });
    const named = { ...user("one"), extra: 1 };
    const turns = [named, ...history.slice(1)];
    await convertRequest(bodyOf(turns), { from: "anthropic-messages", to: "openai-chat", cache });
    const text = bodyOf([...turns, model("six"), user("seven")]);
    const asked = { from: "anthropic-messages", to: "openai-chat", cache, onLoss: "throw" } as const;
    await expect(convertRequest(text, asked)).rejects.toMatchObject({ name: "LossError" });
    expect(cache.continued).toBe(1);
  });

  test("refuses bounds that are none, and what is no cache", () => {
    expect(() => new HistoryCache({ maximumBytes: -1 })).toThrow(ConfigError);
    expect(() => new HistoryCache({ minimumLength: Number.NaN })).toThrow(ConfigError);
    expect(() => convert(bodyOf(history), { cache: {} as HistoryCache })).toThrow(/HistoryCache/);
  });
});
