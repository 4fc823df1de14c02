import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { protocolIds } from "@rolecall/core";
import type { Direction, Output } from "../direction.ts";
import { model, next, question, result } from "../samples.ts";
import { leastAnswers, namesIn } from "./answers.ts";
import { loadFrom } from "./load.ts";

/** What is called of the AI SDK. */
interface AiSdk {
  generateText(options: object): Promise<Generated>;
  tool(options: object): object;
  jsonSchema(schema: object): object;
}

interface Generated {
  readonly content: Json;
  readonly finishReason: Json;
  readonly rawFinishReason?: Json;
  readonly usage: Json;
  readonly providerMetadata?: Json;
  readonly warnings?: readonly Json[];
  readonly toolCalls: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly providerExecuted?: boolean;
  }[];
  readonly response: { readonly id: string; readonly modelId: string; readonly messages: readonly object[] };
}

type CreateProvider = (
  options: object,
) => ((model: string) => object) & { chat(model: string): object; responses(model: string): object };

/**
 * Answers of all four protocols, read by `generateText`; what is read of them goes back with the next request, to a service of the same protocol or of
 * another. Requests do not start from a body of a protocol there. The raw body that it also hands out (`response.body`) is not counted.
 */
export async function createDirections(): Promise<{ directions: readonly Direction[] }> {
  const sdk = await loadFrom<AiSdk>("ai-sdk", "ai");
  const { createOpenAI } = await loadFrom<{ createOpenAI: CreateProvider }>("ai-sdk", "@ai-sdk/openai");
  const { createAnthropic } = await loadFrom<{ createAnthropic: CreateProvider }>("ai-sdk", "@ai-sdk/anthropic");
  const { createGoogle } = await loadFrom<{ createGoogle: CreateProvider }>("ai-sdk", "@ai-sdk/google");
  // Warnings are read from the result.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  let answer: Json = null;
  /** What it asks for by itself after an answer, as where one is not finished, is the end. */
  let end: Json = null;
  let asked: string | undefined;
  const options = {
    apiKey: "sk-fidelity-0123456789",
    baseURL: "http://127.0.0.1:9/v1",
    async fetch(_url: string, init: RequestInit): Promise<Response> {
      asked = String(init.body);
      const given = answer;
      answer = end;
      return Response.json(given);
    },
  };
  const models: { readonly [protocol in ProtocolId]: object } = {
    "openai-chat": createOpenAI(options).chat(model),
    "openai-responses": createOpenAI(options).responses(model),
    "anthropic-messages": createAnthropic(options)(model),
    "gemini-generate-content": createGoogle(options)(model),
  };
  const generate = (protocol: ProtocolId, messages: readonly object[], names: readonly string[]): Promise<Generated> =>
    sdk.generateText({
      model: models[protocol],
      messages,
      maxRetries: 0,
      maxOutputTokens: 2048,
      // Otherwise the next request names what the service stored, instead of saying it again.
      providerOptions: { openai: { store: false } },
      tools: Object.fromEntries(
        names.map((name) => [name, sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }) })]),
      ),
    });
  const first = [{ role: "user", content: question }];
  const read = (protocol: ProtocolId, body: Json): Promise<Generated> => {
    answer = body;
    end = leastAnswers[protocol];
    return generate(protocol, first, namesIn(body));
  };
  const goOn = async (from: ProtocolId, to: ProtocolId, body: Json): Promise<Output> => {
    const { toolCalls, response } = await read(from, body);
    const calls = toolCalls.filter(({ providerExecuted }) => providerExecuted !== true);
    const results = calls.map(({ toolCallId, toolName }) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: "text", value: result },
    }));
    const messages = [
      ...first,
      ...response.messages,
      ...(results.length > 0 ? [{ role: "tool", content: results }] : []),
      { role: "user", content: next },
    ];
    answer = leastAnswers[to];
    end = answer;
    asked = undefined;
    const names = calls.map(({ toolName }) => toolName);
    const { warnings = [] } = await generate(to, messages, names);
    if (asked === undefined) throw new Error("the service was not asked");
    const { tools: _tools, ...sent } = JSON.parse(asked) as JsonObject;
    return { value: sent, warnings };
  };
  const directions = protocolIds.flatMap((from): Direction[] => [
    ...protocolIds.map(
      (to): Direction => ({ operation: "history", from, to, convert: (body) => goOn(from, to, body) }),
    ),
    {
      operation: "response",
      from,
      to: "own",
      async convert(body) {
        const {
          content,
          finishReason,
          rawFinishReason,
          usage,
          providerMetadata,
          warnings = [],
          response,
        } = await read(from, body);
        const { id, modelId, messages } = response;
        const own = { content, finishReason, rawFinishReason, usage, providerMetadata, id, modelId, messages };
        return { value: JSON.parse(JSON.stringify(own)) as Json, warnings };
      },
    },
  ]);
  return { directions };
}
