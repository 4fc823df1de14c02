import { endpoints } from "../../endpoint/index.ts";
import { LossError } from "../../errors/index.ts";
import type { AssistantMessage, Json, Loss, Message, StopReason } from "../../ir/index.ts";
import type { Locator, LossDraft } from "../../loss/index.ts";
import { acceptLosses, enforcePolicy, resolveLosses } from "../../loss/index.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { noUsage } from "../cost.ts";
import type { Environment } from "../key.ts";
import type { ChatModel } from "../model.ts";
import type { Provider } from "../provider.ts";
import type { AnswerHeaders } from "../transport/answer.ts";
import { readBody } from "../transport/answer.ts";
import { Deadlines, FIRST_BYTE, IDLE } from "../transport/clock.ts";
import type { Fetch, FetchResponse } from "../transport/fetch.ts";
import { readRefusal } from "../transport/refusal.ts";
import { send } from "../transport/send.ts";
import { delayAfter, wait } from "../transport/wait.ts";
import type { Address } from "./address.ts";
import { addressOf } from "./address.ts";
import type { ModelRequest } from "./encode.ts";
import { encodeConversation } from "./encode.ts";
import type { AssistantMessageEvent } from "./events.ts";
import type { ModelExchange } from "./exchange.ts";
import { describe } from "./failure.ts";
import type { AnswerSource } from "./message-stream.ts";
import type { ChatOptions } from "./options.ts";
import { ownMessage, priced, settled } from "./own-message.ts";
import type { AnswerReader } from "./read-answer.ts";
import { createAnswerReader } from "./read-answer.ts";
import { redactedHeaders, redactedUrl, scrubbed } from "./redact.ts";

/** What a call needs beside what is asked. */
export interface ChatRuntime {
  readonly environment: Environment;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly random: () => number;
  readonly load: (id: string) => Promise<Protocol>;
}

/** One call of a model: the request, its attempts, and the answer as it comes. */
export class ChatCall implements AnswerSource {
  readonly events: AsyncIterator<AssistantMessageEvent, void>;
  readonly losses: Loss[] = [];
  readonly #provider: Provider;
  readonly #model: ChatModel;
  readonly #messages: readonly Message[];
  readonly #options: ChatOptions;
  readonly #runtime: ChatRuntime;
  /** Its signal fires when the caller gives the answer up, or the time for all of it is over. */
  readonly #total: Deadlines;
  readonly #startedAt: number;
  #firstEventAt: number | undefined;
  #attempts = 0;
  #request: ModelRequest | undefined;
  #address: Address | undefined;
  #response: { readonly status: number; readonly headers: AnswerHeaders } | undefined;
  /** What the service said so far. */
  #received: (() => AssistantMessage) | undefined;
  #last: AssistantMessage | undefined;

  constructor(
    provider: Provider,
    model: ChatModel,
    messages: readonly Message[],
    options: ChatOptions,
    runtime: ChatRuntime,
  ) {
    this.#provider = provider;
    this.#model = model;
    this.#messages = messages;
    this.#options = options;
    this.#runtime = runtime;
    this.#startedAt = runtime.now();
    this.#total = new Deadlines(provider.id, options.signal);
    this.events = this.#run();
  }

  snapshot(): AssistantMessage {
    return this.#last ?? this.#complete(this.#received?.() ?? this.#empty());
  }

  cancel(): void {
    this.#total.abort();
  }

