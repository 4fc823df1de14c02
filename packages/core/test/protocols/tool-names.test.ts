import type { JsonObject } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { expect, test } from "vitest";

const messages = [{ role: "user", content: "q" }];
const tool = (name: string): JsonObject => ({ type: "function", function: { name } });

async function convert(more: JsonObject) {
  const { value, losses, exchange } = await convertRequest(
    { model: "claude-opus-4-8", messages, ...more },
    { from: "openai-chat", to: "anthropic-messages" },
  );
  const names = ((value as JsonObject)["tools"] as JsonObject[]).map(({ name }) => name as string);
  return { names, losses, exchange };
}

test("of tools with one name the first is sent, and the others are reported", async () => {
  const { names, losses } = await convert({ tools: [tool("f"), tool("g"), tool("f")], functions: [{ name: "f" }] });
  expect(names).toEqual(["f", "g"]);
  const told = losses.filter(({ code }) => code === "tool.duplicate").map(({ kind, path }) => `${kind} ${path}`);
  expect(told).toEqual(["dropped /tools/2", "dropped /functions/0"]);
});

test("a renamed tool shares its name with no other, in either order", async () => {
  const derived = (await convert({ tools: [tool("a b")] })).names[0] as string;
  for (const own of [
    ["a b", derived],
    [derived, "a b"],
  ]) {
    const { names } = await convert({ tools: own.map(tool) });
    expect(new Set(names).size).toBe(2);
    expect(names[0]).toBe(derived);
  }
});
