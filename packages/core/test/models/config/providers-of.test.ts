import { describe, expect, test } from "vitest";
import type { ChatModel, Model } from "../../../src/models/index.ts";
import { createModels, providersOf } from "../../../src/models/index.ts";
import { openaiProvider } from "../../../src/providers/openai.ts";
import { errorOf, fileOf, known, providerOf, variable } from "./sample.ts";

function modelOf(models: readonly Model[], id: string): ChatModel {
  return models.find((model) => model.id === id) as ChatModel;
}

test("a file of another tool, with its word for Chat Completions", () => {
  const value = {
    providers: {
      local: {
        baseUrl: "http://127.0.0.1:11434/v1",
        api: "openai-completions",
        apiKey: "ollama",
        models: [{ id: "llama3.2" }],
      },
    },
  };
  expect(providersOf(value, { environment: {} })).toEqual([
    {
      id: "local",
      name: "local",
      baseUrl: "http://127.0.0.1:11434/v1",
      api: "openai-chat",
      keyVariables: [],
      isKeyless: true,
      keyOrigins: ["http://127.0.0.1:11434"],
      apiKey: "ollama",
      models: [{ type: "chat", id: "llama3.2", provider: "local", api: "openai-chat" }],
    },
  ]);
});

test("a file without providers, and one with an empty list of them", () => {
  expect(providersOf({ $schema: "./models.schema.json", providers: {} })).toEqual([]);
  expect(errorOf({}).message).toBe("the file lacks providers");
});

test("a server of one's own, with all that can be said of it", () => {
  const model = {
    id: "m",
    name: "Em",
    api: "google-generative-ai",
    baseUrl: "https://other.test",
    headers: { "x-model": "1" },
    contextWindow: 8192,
    maxTokens: 1024,
    input: ["text", "image"],
    output: ["text"],
    cost: { input: 0.5, output: 1, cacheRead: 0, tiers: [{ above: 1000, input: 1, output: 2 }] },
    reasoning: true,
    thinkingLevels: { off: null, low: 1024, high: "deep" },
    compat: { supportsTopK: false },
  };
  const stated = { name: "Own", headers: { "x-all": "2" }, compat: { maxTokensField: "max_tokens" }, models: [model] };
  const provider = providerOf(fileOf(stated));
  expect(provider).toMatchObject({
    name: "Own",
    headers: { "x-all": "2" },
    profile: { maxTokensField: "max_tokens" },
    models: [{ ...model, api: "gemini-generate-content", type: "chat", provider: "own" }],
  });
});

test("models of all kinds, of which two may have one id", () => {
  const models = [
    { id: "m" },
    { id: "m", type: "image", api: "openai-images", cost: { input: 0, output: 0, perImage: 0.04 } },
    { id: "c", type: "classifier" },
  ];
  const set = createModels({ environment: {} });
  for (const provider of providersOf(fileOf({ models }), { environment: {} })) set.setProvider(provider);
  expect(set.getModel("own", "m")?.type).toBe("chat");
  expect(set.getModelOfType("image", "own", "m")).toMatchObject({ api: "openai-images", cost: { perImage: 0.04 } });
  expect(set.getModelOfType("classifier", "own", "c")?.api).toBe("openai-chat");
  expect(set.getModel("own", "c")).toBeUndefined();
});

test("a provider takes its protocol from its models, if all of them say it", () => {
  const place = { baseUrl: "https://own.test" };
  const models = [
    { id: "a", api: "anthropic-messages" },
    { id: "b", api: "openai-chat" },
  ];
  expect(providersOf({ providers: { p: { ...place, models } } })[0]).toMatchObject({ api: "anthropic-messages" });
  expect(errorOf({ providers: { p: { ...place, models: [...models, { id: "c" }] } } })).toMatchObject({
    path: "/providers/p/api",
    message: "state the protocol of this provider, or of all its models",
  });
});

