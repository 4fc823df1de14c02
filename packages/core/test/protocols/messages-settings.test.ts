import type { JsonObject, Loss, Profile } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";

interface Outcome {
  readonly value: JsonObject;
  readonly losses: readonly Loss[];
  readonly places: readonly string[];
}

async function convert(more: JsonObject, target: Profile = {}): Promise<Outcome> {
  const { value, losses } = await convertRequest(
    { model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user", content: "q" }], ...more },
    { from: "openai-chat", to: "anthropic-messages", target },
  );
  const places = losses.map(({ code, path, targetPath }) => `${code} ${path === "" ? `made ${targetPath}` : path}`);
  return { value: value as unknown as JsonObject, losses, places };
}

describe("stop sequences of white space, which Messages refuses, are left out and reported", () => {
  test.each<[stop: JsonObject[string], sent: JsonObject[string] | undefined, places: readonly string[]]>([
    ["\n", undefined, ["/stop"]],
    ["", undefined, ["/stop"]],
    [["\n\n"], undefined, ["/stop"]],
    [[" ", "\t"], undefined, ["/stop/0", "/stop/1"]],
    [["a", "", "\nb"], ["a", "\nb"], ["/stop/1"]],
  ])("%j", async (stop, sent, places) => {
    const outcome = await convert({ stop });
    expect(outcome.value["stop_sequences"]).toEqual(sent);
    expect(outcome.places).toEqual(places.map((path) => `setting.stop_blank ${path}`));
    for (const { kind, effect } of outcome.losses) expect([kind, effect]).toEqual(["dropped", "control"]);
  });

  test("but stay within Messages", async () => {
    const body = { model: "m", max_tokens: 9, stop_sequences: ["\n"], messages: [{ role: "user", content: "q" }] };
    const { value, losses } = await convertRequest(body, { from: "anthropic-messages", to: "anthropic-messages" });
    expect(value).toEqual(body);
    expect(losses).toEqual([]);
  });
});

describe("temperature and top_p together", () => {
  const version: Profile = { apiVersion: "2023-06-01" };

  test.each([
    "claude-opus-4-1",
    "claude-opus-4-1-20250805",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
    "claude-opus-4-5",
    "claude-sonnet-4-6",
  ])("%s takes the temperature only", async (model) => {
    const { value, places } = await convert({ model, temperature: 0.5, top_p: 0.9 }, { ...version, model });
    expect(value).toMatchObject({ temperature: 0.5 });
    expect(value).not.toHaveProperty("top_p");
    expect(places).toEqual(["setting.conflict /top_p"]);
  });

  test.each(["claude-opus-4-20250514", "claude-3-7-sonnet-latest", "someone-else"])("%s takes both", async (model) => {
    const { value, losses } = await convert({ model, temperature: 0.5, top_p: 0.9 }, { ...version, model });
    expect(value).toMatchObject({ temperature: 0.5, top_p: 0.9 });
    expect(losses).toEqual([]);
  });

  test("either alone is sent", async () => {
    const { value, losses } = await convert({ top_p: 0.9 }, { ...version, model: "claude-sonnet-4-5" });
    expect(value).toMatchObject({ top_p: 0.9 });
    expect(losses).toEqual([]);
  });
});

describe("the budget for an effort leaves room for the answer", () => {
  const think = (max_tokens: number, reasoning_effort: string, more: Profile = {}): Promise<Outcome> =>
    convert({ max_tokens, reasoning_effort }, { model: "claude-sonnet-4-5", ...more });

  test("at most four fifths of the allowed tokens, reported", async () => {
    const { value, places, losses } = await think(5000, "high");
    expect(value["thinking"]).toEqual({ type: "enabled", budget_tokens: 4000 });
    expect(places).toContain("reasoning.share /reasoning_effort");
    expect(losses.find(({ code }) => code === "reasoning.share")?.kind).toBe("approximated");
  });

  test("of the tokens that are sent, where the model allows fewer", async () => {
    const { value } = await think(50000, "high", { maxOutputTokens: 10000 });
    expect(value).toMatchObject({ max_tokens: 10000, thinking: { budget_tokens: 8000 } });
  });

  test("the usual one where there is room, and nothing about it", async () => {
    const { value, losses } = await think(40000, "high");
    expect(value["thinking"]).toEqual({ type: "enabled", budget_tokens: 24576 });
    expect(losses.map(({ code }) => code)).toEqual(["reasoning.synthesized"]);
  });

  test("the least one that the API takes, or none", async () => {
    const least = await think(1280, "high");
    expect(least.value["thinking"]).toEqual({ type: "enabled", budget_tokens: 1024 });
    const none = await think(1279, "high");
    expect(none.value).not.toHaveProperty("thinking");
    expect(none.places).toEqual(["reasoning.conflict /reasoning_effort"]);
  });
});
