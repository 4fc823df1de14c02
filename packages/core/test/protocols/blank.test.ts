import type { Json, JsonObject, Loss } from "@rolecall/core";
import { convertRequest, convertResponse } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const question: JsonObject = { role: "user", content: "q" };
const call: JsonObject = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };

interface Outcome {
  readonly value: JsonObject;
  readonly messages: readonly JsonObject[];
  readonly codes: readonly string[];
  readonly losses: readonly Loss[];
}

async function toMessages(body: JsonObject): Promise<Outcome> {
  const { value, losses } = await convertRequest(
    { model: "claude-sonnet-4-5", ...body },
    { from: "openai-chat", to: "anthropic-messages" },
  );
  const converted = value as unknown as JsonObject;
  const codes = losses.map(({ code, path }) => `${code} ${path}`);
  return { value: converted, messages: converted["messages"] as readonly JsonObject[], codes, losses };
}

describe("text of nothing but white space, which Messages refuses, is left out and reported", () => {
  test.each(["\n\n", "   ", "\t", "\u00a0\u2003"])("beside calls: %j", async (content) => {
    const { messages, codes } = await toMessages({
      messages: [
        question,
        { role: "assistant", content, tool_calls: [call] },
        { role: "tool", tool_call_id: "a", content: "r" },
      ],
    });
    expect(messages[1]?.["content"]).toEqual([{ type: "tool_use", id: "a", name: "f", input: {} }]);
    expect(codes).toContain("text.empty /messages/1/content");
  });

  test("as a whole turn, which then is left out like an empty one", async () => {
    const turns = (content: string): JsonObject => ({ messages: [question, { role: "user", content }] });
    const blank = await toMessages(turns("   "));
    const empty = await toMessages(turns(""));
    expect(blank.messages).toEqual(empty.messages);
    expect(blank.codes).toEqual(empty.codes);
    expect(blank.codes).toContain("turn.empty /messages/1/role");
  });

  test("as an instruction", async () => {
    const { value, codes } = await toMessages({ messages: [{ role: "system", content: "  " }, question] });
    expect(value).not.toHaveProperty("system");
    expect(codes).toContain("text.empty /messages/0/content");
  });

  test("as a refusal", async () => {
    const { messages, codes } = await toMessages({
      messages: [question, { role: "assistant", content: "a", refusal: " " }, question],
    });
    expect(messages[1]?.["content"]).toEqual([{ type: "text", text: "a" }]);
    expect(codes).toContain("text.empty /messages/1/refusal");
  });

  test.each<[content: Json, path: string]>([
    [" \n", "/messages/2/content"],
    [[{ type: "text", text: " \n" }], "/messages/2/content/0/text"],
  ])("in a result: %j", async (content, path) => {
    const { messages, codes } = await toMessages({
      messages: [
        question,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "a", content },
      ],
    });
    expect(messages[2]?.["content"]).toEqual([{ type: "tool_result", tool_use_id: "a" }]);
    expect(codes).toContain(`text.empty ${path}`);
  });

  test("with the cache mark that it carried, which is reported for itself", async () => {
    const marked = { type: "text", text: " ", prompt_cache_breakpoint: { mode: "explicit" } };
    const { codes } = await toMessages({
      messages: [{ role: "user", content: [{ type: "text", text: "q" }, marked] }],
    });
    expect(codes).toContain("text.empty /messages/0/content/1/text");
    expect(codes).toContain("cache.mark /messages/0/content/1/prompt_cache_breakpoint");
  });

  test("but a conversation with nothing else is refused", async () => {
    await expect(toMessages({ messages: [{ role: "user", content: " " }] })).rejects.toThrow(/needs a message/);
  });
});

describe("white space stays", () => {
  test("around words", async () => {
    const { messages, losses } = await toMessages({ max_tokens: 9, messages: [{ role: "user", content: "\n q \n" }] });
    expect(messages[0]?.["content"]).toEqual([{ type: "text", text: "\n q \n" }]);
    expect(losses).toEqual([]);
  });

  test("in a request within Messages", async () => {
    const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: [{ type: "text", text: " " }] }] };
    const { value, losses } = await convertRequest(body, { from: "anthropic-messages", to: "anthropic-messages" });
    expect(value).toEqual(body);
    expect(losses).toEqual([]);
  });

  test("in an answer, which nobody refuses", async () => {
    const answer = {
      id: "c",
      object: "chat.completion",
      created: 0,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "\n\n" }, finish_reason: "stop" }],
    };
    const { value } = await convertResponse(answer, { from: "openai-chat", to: "anthropic-messages" });
    expect((value as unknown as JsonObject)["content"]).toEqual([{ type: "text", text: "\n\n" }]);
  });
});