  /**
   * The request, its attempts, and the answer. One generator for all: each that an event has to pass costs as much as reading it. What comes before
   * the first content is held back by the reader, because the next attempt says it again.
   */
  async *#run(): AsyncGenerator<AssistantMessageEvent, void> {
    const { timeouts = {}, retry = {} } = this.#options;
    const { idleMs = IDLE, totalMs = 0 } = timeouts;
    const { signal } = this.#total;
    this.#total.start("totalTimeout", totalMs);
    let last: AssistantMessage;
    try {
      const protocol = await this.#runtime.load(this.#model.api);
      signal.throwIfAborted();
      const request = this.#encode(protocol);
      const address = await this.#find(request, protocol);
      this.#address = address;
      signal.throwIfAborted();
      for (let attempt = 0, isOver = false; !isOver; attempt++) {
        // Those of an attempt before are of an answer that nobody gets.
        this.losses.splice(request.losses.length);
        const deadlines = new Deadlines(address.url.host, signal);
        let isTold = false;
        try {
          const { response, reader } = await this.#open(protocol, request, address, deadlines);
          deadlines.start("idleTimeout", idleMs);
          for await (const chunk of readBody(response, address.url.host, deadlines)) {
            if (!reader.take(chunk)) continue;
            // While whoever reads takes his time, the service is not to blame.
            deadlines.stop("idleTimeout");
            for (const event of reader.events()) {
              isTold = true;
              this.#firstEventAt ??= this.#runtime.now();
              yield event;
            }
            if (reader.isDone) break;
            deadlines.start("idleTimeout", idleMs);
          }
          deadlines.stop("idleTimeout");
          for (const event of reader.finish()) {
            isTold = true;
            this.#firstEventAt ??= this.#runtime.now();
            yield event;
          }
          isOver = true;
        } catch (error) {
          signal.throwIfAborted();
          const delay = isTold ? undefined : delayAfter(error, attempt, retry, this.#runtime.random);
          if (delay === undefined) throw error;
          deadlines.end();
          deadlines.abort();
          await wait(delay, signal);
        } finally {
          deadlines.end();
          deadlines.abort();
        }
      }
      last = settled(this.snapshot());
    } catch (error) {
      last = this.#failed(error);
    } finally {
      this.#total.end();
    }
    this.#last = this.#withoutSecrets(last);
    this.#tell(this.#last);
    yield ended(this.#last);
  }

  #encode(protocol: Protocol): ModelRequest {
    try {
      this.#request = encodeConversation(protocol, this.#provider, this.#model, this.#messages, this.#options);
      this.losses.push(...this.#request.losses);
      return this.#request;
    } catch (error) {
      if (error instanceof LossError) this.losses.push(...error.losses);
      throw error;
    }
  }

  #find({ value, profile }: ModelRequest, protocol: Protocol): Promise<Address> {
    const { stream, apiKey, headers } = this.#options;
    return addressOf(
      this.#provider,
      this.#model,
      {
        api: protocol.id,
        path: endpoints[protocol.id].generatePath(value.url),
        version: value.headers?.version ?? profile.apiVersion,
        betas: value.headers?.betas,
        apiKey,
        headers,
      },
      {
        "content-type": "application/json",
        accept: stream === false ? "application/json" : "text/event-stream",
      },
      this.#runtime.environment,
    );
  }

