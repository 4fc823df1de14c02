import { describe, expect, test } from "vitest";
import type { Provider } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { anthropicProvider } from "../../src/providers/anthropic.ts";
import { googleProvider } from "../../src/providers/google.ts";
import { loadProvider, providerNames } from "../../src/providers/index.ts";
import { ollamaProvider } from "../../src/providers/ollama.ts";
import { openaiProvider } from "../../src/providers/openai.ts";
import { compatibleServices, openaiCompatibleProvider } from "../../src/providers/openai-compatible.ts";
import { openrouterProvider } from "../../src/providers/openrouter.ts";

const factories: readonly (() => Provider)[] = [
  anthropicProvider,
  googleProvider,
  openaiProvider,
  openrouterProvider,
  ollamaProvider,
  ...compatibleServices
    .filter((service) => service !== "azure")
    .map((service) => () => openaiCompatibleProvider(service)),
];

describe.each(factories.map((factory) => [factory().id, factory] as const))("%s", (id, factory) => {
  test("knows its models as those of its own", () => {
    const { models, api, isKeyless } = factory();
    expect(models.length > 0).toBe(isKeyless !== true);
    for (const model of models) expect(model).toMatchObject({ provider: id, id: expect.stringMatching(/./) });
    for (const model of models.filter(({ type }) => type === "chat")) expect(model.api).toBe(api);
  });

  test("takes those that are stated in their place", () => {
    const own = { type: "chat", id: "own", provider: id, api: factory().api } as const;
    const models = createModels({ environment: {} });
    models.setProvider({ ...factory(), models: [own] });
    expect(models.getModels(id)).toEqual([own]);
    expect(models.getModel(id, "own")).toEqual(own);
  });
});

test("a model that is found by its name has its window, its levels of thought and its price", () => {
  const models = createModels({ environment: {} });
  models.setProvider(anthropicProvider());
  const model = models.getModel("anthropic", "claude-sonnet-4-6");
  expect(model).toMatchObject({ api: "anthropic-messages", contextWindow: 1_000_000, reasoning: true });
  expect(model?.cost).toMatchObject({ input: 3, output: 15, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  expect(models.getModel("anthropic", "gpt-5")).toBeUndefined();
  expect(models.getModelOfType("image", "anthropic", "claude-sonnet-4-6")).toBeUndefined();
});

test("models of OpenAI are asked in the protocol that is chosen", () => {
  const chat = openaiProvider({ api: "openai-chat" }).models.filter(({ type }) => type === "chat");
  expect(new Set(chat.map(({ api }) => api))).toEqual(new Set(["openai-chat"]));
  expect(openaiProvider().models.some(({ type }) => type === "image")).toBe(true);
});

test("a service that nobody knows is refused, with those that are known", () => {
  expect(() => openaiCompatibleProvider("nobody" as "groq")).toThrow(/no service "nobody" is known: there are azure,/);
  expect(() => openaiCompatibleProvider("constructor" as "groq")).toThrow("no service");
});

test("every service is loaded by its name", async () => {
  expect(providerNames).toHaveLength(18);
  for (const name of providerNames) {
    const provider = await loadProvider(name, name === "azure" ? { baseUrl: "https://own.test/openai/v1" } : {});
    expect(provider.id).toBe(name);
  }
  await expect(loadProvider("toString" as "groq")).rejects.toThrow('no provider "toString" is known');
});
