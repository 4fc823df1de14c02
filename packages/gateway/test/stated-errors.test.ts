import type { Json, ProtocolId } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { events, json } from "./service.ts";
import { post, start } from "./start.ts";

const request = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "hi" }] };
const message = { role: "assistant", content: "" };
const error = { message: "provider down", code: 429 };
const choice = (fields: Json): Json => [{ index: 0, message, ...(fields as object) }] as Json;

/** Answers under status 200 that failed, with the status that they state. */
const chatAnswers: readonly (readonly [string, object, number])[] = [
  ["error and no choice", { error: { message: "provider down", code: 500 }, choices: [] }, 500],
  ["error in the choice", { choices: choice({ finish_reason: "error", error }) }, 429],
  ["error beside an empty choice", { error, choices: choice({ finish_reason: null }) }, 429],
  ["error of vLLM", { object: "error", message: "provider down", type: "BadRequestError", code: 400 }, 400],
  ["error as text", { error: "provider down", choices: [] }, 502],
  [
    "a reason that says so",
    { choices: choice({ finish_reason: "error", native_finish_reason: "provider down" }) },
    502,
  ],
];
const messagesAnswers: readonly (readonly [string, object, number])[] = [
  ["error", { type: "error", error: { type: "rate_limit_error", message: "provider down" } }, 429],
  ["error beside content", { type: "message", content: [], stop_reason: "end_turn", error }, 429],
];
const cases = [
  ...chatAnswers.map((entry) => ["openai-chat", "/v1/messages", ...entry] as const),
  ...messagesAnswers.map((entry) => ["anthropic-messages", "/v1/chat/completions", ...entry] as const),
];

describe("an error under status 200", () => {
  test.each(cases)("%s to %s: %s", async (protocol: ProtocolId, path, _name, body, status) => {
    const { url, records } = await start({ protocol, answer: (_request, response) => json(response, 200, body) });
    for (const stream of [false, true]) {
      const answer = await post(url, path, { ...request, stream });
      expect(answer.status).toBe(status);
      expect((await answer.json()).error.message).toContain("provider down");
      expect(records.at(-1)).toMatchObject({ outcome: "failed", status });
    }
  });

  test("in a stream for a client that asked for none has the status that it states", async () => {
    const { url } = await start({
      protocol: "openai-chat",
      answer: (_request, response) =>
        events(response, [`data: ${JSON.stringify({ object: "error", message: "too long", code: 413 })}\n\n`]),
    });
    const answer = await post(url, "/v1/messages", request);
    expect([answer.status, (await answer.json()).error.message]).toEqual([413, "too long"]);
  });

  test("in a choice of a stream is an error event", async () => {
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
    const { url, records } = await start({
      protocol: "openai-chat",
      answer: (_request, response) =>
        events(response, [
          `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { content: "" }, finish_reason: "error", error }] })}\n\n`,
          "data: [DONE]\n\n",
        ]),
    });
    const text = await (await post(url, "/v1/messages", { ...request, stream: true })).text();
    expect(text.match(/event: error/g)).toHaveLength(1);
    expect(text).toContain("provider down");
    expect(text).not.toContain("end_turn");
    expect(records.at(-1)).toMatchObject({ outcome: "failed" });
  });
});
