import { expect, test } from "vitest";
import type { JsonObject, Profile, ProtocolId } from "../../src/index.ts";
import { convertRequest } from "../../src/index.ts";

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
  expect(others).toEqual({ temperature: 0.5 });
  expect(losses).toEqual(
    ["/safety_identifier", "/seed", "/store", "/verbosity"].map((path) => `setting.no_counterpart ${path}`),
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

test.each([{}, { provider: "somebody" }, { provider: "vllm" }, { provider: "ollama" }])(
  "other servers get everything: %j",
  async (target) => {
    expect(await convert(anthropic, identity, target)).toEqual({
      others: { safety_identifier: "U", service_tier: "default" },
      losses: [],
    });
  },
);
