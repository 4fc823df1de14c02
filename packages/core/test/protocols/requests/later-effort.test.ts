import { describe, expect, test } from "vitest";
import type { JsonObject, Profile } from "../../../src/index.ts";
import { convertRequest } from "../../../src/index.ts";

const question = { role: "user", content: "Go on." };
const change = (effort: string): JsonObject => ({ type: "configuration_update", reasoning: { effort } });

/** A request of Responses whose effort changes, sent in Chat: its effort, and what is told of the changes. */
async function inChat(reasoning: JsonObject | undefined, efforts: readonly string[], target: Profile = {}) {
  const input = [...efforts.map(change), question];
  const body = { model: "m", input, ...(reasoning !== undefined && { reasoning }) };
  const { value, losses } = await convertRequest(body, { from: "openai-responses", to: "openai-chat", target });
  return {
    effort: value["reasoning_effort"],
    told: losses.filter(({ code }) => code === "instruction.effort").map(({ kind, path }) => `${kind} ${path}`),
  };
}

describe("the effort of a request with one effort", () => {
  test("is that of the last change", async () => {
    expect(await inChat({ effort: "low" }, ["medium", "high"])).toEqual({
      effort: "high",
      told: [
        "dropped /input/0/reasoning/effort",
        "approximated /input/1/reasoning/effort",
        "dropped /reasoning/effort",
      ],
    });
  });

  test("is that of a change where the request states none, and nothing is dropped where it states the same", async () => {
    const told = ["approximated /input/0/reasoning/effort"];
    expect(await inChat(undefined, ["high"])).toEqual({ effort: "high", told });
    expect(await inChat({ effort: "high" }, ["high"])).toEqual({ effort: "high", told });
  });

  test("stays what it is where thought is off, and where the server takes no effort", async () => {
    const told = ["dropped /input/0/reasoning/effort"];
    expect(await inChat({ effort: "none" }, ["high"])).toEqual({ effort: "none", told });
    expect(await inChat(undefined, ["high"], { supportsEffort: false })).toEqual({ effort: undefined, told });
  });

  test("stays what it is for a model of Gemini that takes a budget", async () => {
    const body = { model: "gemini-2.5-pro", input: [change("high"), question] };
    const { value, losses } = await convertRequest(body, {
      from: "openai-responses",
      to: "gemini-generate-content",
      target: { thinking: "budget" },
    });
    expect(JSON.stringify(value)).not.toContain("thinkingLevel");
    expect(losses.map(({ code, kind }) => `${kind} ${code}`)).toContain("dropped instruction.effort");
  });
});
