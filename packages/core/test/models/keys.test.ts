import { describe, expect, test } from "vitest";
import { createModels } from "../../src/models/index.ts";
import { anthropicProvider } from "../../src/providers/anthropic.ts";
import { openaiProvider } from "../../src/providers/openai.ts";
import { openaiCompatibleProvider } from "../../src/providers/openai-compatible.ts";

const environment = { OPENAI_API_KEY: "sk-openai", EMPTY: "", ANTHROPIC_API_KEY: "" };
const context = { messages: [{ role: "user", content: "hi" } as const] };

/** Models whose requests go nowhere, and the headers that they would have had. */
function watched() {
  const seen: { url: string; headers: Record<string, string> }[] = [];
  const models = createModels({
    environment,
    retry: { maxRetries: 0 },
    fetch: (url, { headers }) => {
      seen.push({ url, headers });
      return Promise.reject(new Error("no network"));
    },
  });
  return { models, seen };
}

describe("a key from the environment", () => {
  test("goes to its own service", async () => {
    const { models, seen } = watched();
    models.setProvider(openaiProvider());
    expect(await models.checkAuth("openai")).toEqual({ ok: true, source: { variable: "OPENAI_API_KEY" } });
    await models.complete({ type: "chat", id: "m", provider: "openai", api: "openai-responses" }, context);
    expect(seen).toMatchObject([
      { url: "https://api.openai.com/v1/responses", headers: { authorization: "Bearer sk-openai" } },
    ]);
  });

  test("goes to no other service, and to no other place of its own one", async () => {
    const { models, seen } = watched();
    models.setProvider(
      openaiCompatibleProvider({ id: "x", baseUrl: "https://api.x.test/v1", keyVariables: ["X_API_KEY"] }),
    );
    models.setProvider(openaiProvider({ baseUrl: "https://proxy.test/v1" }));
    for (const provider of ["x", "openai"]) {
      const message = await models.complete({ type: "chat", id: "m", provider, api: "openai-chat" }, context);
      expect(message).toMatchObject({ stopReason: "error", error: { kind: "authentication" } });
      expect(message.errorMessage).toContain(`no key for provider ${provider}`);
      expect((await models.checkAuth(provider)).ok).toBe(false);
    }
    expect(seen).toEqual([]);
  });

  test("does not follow a model that stands elsewhere", async () => {
    const { models, seen } = watched();
    models.setProvider(openaiProvider());
    const model = {
      type: "chat",
      id: "m",
      provider: "openai",
      api: "openai-chat",
      baseUrl: "https://evil.test/v1",
    } as const;
    expect((await models.complete(model, context)).errorMessage).toContain(
      "OPENAI_API_KEY is not sent to https://evil.test",
    );
    expect(seen).toEqual([]);
  });

  test("that is empty is none", async () => {
    const { models } = watched();
    models.setProvider(anthropicProvider());
    expect(await models.checkAuth("anthropic")).toEqual({
      ok: false,
      message: "no key for provider anthropic: set ANTHROPIC_API_KEY, or state apiKey",
    });
  });
});

test("a key that is stated goes where its provider stands", async () => {
  const { models, seen } = watched();
  models.setProvider(openaiProvider({ baseUrl: "https://proxy.test/v1", apiKey: "sk-mine" }));
  await models.complete({ type: "chat", id: "m", provider: "openai", api: "openai-chat" }, context);
  expect(seen).toMatchObject([
    { url: "https://proxy.test/v1/chat/completions", headers: { authorization: "Bearer sk-mine" } },
  ]);
});

test("a model of another kind, and a provider that is not set, are told at once", () => {
  const { models } = watched();
  const image = { type: "image", id: "i", provider: "openai", api: "openai-images" } as const;
  // @ts-expect-error an image model is no chat model
  expect(() => models.stream(image, context)).toThrow("openai/i is no chat model: it is asked by generateImages()");
  expect(() => models.stream({ type: "chat", id: "m", provider: "p", api: "openai-chat" }, context)).toThrow(
    'no provider "p" is set',
  );
});
