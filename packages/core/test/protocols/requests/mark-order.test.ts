import type { Json, JsonObject } from "@rolecall/core";
import { convertRequest, isJsonObject } from "@rolecall/core";
import fc from "fast-check";
import { expect, test } from "vitest";

const breakpoint = fc
  .constantFrom<(string | undefined)[]>(undefined, "", "30m", "12h", "5m", "1h")
  .map((ttl) =>
    ttl === undefined ? {} : { prompt_cache_breakpoint: { mode: "explicit", ...(ttl !== "" && { ttl }) } },
  );
const text = breakpoint.map((mark): JsonObject => ({ type: "text", text: "t", ...(mark as JsonObject) }));
const message = fc.record({
  role: fc.constantFrom("system", "user", "assistant"),
  content: fc.array(text, { minLength: 1, maxLength: 2 }),
});
const options = fc.option(
  fc.record(
    { mode: fc.constantFrom("implicit", "explicit"), ttl: fc.constantFrom("30m", "12h") },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

/** The times to live of a Messages body, in the order of the prompt. */
function ttlsOf({ tools, system, messages, ...rest }: JsonObject): Json[] {
  const found: Json[] = [];
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isJsonObject(value)) return;
    visit(value["content"]);
    const { cache_control: mark } = value;
    if (isJsonObject(mark)) found.push(mark["ttl"] ?? "5m");
  };
  for (const value of [tools, system, messages, rest]) visit(value);
  return found;
}

test("no mark of an hour stands behind a shorter one, whatever Chat asked for", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), options, async (messages, cache) => {
      const body = {
        model: "m",
        messages: [{ role: "user", content: "q" }, ...messages],
        ...(cache !== undefined && { prompt_cache_options: cache }),
      };
      const { value } = await convertRequest(body as JsonObject, { from: "openai-chat", to: "anthropic-messages" });
      const ttls = ttlsOf(value);
      expect(ttls).toEqual([...ttls].sort());
      expect(ttls.length).toBeLessThanOrEqual(4);
    }),
    { numRuns: 300 },
  );
});

test("a mark without a time to live takes that of the request", async () => {
  const content = [{ type: "text", text: "s", prompt_cache_breakpoint: { mode: "explicit" } }];
  const body = {
    model: "m",
    messages: [{ role: "user", content }],
    prompt_cache_options: { mode: "explicit", ttl: "12h" },
  };
  const { value, losses } = await convertRequest(body, { from: "openai-chat", to: "anthropic-messages" });
  expect(ttlsOf(value as unknown as JsonObject)).toEqual(["1h"]);
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "cache.setting /prompt_cache_options/mode",
    "cache.ttl /prompt_cache_options/ttl",
    "setting.synthesized ",
  ]);
});

test("behind a mark that cannot be changed that of the whole request is shortened", async () => {
  const cache = (ttl: string): JsonObject => ({ cache_control: { type: "ephemeral", ttl } });
  const body = {
    model: "m",
    max_tokens: 5,
    tools: [{ type: "web_search_20250305", name: "web_search", ...cache("5m") }],
    messages: [{ role: "user", content: "q" }],
    ...cache("1h"),
  };
  const { value, losses } = await convertRequest(body, {
    from: "anthropic-messages",
    to: "anthropic-messages",
    mend: true,
  });
  expect(ttlsOf(value as unknown as JsonObject)).toEqual(["5m", "5m"]);
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual(["cache.ttl /cache_control/ttl"]);
});
