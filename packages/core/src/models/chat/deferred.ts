import { endpoints } from "../../endpoint/index.ts";
import { ConfigError } from "../../errors/index.ts";
import type { AssistantMessage } from "../../ir/index.ts";
import type { ChatModel } from "../model.ts";
import type { Provider } from "../provider.ts";
import { bodyOf, readBody, readText } from "../transport/answer.ts";
import { Deadlines } from "../transport/clock.ts";
import { send } from "../transport/send.ts";
import { addressOf } from "./address.ts";
import type { ChatRuntime } from "./call.ts";
import type { ChatOptions } from "./options.ts";
import { ownMessage, settled } from "./own-message.ts";
import { createAnswerReader } from "./read-answer.ts";

/** How a service is asked for an answer that it makes in the background. */
export type DeferredOptions = Pick<ChatOptions, "signal" | "apiKey" | "headers" | "fetch" | "timeouts">;

/** Milliseconds that count where none are stated: the service only looks up what there is. */
const SHORT = 60_000;

/**
 * Asks for an answer again that was deferred, or gives it up. The message says how far it is: still "deferred", or how it ended. Throws a
 * TransportError or a ProviderError where the service does not tell; the answer may come all the same.
 */
export async function askDeferred(
  provider: Provider,
  model: ChatModel,
  id: string,
  method: "GET" | "POST",
  options: DeferredOptions,
  { environment, fetch: usual, now, load }: ChatRuntime,
): Promise<AssistantMessage> {
  const { api } = model;
  const { storedPath } = endpoints[api];
  if (storedPath === undefined)
    throw new ConfigError("/api", `${provider.id}/${model.id} is asked in ${api}, whose services keep no answers`);
  const { firstByteMs = SHORT, idleMs = SHORT, totalMs = 0 } = options.timeouts ?? {};
  const protocol = await load(api);
  const path = method === "GET" ? storedPath(id) : `${storedPath(id)}/cancel`;
  const input = { api, path, apiKey: options.apiKey, headers: options.headers };
  const { url, headers } = await addressOf(provider, model, input, { accept: "application/json" }, environment);
  const deadlines = new Deadlines(url.host, options.signal);
  const startedAt = now();
  try {
    deadlines.start("totalTimeout", totalMs);
    const answer = await send(
      options.fetch ?? provider.fetch ?? usual,
      url,
      { method, headers },
      deadlines,
      firstByteMs,
    );
    const { status } = answer.response;
    if (status < 200 || status > 299) {
      const text = await readText(answer.response, url.host, deadlines, idleMs);
      throw protocol.decodeError(status, answer.headers, bodyOf(text));
    }
    let message: (() => AssistantMessage) | undefined;
    const reader = createAnswerReader({
      protocol,
      exchange: { from: api, to: api },
      status,
      headers: answer.headers,
      host: url.host,
      isStream: false,
      hold: (held) => {
        message = held;
      },
      price: (usage) => usage,
      snapshot: () => (message as () => AssistantMessage)(),
      lose: () => {},
    });
    deadlines.start("idleTimeout", idleMs);
    for await (const chunk of readBody(answer.response, url.host, deadlines)) reader.take(chunk);
    for (const _ of reader.finish());
    const received = (message as unknown as () => AssistantMessage)();
    return { ...settled(ownMessage(received, provider.id, model)), timestamp: startedAt };
  } finally {
    deadlines.end();
    deadlines.abort();
  }
}
