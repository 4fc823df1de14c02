import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/index.ts";
import { convertResponse } from "../../src/index.ts";
import { anthropic, chat, chunk, converted, done } from "../stream/wire.ts";

const choice = (index: number | undefined, content: string, more: JsonObject = {}): JsonObject => ({
  ...(index !== undefined && { index }),
  message: { role: "assistant", content, refusal: null },
  finish_reason: "stop",
  logprobs: null,
  ...more,
});
const answer = (...choices: Json[]): JsonObject => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices,
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

describe("the choice of index 0 is the answer", () => {
  const orders: readonly (readonly [string, JsonObject[], string, string[]])[] = [
    ["last", [choice(1, "b"), choice(0, "a")], "a", ["/choices/0"]],
    ["in the middle", [choice(2, "c"), choice(0, "a"), choice(1, "b")], "a", ["/choices/0", "/choices/2"]],
    ["nowhere", [choice(2, "c"), choice(1, "b")], "c", ["/choices/1"]],
    ["not stated", [choice(undefined, "a"), choice(undefined, "b")], "a", ["/choices/1"]],
  ];

  test.each(orders)("%s", async (_name, choices, text, places) => {
    const body = answer(...choices);
    const { value, losses } = await convertResponse(body, { from: chat, to: anthropic });
    expect((value as JsonObject)["content"]).toMatchObject([{ type: "text", text }]);
    const lost = losses.filter(({ code }) => code === "response.alternatives");
    expect(lost.map(({ path }) => path)).toEqual(places);
    expect((await convertResponse(body, { from: chat, to: chat })).value).toEqual(body);
  });

  test("and what only its protocol knows keeps its place", async () => {
    const body = answer(choice(1, "b", { odd: 1 }), choice(0, "a", { odd: 2, finish_reason: "unheard-of" }));
    expect((await convertResponse(body, { from: chat, to: chat })).value).toEqual(body);
    const { losses } = await convertResponse(body, { from: chat, to: anthropic });
    const places = losses.map(({ code, path }) => `${code} ${path}`);
    expect(places).toContain("field.no_counterpart /choices/1/odd");
    expect(places).toContain("stop.unknown /choices/1/finish_reason");
  });
});

test("a further choice of a stream is reported once at a place", async () => {
  const choices = (...list: JsonObject[]): string => chunk({}, null, { choices: list });
  const delta = (index: number, content: string): JsonObject => ({ index, delta: { content }, finish_reason: null });
  const stream = choices(delta(1, "b")) + choices(delta(0, "a"), delta(1, "b")) + chunk({}, "stop") + done;
  const { losses } = await converted(stream, chat, anthropic);
  const lost = losses.filter(({ code }) => code === "response.alternatives").map(({ path }) => path);
  expect(lost).toEqual(["/events/0/choices/0", "/events/1/choices/1"]);
});
