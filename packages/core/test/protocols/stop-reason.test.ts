import type { AssistantMessage, Json, StopDetail, StopReason } from "@rolecall/core";
import { createConverter } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { protocolOf } from "../protocols.ts";

const chat = protocolOf("openai-chat");
const anthropic = protocolOf("anthropic-messages");
const call = { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } };

function chatAnswer(reason: Json, message: object = {}): AssistantMessage {
  const choice = { index: 0, finish_reason: reason, message: { role: "assistant", content: "x", ...message } };
  return chat.decodeResponse({ id: "1", object: "chat.completion", created: 1, model: "m", choices: [choice] } as Json)
    .value;
}

function anthropicAnswer(reason: Json): AssistantMessage {
  const content = [{ type: "text", text: "x" }];
  return anthropic.decodeResponse({
    id: "1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }).value;
}

describe("why a Chat answer ended", () => {
  test.each<[raw: string | null, message: object, reason: StopReason, detail: StopDetail | undefined, why: string]>([
    ["stop", {}, "stop", undefined, "an ordinary end"],
    ["stop", { tool_calls: [call] }, "toolUse", undefined, "many servers say stop beside calls"],
    ["tool_calls", { tool_calls: [call] }, "toolUse", undefined, "OpenAI's own word"],
    [
      "function_call",
      { function_call: { name: "read", arguments: "{}" } },
      "toolUse",
      undefined,
      "the deprecated form",
    ],
    ["length", { tool_calls: [call] }, "length", undefined, "the call may be cut: it is not run"],
    ["stop", { content: null, refusal: "I will not." }, "error", "refusal", "it ended, but not with an answer"],
    ["content_filter", {}, "error", "contentFilter", "the service cut it"],
    ["model_length", {}, "length", "contextOverflow", "Mistral's word"],
    ["eos", {}, "stop", undefined, "a word of compatible servers"],
    ["weather", {}, "stop", "unknown", "nobody knows this word; it makes nothing an error"],
    ["weather", { tool_calls: [call] }, "stop", "unknown", "nor does it run calls"],
    ["constructor", {}, "stop", "unknown", "a name of Object.prototype is no word"],
    [null, {}, "pending", undefined, "it has not ended"],
  ])("%s with %j is %s %s: %s", (raw, message, reason, detail) => {
    const answer = chatAnswer(raw, message);
    expect([answer.stopReason, answer.stopDetail]).toEqual([reason, detail]);
    if (raw !== null) expect(answer.rawStopReason).toBe(raw);
  });
});

describe("why a Messages answer ended", () => {
  test.each<[raw: string | null, reason: StopReason, detail: StopDetail | undefined]>([
    ["end_turn", "stop", undefined],
    ["max_tokens", "length", undefined],
    ["stop_sequence", "stop", "stopSequence"],
    ["tool_use", "toolUse", undefined],
    ["pause_turn", "stop", "pause"],
    ["refusal", "error", "refusal"],
    ["model_context_window_exceeded", "length", "contextOverflow"],
    ["compaction", "stop", "compaction"],
    ["weather", "stop", "unknown"],
    [null, "pending", undefined],
  ])("%s is %s %s", (raw, reason, detail) => {
    const answer = anthropicAnswer(raw);
    expect([answer.stopReason, answer.stopDetail]).toEqual([reason, detail]);
  });
});

describe("the word for a client", () => {
  const answer = (stopReason: StopReason, stopDetail?: StopDetail): AssistantMessage => ({
    role: "assistant",
    content: [{ type: "text", text: "x" }],
    api: "gemini-generate-content",
    provider: "test",
    model: "m",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
    stopReason,
    ...(stopDetail !== undefined && { stopDetail }),
    timestamp: 0,
  });

  test.each<[reason: StopReason, detail: StopDetail | undefined, chatWord: Json, anthropicWord: Json]>([
    ["stop", undefined, "stop", "end_turn"],
    ["toolUse", undefined, "tool_calls", "tool_use"],
    ["length", undefined, "length", "max_tokens"],
    ["length", "contextOverflow", "length*", "model_context_window_exceeded"],
    ["stop", "stopSequence", "stop*", "stop_sequence"],
    ["stop", "pause", "stop*", "pause_turn"],
    ["error", "refusal", "content_filter*", "refusal"],
    ["error", "contentFilter", "content_filter", "refusal*"],
    ["error", "malformedToolCall", "stop*", "end_turn*"],
    ["error", undefined, "stop*", "end_turn*"],
    ["aborted", undefined, "stop*", "end_turn*"],
  ])("%s %s is %s in Chat and %s in Messages; * is reported", (reason, detail, chatWord, anthropicWord) => {
    const told = (losses: readonly { readonly code: string }[]): string =>
      losses.some(({ code }) => /^(?:stop\.(?:approximated|unknown)|response\.error)$/.test(code)) ? "*" : "";
    const inChat = chat.encodeResponse(answer(reason, detail));
    const choice = (inChat.value["choices"] as readonly { readonly finish_reason: string }[])[0]!;
    expect(choice.finish_reason + told(inChat.losses)).toBe(chatWord);
    const inMessages = anthropic.encodeResponse(answer(reason, detail));
    expect(String(inMessages.value["stop_reason"]) + told(inMessages.losses)).toBe(anthropicWord);
  });
});

describe("an answer without a reason to end", () => {
  const converter = { chat: createConverter(chat, anthropic), anthropic: createConverter(anthropic, chat) };
  const chatBody = (message: object, reason: object): object => ({
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "x", ...message }, ...reason }],
  });
  const messagesBody = (content: readonly object[], reason: object): object => ({
    id: "1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_sequence: null,
    ...reason,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const told = (losses: readonly { readonly code: string; readonly path: string }[]) =>
    losses.filter(({ code }) => code.startsWith("stop.")).map(({ code, path }) => [code, path]);

  test.each([
    [{}, {}, "end_turn"],
    [{}, { finish_reason: null }, "end_turn"],
    [{ tool_calls: [call] }, { finish_reason: null }, "tool_use"],
    [{ refusal: "no" }, { finish_reason: null }, "refusal"],
  ])("of Chat with %j and %j ends with a usual reason, which is reported", (message, reason, word) => {
    const { value, losses } = converter.anthropic.convertResponse(chatBody(message, reason));
    expect((value as { stop_reason?: unknown }).stop_reason).toBe(word);
    expect(told(losses)).toEqual([["stop.inferred", "/choices/0/finish_reason"]]);
    const own = createConverter(chat, chat).convertResponse(chatBody(message, reason));
    expect(own).toMatchObject({ value: chatBody(message, reason), losses: [] });
    const stream = createConverter(chat, chat).streamResponse(chatBody(message, reason));
    expect(stream.value).toContain('"finish_reason":"stop"');
    expect(told(stream.losses)).toEqual([["stop.inferred", "/choices/0/finish_reason"]]);
  });

  test.each([
    [[], {}, "stop"],
    [[{ type: "text", text: "x" }], { stop_reason: null }, "stop"],
    [[{ type: "tool_use", id: "t", name: "f", input: {} }], { stop_reason: null }, "tool_calls"],
  ])("of Messages with %j and %j ends with a usual reason, which is reported", async (content, reason, word) => {
    const body = messagesBody(content, reason);
    const { value, losses } = converter.chat.convertResponse(body);
    const [choice] = (value as { choices: { finish_reason: unknown }[] }).choices;
    expect(choice?.finish_reason).toBe(word);
    expect(told(losses)).toEqual([["stop.inferred", "/stop_reason"]]);
    expect(createConverter(anthropic, anthropic).convertResponse(body)).toMatchObject({ value: body, losses: [] });
    // Its own stream, in which `message_stop` ends it all the same.
    const stream = createConverter(anthropic, anthropic).streamResponse(body).value;
    const collected = await converter.chat.collectStream(stream);
    expect((collected.value as unknown as { choices: { finish_reason: unknown }[] }).choices[0]?.finish_reason).toBe(
      word,
    );
    expect(told(collected.losses)).toMatchObject([["stop.inferred", expect.stringMatching(/stop_reason$/)]]);
  });
});
