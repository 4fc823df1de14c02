import { expect, test } from "vitest";
import type { JsonObject, Profile } from "../../src/index.ts";
import { convertRequest } from "../../src/index.ts";

const started = (content: JsonObject[] | string): JsonObject => ({
  model: "claude-haiku-4-5",
  max_tokens: 9,
  messages: [
    { role: "user", content: "x" },
    { role: "assistant", content },
  ],
});

async function sent(target: Profile, content: JsonObject[] | string = "The answer is") {
  const { value, losses } = await convertRequest(started(content), {
    from: "anthropic-messages",
    to: "openai-chat",
    target,
  });
  const messages = (value as { messages: JsonObject[] }).messages.slice(1);
  return { messages, losses: losses.map(({ code, path }) => `${code} ${path}`) };
}

const answer = { role: "assistant", content: "The answer is" };

test.each([{ provider: "openai" }, { supportsPrefill: false }, { provider: "mistral", supportsPrefill: false }])(
  "a server that answers a started answer is asked to continue it: %j",
  async (target) => {
    expect(await sent(target)).toEqual({
      messages: [answer, { role: "user", content: "Continue." }],
      losses: ["turn.prefill /messages/1/role"],
    });
  },
);

test.each([{}, { provider: "vllm" }, { provider: "somebody" }])(
  "where nobody knows what a server does with a started answer, that is told: %j",
  async (target) => {
    expect(await sent(target)).toEqual({ messages: [answer], losses: ["profile.unverified /messages/1/role"] });
  },
);

test.each([{ provider: "llama.cpp" }, { supportsPrefill: true }])(
  "a server that continues a started answer gets it as it is: %j",
  async (target) => {
    expect(await sent(target)).toEqual({ messages: [answer], losses: [] });
  },
);

test.each<Profile>([{ provider: "mistral" }, { provider: "deepseek", supportsPrefill: true, prefillField: "prefix" }])(
  "a server that wants a mark on a started answer gets one: %j",
  async (target) => {
    expect(await sent(target)).toEqual({ messages: [{ ...answer, prefix: true }], losses: [] });
  },
);

test("a turn that ends in calls is no started answer", async () => {
  const { messages, losses } = await sent({ provider: "openai" }, [
    { type: "text", text: "a" },
    { type: "tool_use", id: "toolu_1", name: "f", input: {} },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool"]);
  expect(losses.filter((loss) => loss.startsWith("turn.prefill"))).toEqual([]);
});
