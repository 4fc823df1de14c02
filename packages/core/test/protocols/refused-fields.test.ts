import { expect, test } from "vitest";
import type { JsonObject, Profile, ProtocolId } from "../../src/index.ts";
import { convertRequest, UnsupportedError } from "../../src/index.ts";

const chat = "openai-chat";
const anthropic = "anthropic-messages";
const messages = [{ role: "user", content: "x" }];

async function convert(from: ProtocolId, fields: JsonObject, target: Profile) {
  const body = { model: "m", ...(from === anthropic && { max_tokens: 9 }), messages, ...fields };
  const { value, losses } = await convertRequest(body, { from, to: chat, target });
  const {
    model: _model,
    messages: _messages,
    max_tokens: _most,
    max_completion_tokens: _tokens,
    ...others
  } = value as JsonObject;
  return { others, losses: losses.map(({ code, path }) => `${code} ${path}`).sort() };
}

const identity = { metadata: { user_id: "U" }, service_tier: "standard_only" };

test("what a strict server refuses is dropped and reported", async () => {
  expect(await convert(anthropic, identity, { provider: "mistral" })).toEqual({
    others: {},
    losses: ["setting.no_counterpart /metadata/user_id", "setting.no_counterpart /service_tier"],
  });
});

test("so it is for a request of the same protocol", async () => {
  const fields = { safety_identifier: "U", store: true, seed: 1, verbosity: "low", temperature: 0.5 };
  const { others, losses } = await convert(chat, fields, { provider: "mistral" });
  expect(others).toEqual({ temperature: 0.5, random_seed: 1 });
  expect(losses).toEqual(
    ["/safety_identifier", "/store", "/verbosity"].map((path) => `setting.no_counterpart ${path}`),
  );
});

test.each(["user", "prompt_cache_retention"])("the place of %s is the key that the client used", async (key) => {
  const { others, losses } = await convert(chat, { [key]: "24h" }, { provider: "mistral" });
  expect(others).toEqual({});
  expect(losses).toEqual([`setting.no_counterpart /${key}`]);
});

test("a value of another form does not slip through", async () => {
  const { others, losses } = await convert(chat, { service_tier: "unheard-of", seed: "one" }, { provider: "mistral" });
  expect(others).toEqual({});
  expect(losses).toEqual(["field.no_counterpart /seed", "field.no_counterpart /service_tier"]);
});

test("Groq refuses log probabilities", async () => {
  const { others, losses } = await convert(chat, { logprobs: true, top_logprobs: 2, seed: 1 }, { provider: "groq" });
  expect(others).toEqual({ seed: 1 });
  expect(losses).toEqual(["setting.no_counterpart /logprobs", "setting.no_counterpart /top_logprobs"]);
});

const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };

test("Groq refuses names of speakers", async () => {
  const stated = [
    { role: "system", name: "s", content: "x" },
    { role: "user", name: "u", content: "x" },
    { role: "assistant", name: "a", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c", name: "f", content: "x" },
    { role: "user", name: null, content: "x" },
  ];
  const { value, losses } = await convertRequest(
    { model: "m", messages: stated },
    { from: chat, to: chat, target: { provider: "groq" } },
  );
  expect(value).toEqual({ model: "m", messages: stated.map(({ name: _name, ...rest }) => rest) });
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "field.no_counterpart /messages/0/name",
    "message.name /messages/1/name",
    "message.name /messages/2/name",
    "message.name /messages/3/name",
    "field.null /messages/4/name",
  ]);
});

test("the name of a deprecated result is no name of a speaker", async () => {
  const stated = [
    ...messages,
    { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
    { role: "function", name: "f", content: "x" },
  ];
  const { value, losses } = await convertRequest(
    { model: "m", messages: stated },
    { from: chat, to: chat, target: { provider: "groq" } },
  );
  expect(value).toEqual({ model: "m", messages: stated });
  expect(losses).toEqual([]);
});

test("Groq gives one answer", async () => {
  await expect(convert(chat, { n: 2 }, { provider: "groq" })).rejects.toThrow(UnsupportedError);
  await expect(convert(chat, { n: 2 }, { provider: "groq" })).rejects.toThrow(/of groq gives one answer.*\(at \/n\)/);
  expect(await convert(chat, { n: 2 }, { provider: "groq", fallbacks: { n: "first" } })).toEqual({
    others: {},
    losses: ["setting.no_counterpart /n"],
  });
  expect(await convert(chat, { n: 1 }, { provider: "groq" })).toEqual({ others: { n: 1 }, losses: [] });
});

test.each([{}, { provider: "somebody" }, { provider: "vllm" }, { provider: "ollama" }])(
  "other servers get everything: %j",
  async (target) => {
    expect(await convert(anthropic, identity, target)).toEqual({
      others: { safety_identifier: "U", service_tier: "default" },
      losses: [],
    });
  },
);
