import { describe, expect, test } from "vitest";
import { lintRequest } from "../../src/check/index.ts";
import type { ProtocolId } from "../../src/index.ts";
import { readModelPath } from "../../src/index.ts";
import type { ChatModel, Provider, ProviderOptions } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { loadProvider, providerNames } from "../../src/providers/index.ts";
import { openaiProvider } from "../../src/providers/openai.ts";
import { samples } from "./answers.ts";
import { events, json, startService } from "./service.ts";
import { key } from "./start.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII=";
const tools = ["read", "list"].map((name) => ({
  name,
  description: `Tool ${name}.`,
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const,
}));

const factories: readonly (readonly [name: string, make: (options: ProviderOptions) => Promise<Provider>])[] = [
  ...providerNames.map((name) => [name, (options: ProviderOptions) => loadProvider(name, options)] as const),
  ["openai, in Chat Completions", async (options) => openaiProvider({ ...options, api: "openai-chat" })],
];

/** A service that refuses what services of its protocol refused, by the rules that recorded answers judged, and else answers with a call. */
async function startFor(api: ProtocolId) {
  const sample = samples.find((other) => other.api === api) as (typeof samples)[number];
  return startService((request, response) => {
    const url = readModelPath(request.url);
    const findings = lintRequest({ body: request.body, ...(url !== undefined && { url }) }, { protocol: api });
    const errors = findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) json(response, 400, { error: { message: JSON.stringify(errors) } });
    else if (request.body.stream === true || url?.stream === true) events(response, sample.stream);
    else json(response, 200, sample.whole);
  });
}

describe.each(factories)("models of %s", (name, make) => {
  test.each([true, false])(
    "are asked with instructions, tools, images and thinking, and go on from their answer, streamed: %s",
    async (stream) => {
      const origin = "http://placeholder.invalid/v1";
      const { api, id, models: known } = await make({ baseUrl: origin });
      const service = await startFor(api);
      const models = createModels({ environment: {}, retry: { maxRetries: 0 } });
      const base = api === "anthropic-messages" ? "" : api === "gemini-generate-content" ? "/v1beta" : "/v1";
      models.setProvider(await make({ baseUrl: service.origin + base, apiKey: key }));
      // A model that thinks, where one is known.
      const listed = known.find((model): model is ChatModel => model.type === "chat" && model.reasoning === true);
      const model: ChatModel = listed ?? { type: "chat", id: "m", provider: id, api };
      const asked = {
        systemPrompt: "Be brief.",
        tools,
        messages: [
          {
            role: "user" as const,
            content: [
              { type: "text" as const, text: "What is this?" },
              { type: "image" as const, data: png, mimeType: "image/png" },
            ],
          },
        ],
      };
      const options = { stream, thinkingLevel: "high" as const, maxTokens: 40_000 };
      const first = await models.complete(model, asked, options);
      expect(first.errorMessage).toBeUndefined();
      expect(first).toMatchObject({ stopReason: "toolUse", provider: id, model: model.id });
      const results = first.content.flatMap((part) =>
        part.type === "toolCall"
          ? [{ role: "toolResult" as const, toolCallId: part.id, toolName: part.name, content: "text" }]
          : [],
      );
      const second = await models.complete(
        model,
        { ...asked, messages: [...asked.messages, first, ...results] },
        options,
      );
      expect(second.errorMessage, name).toBeUndefined();
      expect(service.received).toHaveLength(2);
      for (const { headers, body } of service.received) {
        expect(JSON.stringify(headers)).toContain(key);
        expect(JSON.stringify(body)).toContain(png);
      }
    },
  );
});