  /** Sends the request once; the answer, as far as its head is there. Throws the ProviderError of one that is refused. */
  async #open(
    protocol: Protocol,
    request: ModelRequest,
    { url, headers }: Address,
    deadlines: Deadlines,
  ): Promise<{ readonly response: FetchResponse; readonly reader: AnswerReader }> {
    const { timeouts = {}, fetch = this.#provider.fetch ?? this.#runtime.fetch, stream } = this.#options;
    const { firstByteMs = FIRST_BYTE, idleMs = IDLE } = timeouts;
    this.#attempts++;
    this.#response = undefined;
    this.#received = undefined;
    const init = { method: "POST", headers, body: JSON.stringify(request.value.body) } as const;
    const answer = await send(fetch, url, init, deadlines, firstByteMs);
    const { response } = answer;
    const { status } = response;
    this.#response = { status, headers: answer.headers };
    if (status < 200 || status >= 300) {
      const { signal } = this.#total;
      throw await readRefusal(protocol, answer, url.host, deadlines, idleMs, signal, this.#runtime.now);
    }
    const reader = createAnswerReader({
      protocol,
      exchange: request.exchange,
      status,
      headers: answer.headers,
      host: url.host,
      isStream: stream !== false,
      hold: (message) => {
        this.#received = message;
      },
      snapshot: () => this.snapshot(),
      price: (usage) => priced(usage, this.#model),
      lose: (drafts, locate) => this.#lose(drafts, locate, protocol),
    });
    return { response, reader };
  }

  #lose(drafts: readonly LossDraft[], locate: Locator, { id }: Protocol): void {
    if (drafts.length === 0) return;
    const resolved = resolveLosses(drafts, id, id, { locate, locateIr: () => undefined });
    const fresh = acceptLosses(resolved, this.#options.accept ?? []);
    this.losses.push(...fresh);
    enforcePolicy(fresh, this.#options.onLoss ?? "report");
  }

  #empty(): AssistantMessage {
    return {
      role: "assistant",
      content: [],
      api: this.#model.api,
      provider: this.#provider.id,
      model: this.#model.id,
      usage: noUsage,
      stopReason: "pending",
      timestamp: this.#startedAt,
    };
  }

  /** A message of the service with what only its caller knows. */
  #complete(message: AssistantMessage): AssistantMessage {
    const thinking = this.#request?.thinking;
    const { thinkingLevel } = this.#options;
    const { responseModel: _told, ...others } = message;
    return {
      ...ownMessage(this.#response === undefined ? others : message, this.#provider.id, this.#model),
      ...(thinkingLevel !== undefined && { thinkingLevel }),
      ...(thinking !== undefined && { providerThinkingLevel: thinking.providerLevel }),
      timestamp: this.#startedAt,
    };
  }

  #failed(error: unknown): AssistantMessage {
    const message = this.snapshot();
    const { signal, expired } = this.#total;
    if (signal.aborted && !expired)
      return { ...message, stopReason: "aborted", errorMessage: "the answer was given up" };
    const failure = describe(error);
    return { ...message, stopReason: "error", errorMessage: failure.message, error: failure as unknown as Json };
  }

  /** Services say keys again in what they complain of. */
  #withoutSecrets(message: AssistantMessage): AssistantMessage {
    const { secrets = [] } = this.#address ?? {};
    const { errorMessage, error } = message;
    return {
      ...message,
      ...(errorMessage !== undefined && { errorMessage: scrubbed(errorMessage, secrets) }),
      ...(error !== undefined && { error: scrubbed(error, secrets) }),
    };
  }

  /** Names sort by time; those of one millisecond differ by chance. */
  #name(): string {
    const chance = Math.floor(this.#runtime.random() * 36 ** 4);
    return this.#startedAt.toString(36) + chance.toString(36).padStart(4, "0");
  }

  #tell(message: AssistantMessage): void {
    const { onExchange } = this.#options;
    if (onExchange === undefined || this.#request === undefined || this.#address === undefined) return;
    const { url, headers, secrets } = this.#address;
    const exchange: ModelExchange = {
      id: this.#name(),
      provider: this.#provider.id,
      model: this.#model.id,
      api: this.#model.api,
      startedAt: this.#startedAt,
      ...(this.#firstEventAt !== undefined && { firstEventMs: this.#firstEventAt - this.#startedAt }),
      totalMs: this.#runtime.now() - this.#startedAt,
      attempts: this.#attempts,
      request: {
        method: "POST",
        url: redactedUrl(url),
        headers: redactedHeaders(headers),
        body: this.#request.value.body,
      },
      ...(this.#response !== undefined && {
        response: { ...this.#response, headers: redactedHeaders(this.#response.headers) },
      }),
      losses: [...this.losses],
      message,
    };
    const shown = scrubbed(exchange as unknown as Json, secrets) as unknown as ModelExchange;
    try {
      onExchange(shown);
    } catch (error) {
      // The answer is whole: a fault of whoever looks on must not take it away, and must not be hidden either.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/** How a message that came to its end is told: the reasons that are failures end in an error. */
function ended(message: AssistantMessage): AssistantMessageEvent {
  const { stopReason } = message;
  if (isWhole(stopReason)) return { type: "done", reason: stopReason, message };
  return { type: "error", reason: stopReason === "aborted" ? "aborted" : "error", error: message };
}

function isWhole(reason: StopReason): reason is "stop" | "length" | "toolUse" | "deferred" {
  return reason === "stop" || reason === "length" || reason === "toolUse" || reason === "deferred";
}
