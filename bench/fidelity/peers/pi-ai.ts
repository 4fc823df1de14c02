import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { protocolIds } from "@rolecall/core";
import type { Direction, Output } from "../direction.ts";
import { model, next, question, result } from "../samples.ts";
import { writeFrames } from "../sse.ts";
import { namesIn } from "./answers.ts";
import { framesOfAnswer } from "./frames.ts";
import { loadFrom } from "./load.ts";
import { startLoopback } from "./loopback.ts";

/** What is called of pi-ai. */
interface Api {
  stream(model: object, context: object, options: object): { result(): Promise<Message> };
}

interface Message {
  readonly content: readonly { readonly type: string; readonly id?: string; readonly name?: string }[];
  readonly durationMs?: number;
}

const apis: { readonly [protocol in ProtocolId]: readonly [api: string, provider: string, path: string] } = {
  "openai-chat": ["openai-completions", "openai", "/v1"],
  "openai-responses": ["openai-responses", "openai", "/v1"],
  "anthropic-messages": ["anthropic-messages", "anthropic", ""],
  "gemini-generate-content": ["google-generative-ai", "google", "/v1beta"],
};

/**
 * Answers of all four protocols, read by the `stream` of each API; what is read of them goes back with the next request, to a service of the same
 * protocol or of another. It only asks for streams, so the answers come as streams that say the same. Requests do not start from a body of a protocol.
 */
export async function createDirections(): Promise<{ directions: readonly Direction[]; stop: () => void }> {
  const { normalizeContext } = await loadFrom<{ normalizeContext(context: object): object }>(
    "pi-ai",
    "@earendil-works/pi-ai",
  );
  const loopback = await startLoopback();
  const loaded = new Map<ProtocolId, Api>();
  for (const id of protocolIds)
    loaded.set(id, await loadFrom<Api>("pi-ai", `@earendil-works/pi-ai/api/${apis[id][0]}`));
  const ask = (protocol: ProtocolId, messages: readonly object[], names: readonly string[]): Promise<Message> => {
    const [api, provider, path] = apis[protocol];
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const limits = { contextWindow: 200_000, maxTokens: 2048 };
    const described = {
      id: model,
      name: model,
      api,
      provider,
      baseUrl: loopback.url + path,
      reasoning: true,
      input: ["text", "image"],
      cost,
      ...limits,
    };
    const tools = names.map((name) => ({ name, description: "", parameters: { type: "object", properties: {} } }));
    const context = normalizeContext({ messages, tools });
    return (loaded.get(protocol) as Api)
      .stream(described, context, { apiKey: "sk-fidelity-0123456789", maxRetries: 0 })
      .result();
  };
  const first = [{ role: "user", content: question, timestamp: 1 }];
  const read = (protocol: ProtocolId, body: Json): Promise<Message> => {
    loopback.answer(writeFrames({ events: framesOfAnswer(protocol, body) }, protocol), "text/event-stream");
    return ask(protocol, first, [...new Set(namesIn(body))]);
  };
  const goOn = async (from: ProtocolId, to: ProtocolId, body: Json): Promise<Output> => {
    const message = await read(from, body);
    const calls = message.content.filter(({ type }) => type === "toolCall");
    const content = [{ type: "text", text: result }];
    const results = calls.map(({ id, name }) => ({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content,
      isError: false,
      timestamp: 2,
    }));
    loopback.answer(writeFrames({ events: [] }, to), "text/event-stream");
    loopback.take();
    await ask(
      to,
      [...first, message, ...results, { role: "user", content: next, timestamp: 3 }],
      calls.map(({ name = "" }) => name),
    );
    const received = loopback.take();
    if (received === undefined) throw new Error("the service was not asked");
    const { tools: _tools, ...sent } = JSON.parse(received.body) as JsonObject;
    return { value: sent };
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
        const { durationMs: _durationMs, ...message } = await read(from, body);
        return { value: JSON.parse(JSON.stringify(message)) as Json };
      },
    },
  ]);
  return { directions, stop: () => loopback.stop() };
}
