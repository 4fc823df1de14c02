import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/index.ts";
import { convertRequest } from "../../../src/index.ts";

const named = (type: string) => ({ type, name: "a" });
const inChat = (type: string) => ({ type, [type]: { name: "a" } });
const types = ["function", "custom"];

/** Each kind of declaration with each kind of choice, in both protocols that tell them apart. */
const bodies = types.flatMap((declared) =>
  types.flatMap((chosen): (readonly ["openai-responses" | "openai-chat", string, JsonObject])[] => [
    [
      "openai-responses",
      `${declared} chosen as ${chosen}`,
      { model: "m", input: "x", tools: [named(declared)], tool_choice: named(chosen) },
    ],
    [
      "openai-responses",
      `${declared} allowed as ${chosen}`,
      {
        model: "m",
        input: "x",
        tools: [named(declared)],
        tool_choice: { type: "allowed_tools", mode: "auto", tools: [named(chosen)] },
      },
    ],
    [
      "openai-chat",
      `${declared} chosen as ${chosen}`,
      {
        model: "m",
        messages: [{ role: "user", content: "x" }],
        tools: [inChat(declared)],
        tool_choice: inChat(chosen),
      },
    ],
  ]),
);

test.each(bodies)("%s: a tool that is a %s stays what its client says", async (protocol, _, body) => {
  const { value, losses } = await convertRequest(body, { from: protocol, to: protocol });
  expect(value).toEqual(body);
  expect(losses).toEqual([]);
});
