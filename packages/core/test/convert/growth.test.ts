import type { Conversation, JsonObject, Message, ProtocolId } from "@rolecall/core";
import { convertRequest, convertResponse, loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const chat = "openai-chat";
const anthropic = "anthropic-messages";

const call = (index: number): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: `c${index}`, type: "function", function: { name: "f", arguments: "{}" } }],
});
const use = (index: number): JsonObject => ({
  role: "assistant",
  content: [{ type: "tool_use", id: `c${index}`, name: "f", input: {} }],
});
const user: JsonObject = { role: "user", content: "u" };
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const answer = (index: number): JsonObject => ({ role: "tool", tool_call_id: `c${index}`, content: "r" });
const result = (index: number): JsonObject => ({ type: "tool_result", tool_use_id: `c${index}`, content: "r" });
const text: JsonObject = { type: "text", text: "t" };

/** Conversations of a size, in which what belongs together stands far apart or in one container. */
const shapes: { readonly [name: string]: readonly [ProtocolId, (count: number) => JsonObject[]] } = {
  "results at the end, one message each": [
    chat,
    (count) => [...numbers(count).flatMap((index) => [call(index), user]), ...numbers(count).map(answer)],
  ],
  "results at the end, in one message": [
    anthropic,
    (count) => [
      ...numbers(count).flatMap((index) => [use(index), user]),
      { role: "assistant", content: "z" },
      { role: "user", content: numbers(count).map(result) },
    ],
  ],
  "results and texts in turn in one message": [
    anthropic,
    (count) => [
      { role: "assistant", content: numbers(count).flatMap((index) => use(index)["content"] as JsonObject[]) },
      { role: "user", content: numbers(count).flatMap((index) => [text, result(index)]) },
    ],
  ],
  "results without calls and texts in turn in one message": [
    anthropic,
    (count) => [{ role: "user", content: numbers(count).flatMap((index) => [text, result(index)]) }],
  ],
  "calls without results": [chat, (count) => numbers(count).flatMap((index) => [call(index), user])],
  "instructions between the turns": [
    chat,
    (count) =>
      numbers(count).flatMap(() => [user, { role: "system", content: "s" }, { role: "assistant", content: "z" }]),
  ],
};

function body(from: ProtocolId, messages: JsonObject[]): JsonObject {
  return { model: "claude-opus-4-8", ...(from === anthropic && { max_tokens: 9 }), messages };
}

/** How often an encoder reads an entry of the list of messages. */
async function reads(from: ProtocolId, messages: JsonObject[]): Promise<number> {
  const source = await loadProtocol(from);
  const target = await loadProtocol(from === chat ? anthropic : chat);
  const conversation = source.decodeRequest({ body: body(from, messages) }).value as Conversation;
  let count = 0;
  const counted = new Proxy(conversation.messages as Message[], {
    get(list, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) count++;
      return Reflect.get(list, key, receiver) as unknown;
    },
  });
  target.encodeRequest({ ...conversation, messages: counted }, { model: "claude-opus-4-8" });
  return count;
}

/** The best time of some rounds for conversations of all shapes, so that a pause of the machine does not count. */
async function time(count: number, rounds: number): Promise<number> {
  let sum = 0;
  for (const [from, shape] of Object.values(shapes)) {
    const request = body(from, shape(count));
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await convertRequest(request, { from, to: from === chat ? anthropic : chat });
      best = Math.min(best, performance.now() - start);
    }
    sum += best;
  }
  return sum;
}

describe.each(Object.entries(shapes))("a conversation with %s", (_name, [from, shape]) => {
  test("is read a number of times that grows with its length", async () => {
    const few = await reads(from, shape(100));
    const many = await reads(from, shape(800));
    expect(many / few).toBeLessThan(9);
  });
});

// Quadratic work takes 64 times as long for 8 times the length; busy machines are allowed a lot.
test("long conversations take time that grows with their length", async () => {
  const few = await time(1000, 3);
  const many = await time(8000, 1);
  expect(many / few).toBeLessThan(32);
}, 60_000);

/** The best time of some rounds for an answer with so many citations, each of one word of its text. */
async function timeCitations(count: number, rounds: number): Promise<number> {
  const citations = Array.from({ length: count }, (_, index) => ({
    type: "url_citation",
    url_citation: { url: "https://e.test", title: "e", start_index: 6 * index, end_index: 6 * index + 5 },
  }));
  const message = { role: "assistant", content: "ärger ".repeat(count), refusal: null, annotations: citations };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const answer = { id: "c", object: "chat.completion", created: 1, model: "m", choices };
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await convertResponse(answer as JsonObject, { from: chat, to: "gemini-generate-content" });
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

test("citations of a long answer take time that grows with their number", async () => {
  const few = await timeCitations(2000, 5);
  const many = await timeCitations(16_000, 3);
  expect(many / few).toBeLessThan(32);
}, 60_000);
