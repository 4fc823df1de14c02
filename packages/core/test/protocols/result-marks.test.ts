import type { JsonObject, Profile } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const mark = { type: "ephemeral", ttl: "1h" };
const sent = { mode: "explicit", ttl: "12h" };
const text = (words: string, marked: boolean): JsonObject => ({
  type: "text",
  text: words,
  ...(marked && { cache_control: mark }),
});

async function convert(result: JsonObject, target: Profile = {}) {
  const body = {
    model: "claude-opus-4-8",
    max_tokens: 9,
    messages: [
      { role: "user", content: "q" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", ...result }] },
    ],
  };
  const { value, losses } = await convertRequest(body, { from: "anthropic-messages", to: "openai-chat", target });
  const content = ((value as JsonObject)["messages"] as JsonObject[])[2]?.["content"];
  const marks = losses.filter(({ code }) => code === "cache.mark").map(({ kind, path }) => [kind, path]);
  return { content, marks };
}

const place = "/messages/2/content/0";

describe("the cache mark of a result toward Chat", () => {
  test("stays on the text of a failure", async () => {
    const { content, marks } = await convert({ is_error: true, content: [text("E", true)] });
    expect(content).toEqual([{ type: "text", text: '{"error":"E"}', prompt_cache_breakpoint: sent }]);
    expect(marks).toEqual([["approximated", `${place}/content/0/cache_control`]]);
  });

  test("is gone where the texts of a failure become one and a later one has a mark", async () => {
    const { content, marks } = await convert({ is_error: true, content: [text("E", true), text("F", true)] });
    expect(content).toEqual([{ type: "text", text: '{"error":["E","F"]}', prompt_cache_breakpoint: sent }]);
    expect(marks).toEqual([
      ["dropped", `${place}/content/0/cache_control`],
      ["approximated", `${place}/content/1/cache_control`],
    ]);
  });

  test("stays where the whole failure has it", async () => {
    const { content, marks } = await convert({ is_error: true, content: "E", cache_control: mark });
    expect(content).toEqual([{ type: "text", text: '{"error":"E"}', prompt_cache_breakpoint: sent }]);
    expect(marks).toEqual([["approximated", `${place}/cache_control`]]);
  });

  test.each([{}, { content: "" }, { content: [] }])("is gone where there is nothing to mark: %j", async (result) => {
    const { content, marks } = await convert({ ...result, cache_control: mark });
    expect(content).toBe("");
    expect(marks).toEqual([["dropped", `${place}/cache_control`]]);
  });

  test.each<Profile>([{ cacheMarks: "none" }, { supportsContentParts: false }])(
    "is gone where the server takes none: %j",
    async (target) => {
      for (const is_error of [true, false]) {
        const { content, marks } = await convert({ is_error, content: [text("E", true)] }, target);
        expect(content).toBe(is_error ? '{"error":"E"}' : "E");
        expect(marks).toEqual([["dropped", `${place}/content/0/cache_control`]]);
      }
    },
  );
});