describe("a provider that is known", () => {
  test("keeps what is known of it", () => {
    const provider = providerOf(fileOf({ apiKey: "sk-mine" }, "anthropic"));
    expect(provider).toEqual({ ...known[0], apiKey: "sk-mine" });
  });

  test("stands elsewhere, and its key in the environment does not follow", async () => {
    const environment = { OPENAI_API_KEY: "sk-openai" };
    const models = createModels({ environment });
    models.setProvider(providerOf(fileOf({ baseUrl: "https://proxy.test/v1" }, "openai"), { environment }));
    expect(await models.checkAuth("openai")).toEqual({
      ok: false,
      message:
        "no key for provider openai: OPENAI_API_KEY is not sent to https://proxy.test; state it as apiKey if it shall go there",
    });
  });

  test("gives no key and no header that an application stated to another place", () => {
    const own = openaiProvider({ apiKey: "sk-of-the-application", headers: { "x-secret": "s", "X-Kept": "k" } });
    const options = { known: [own] };
    const away = providerOf(fileOf({ baseUrl: "https://proxy.test/v1" }, "openai"), options);
    expect(away.apiKey).toBeUndefined();
    expect(away.headers).toBeUndefined();
    const one = providerOf(fileOf({ modelOverrides: { "gpt-5": { baseUrl: "https://x.test" } } }, "openai"), options);
    expect(one.apiKey).toBeUndefined();
    const home = providerOf(fileOf({ name: "Mine", headers: { "x-kept": "mine" } }, "openai"), options);
    expect(home).toMatchObject({ name: "Mine", apiKey: "sk-of-the-application" });
    expect(home.headers).toEqual({ "x-secret": "s", "x-kept": "mine" });
  });

  test("is asked in another protocol", () => {
    const { api, models } = providerOf(fileOf({ api: "openai-completions" }, "openai"));
    expect(api).toBe("openai-chat");
    expect(modelOf(models, "gpt-5").api).toBe("openai-chat");
    expect(models.find(({ type }) => type === "image")?.api).toBe("openai-images");
  });

  test("has models that are changed, and others that are added", () => {
    const before = modelOf(known[0]?.models ?? [], "claude-sonnet-4-6");
    const { models } = providerOf(
      fileOf(
        {
          modelOverrides: {
            "claude-sonnet-4-6": {
              name: "Mine",
              contextWindow: 5,
              thinkingLevels: { max: null },
              compat: { supportsTopK: false },
            },
          },
          models: [
            { id: "claude-haiku-4-5", maxTokens: 7 },
            { id: "claude-next", maxTokens: 9 },
          ],
        },
        "anthropic",
      ),
    );
    expect(models).toHaveLength((known[0]?.models.length ?? 0) + 1);
    expect(modelOf(models, "claude-sonnet-4-6")).toEqual({
      ...before,
      name: "Mine",
      contextWindow: 5,
      thinkingLevels: { ...before.thinkingLevels, max: null },
      compat: { ...before.compat, supportsTopK: false },
    });
    expect(modelOf(models, "claude-haiku-4-5")).toMatchObject({ maxTokens: 7, reasoning: true });
    expect(modelOf(models, "claude-next")).toEqual({
      type: "chat",
      id: "claude-next",
      provider: "anthropic",
      api: "anthropic-messages",
      maxTokens: 9,
    });
    expect(modelOf(known[0]?.models ?? [], "claude-sonnet-4-6")).toBe(before);
  });

  test("keeps headers, compat and levels of a model that a file does not name", () => {
    const model: ChatModel = {
      type: "chat",
      id: "m",
      provider: "openai",
      api: "openai-chat",
      headers: { "X-A": "1", "x-b": "2" },
      compat: { supportsTopK: true, thinking: "none" },
      cost: { input: 1, output: 2, cacheRead: 3 },
    };
    const change = { headers: { "x-a": "3" }, compat: { thinking: "both" }, cost: { input: 4, output: 5 } };
    for (const stated of [{ modelOverrides: { m: change } }, { models: [{ id: "m", ...change }] }]) {
      const { models } = providerOf(fileOf(stated, "openai"), {
        known: [openaiProvider({ api: "openai-chat", models: [model] })],
      });
      expect(models).toEqual([
        {
          ...model,
          headers: { "x-b": "2", "x-a": "3" },
          compat: { supportsTopK: true, thinking: "both" },
          cost: { input: 4, output: 5 },
        },
      ]);
    }
  });

  test("has no place of its own, as Azure", () => {
    expect(errorOf(fileOf({ apiKey: "k" }, "azure"))).toMatchObject({ path: "/providers/azure/baseUrl" });
    const stated = { baseUrl: "https://me.openai.azure.com/openai/v1", apiKey: variable("AZURE_OPENAI_API_KEY") };
    const provider = providerOf(fileOf(stated, "azure"), { environment: { AZURE_OPENAI_API_KEY: "sk-azure" } });
    expect(provider).toMatchObject({ apiKey: "sk-azure", keyOrigins: [] });
  });
});

test("the value is not changed, and may be frozen", () => {
  const value = fileOf({ apiKey: variable("KEY"), models: [{ id: "m", headers: { "x-a": variable("KEY") } }] });
  const before = JSON.stringify(value);
  providerOf(value, { environment: { KEY: "sk-0123456789" } });
  expect(JSON.stringify(value)).toBe(before);
  const frozen = JSON.parse(before, (_, item: unknown) => Object.freeze(item)) as unknown;
  expect(providerOf(frozen, { environment: { KEY: "sk-0123456789" } }).apiKey).toBe("sk-0123456789");
});
