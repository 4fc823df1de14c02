import type { JsonObject, ProtocolId } from "@rolecall/core";
import { convertRequest, convertResponse } from "@rolecall/core";
import { lintRequest } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";

const bodies: { readonly [P in Exclude<ProtocolId, "openai-responses">]: JsonObject } = {
  "openai-chat": { model: "m", messages: [{ role: "user", content: "Hello" }] },
  "anthropic-messages": { model: "m", max_tokens: 99, messages: [{ role: "user", content: "Hello" }] },
  "gemini-generate-content": { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
};

describe("OpenAI Responses keeps no answer that nobody asked it to keep", () => {
  const sources = Object.entries(bodies) as [ProtocolId, JsonObject][];

  test.each(sources)("of a request of %s, which says nothing of it", async (from, body) => {
    const { value, losses } = await convertRequest(body, { from, to: "openai-responses" });
    expect(value).toMatchObject({ store: false });
    expect(losses).toEqual([]);
  });

  test.each(["openai-chat", "gemini-generate-content"] as const)("but what %s says stays", async (from) => {
    for (const store of [true, false]) {
      const { value } = await convertRequest({ ...bodies[from], store }, { from, to: "openai-responses" });
      expect(value).toMatchObject({ store });
    }
  });

  test("and a request of Responses has the default of its own service", async () => {
    const body = { model: "m", input: "Hello" };
    const { value } = await convertRequest(body, { from: "openai-responses", to: "openai-responses" });
    expect(value).toEqual(body);
  });
});

describe("a loop of calls needs nothing that is stored", () => {
  const answer = {
    id: "resp_1",
    object: "response",
    created_at: 1764500000,
    status: "completed",
    model: "gpt-5.6",
    output: [
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}", status: "completed" },
    ],
  };
  const tool = { type: "function", function: { name: "read", parameters: { type: "object", properties: {} } } };
  const chat: JsonObject = { model: "gpt-5.6", messages: [{ role: "user", content: "Read it" }], tools: [tool] };

  test("of a client of Chat", async () => {
    const { exchange } = await convertRequest(chat, { from: "openai-chat", to: "openai-responses" });
    const { value } = await convertResponse(answer, { from: "openai-responses", to: "openai-chat", exchange });
    const { message } = (value as unknown as { readonly choices: readonly [{ readonly message: JsonObject }] })
      .choices[0];
    const result: JsonObject = { role: "tool", tool_call_id: "call_1", content: "text" };
    const next = { ...chat, messages: [{ role: "user", content: "Read it" }, message, result] };
    const sent = await convertRequest(next as JsonObject, { from: "openai-chat", to: "openai-responses" });
    expect(sent.value).toMatchObject({
      store: false,
      input: [
        { role: "user" },
        { type: "function_call", call_id: "call_1", name: "read" },
        { type: "function_call_output", call_id: "call_1" },
      ],
    });
    // Ids of items, and reasoning without its payload, would be looked up where nothing is.
    expect(JSON.stringify(sent.value)).not.toMatch(/rs_1|fc_1|reasoning/);
    expect(lintRequest(sent.value, { protocol: "openai-responses" })).toEqual([]);
  });

  test("of a client of Responses, with the reasoning that it was given", async () => {
    const next = {
      model: "gpt-5.6",
      store: false,
      include: ["reasoning.encrypted_content"],
      input: [
        { role: "user", content: "Read it" },
        ...answer.output,
        { type: "function_call_output", call_id: "call_1", output: "text" },
      ],
    };
    const { value } = await convertRequest(next, {
      from: "openai-responses",
      to: "openai-responses",
      target: { provider: "openai", supportsImagesInToolResults: false },
    });
    expect(value).toEqual(next);
  });
});
