import type { ProtocolId } from "@rolecall/core";
import { convertError, convertRequest, convertResponse, DecodeError } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const turn = { role: "user", content: "q" };
const sparse: unknown[] = [turn, turn, turn];
delete sparse[1];

const bodies: readonly (readonly [name: string, body: object, path: string])[] = [
  ["NaN", { messages: [turn], max_tokens: Number.NaN }, "/max_tokens"],
  ["Infinity", { messages: [turn], max_tokens: 9, temperature: Number.POSITIVE_INFINITY }, "/temperature"],
  ["a hole", { messages: sparse, max_tokens: 9 }, "/messages/1"],
  ["undefined in a list", { messages: [turn, undefined], max_tokens: 9 }, "/messages/1"],
  ["a bigint", { messages: [turn], max_tokens: 9n }, "/max_tokens"],
  ["a function", { messages: [turn], max_tokens: 9, metadata: { "a/b": [() => 1] } }, "/metadata/a~1b/0"],
  ["a symbol", { messages: [turn, { role: "user", content: Symbol("s") }], max_tokens: 9 }, "/messages/1/content"],
  ["NaN behind half a character", { messages: [{ role: "user", content: "\uD800" }], top_p: Number.NaN }, "/top_p"],
];
const ids: readonly ProtocolId[] = ["openai-chat", "anthropic-messages"];
const pairs = ids.flatMap((from) => ids.map((to) => ({ from, to })));

describe.each(pairs)("an object that is no JSON, $from to $to", ({ from, to }) => {
  test.each(bodies)("%s is refused with its place", async (_name, body, path) => {
    const error = await convertRequest({ model: "m", ...body }, { from, to }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ path, message: expect.stringContaining(path) });
  });

  test("a property that is undefined is absent", async () => {
    const body = { model: "m", max_tokens: 9, messages: [turn], temperature: undefined };
    const { losses } = await convertRequest(body, { from, to });
    expect(losses.filter(({ path }) => path === "/temperature")).toEqual([]);
  });

  test("also in responses and errors", async () => {
    const response = { usage: { input_tokens: Number.NaN } };
    await expect(convertResponse(response, { from, to })).rejects.toMatchObject({ path: "/usage/input_tokens" });
    const body = { error: { message: "m", code: Number.NaN } };
    await expect(convertError({ status: 400, body }, { from, to })).rejects.toBeInstanceOf(DecodeError);
  });
});
