import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import type { AssistantMessage, Json, JsonObject, ProtocolId, Usage } from "../../src/index.ts";
import { isJsonObject, protocolIds, valueAt, withoutWire } from "../../src/index.ts";
import type { AssistantMessageEvent } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { openaiCompatibleProvider } from "../../src/providers/openai-compatible.ts";
import { startService } from "./service.ts";

/** An answer as it was recorded: a stream, or a body. */
interface Recorded {
  readonly name: string;
  readonly stream?: string;
  readonly body?: JsonObject;
}

function recorded(folder: string, protocol: ProtocolId): Recorded[] {
  const root = join(folder, "recordings", protocol);
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return names.sort().flatMap((name): Recorded[] => {
    const { response, stream } = JSON.parse(readFileSync(join(root, name), "utf8"));
    if (typeof stream === "string" && stream !== "") return [{ name, stream }];
    const isGood = response?.status === undefined || (response.status >= 200 && response.status < 300);
    return isGood && isJsonObject(response?.body) ? [{ name, body: response.body }] : [];
  });
}

const number = (usage: Json | undefined, pointer: string): number => {
  const value = valueAt((usage ?? {}) as JsonObject, pointer);
  return typeof value === "number" ? value : 0;
};

/** What the documentation of each service says of its counts: the tokens of the whole prompt, those of the answer, and the service's own total. */
const documented: {
  readonly [P in ProtocolId]: (usage: JsonObject) => readonly [prompt: number, output: number, total?: number];
} = {
  // Cached tokens are inside of the prompt, reasoning is inside of the completion.
  "openai-chat": (usage) => {
    const prompt = number(usage, "/prompt_tokens");
    const cached = number(usage, "/prompt_tokens_details/cached_tokens");
    // Grok on Azure counts them beside it: there are more than the prompt has.
    const whole = cached > prompt ? prompt + cached : prompt;
    return [whole, number(usage, "/completion_tokens"), number(usage, "/total_tokens")];
  },
  "openai-responses": (usage) => [
    number(usage, "/input_tokens"),
    number(usage, "/output_tokens"),
    number(usage, "/total_tokens"),
  ],
  // What is read from a cache and written to it is beside the input.
  "anthropic-messages": (usage) => [
    number(usage, "/input_tokens") +
      number(usage, "/cache_read_input_tokens") +
      number(usage, "/cache_creation_input_tokens"),
    number(usage, "/output_tokens"),
  ],
  // Cached tokens are inside of the prompt; thoughts are beside the candidates, and what tools read beside the prompt.
  "gemini-generate-content": (usage) => [
    number(usage, "/promptTokenCount") + number(usage, "/toolUsePromptTokenCount"),
    number(usage, "/candidatesTokenCount") + number(usage, "/thoughtsTokenCount"),
    number(usage, "/totalTokenCount"),
  ],
};

describeWithCorpus("recorded answers, through a model", (folder) => {
  for (const api of protocolIds) {
    const answers = recorded(folder, api);

    test(`of ${api} come to an end, with what was recorded and the documented counts`, {
      timeout: 120_000,
    }, async () => {
      const messages = new Map<string, { readonly message: AssistantMessage; readonly usages: readonly Usage[] }>();
      const service = await startService((request, response) => {
        const { stream, body } = answers[Number(request.headers["x-answer"])] as Recorded;
        response.writeHead(200, { "content-type": stream === undefined ? "application/json" : "text/event-stream" });
        response.end(stream ?? JSON.stringify(body));
      });
      const models = createModels({ retry: { maxRetries: 0 } });
      const provider = openaiCompatibleProvider({ id: "own", baseUrl: service.origin });
      models.setProvider({ ...provider, api });
      const model = { type: "chat", id: "m", provider: "own", api } as const;
      for (const [index, { name, stream }] of answers.entries()) {
        const asked = models.stream(
          model,
          { messages: [{ role: "user", content: "hi" }] },
          { stream: stream !== undefined, headers: { "x-answer": String(index) } },
        );
        const usages: Usage[] = [];
        for await (const event of asked as AsyncIterable<AssistantMessageEvent>)
          if (event.type === "usage") usages.push(event.usage);
        messages.set(name, { message: await asked.result(), usages });
      }
      expect(messages.size).toBe(answers.length);
      expect(answers.length).toBeGreaterThan(200);
      for (const [name, { message }] of messages) {
        expect(["stop", "length", "toolUse", "deferred", "error"], name).toContain(message.stopReason);
        expect(message.errorMessage ?? "", name).not.toMatch(/TypeError|RangeError|internal/);
        expect(JSON.parse(JSON.stringify(message)), name).toEqual(message);
      }
      const odd: string[] = [];
      let counted = 0;
      for (const [name, { message, usages }] of messages) {
        const { usage } = message;
        if (!isJsonObject(usage.raw) || message.stopReason === "error") continue;
        counted++;
        const { input, output, cacheRead, cacheWrite, totalTokens } = usage;
        const [prompt, answer, total] = documented[api](usage.raw);
        const own = [input + cacheRead + cacheWrite, output, totalTokens];
        const expected = [prompt, answer, total === undefined || total === 0 ? prompt + answer : total];
        if (JSON.stringify(own) !== JSON.stringify(expected))
          odd.push(`${name}: ${own} for ${expected}, of ${JSON.stringify(usage.raw)}`);
        expect(withoutWire({ usage: usages.at(-1) } as never), name).toEqual(withoutWire({ usage } as never));
      }
      expect(odd).toEqual([]);
      expect(counted).toBeGreaterThan(150);
    });
  }
});
