import { endpoints } from "../../endpoint/index.ts";
import { ProviderError, TransportError } from "../../errors/index.ts";
import type { AssistantMessage, Json, Loss, Message, StopReason } from "../../ir/index.ts";
import type { Locator, LossDraft } from "../../loss/index.ts";
import { acceptLosses, enforcePolicy, resolveLosses } from "../../loss/index.ts";
import type { StreamFailure } from "../../stream/events.ts";
import { describeFailure } from "../../stream/failure.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { estimateCost } from "../cost.ts";
import type { Environment } from "../key.ts";
import { findKey } from "../key.ts";
import type { ChatModel } from "../model.ts";
import type { Provider } from "../provider.ts";
import { urlOf } from "../provider.ts";
import { bodyOf, headersOf, readText } from "../transport/answer.ts";
import { Deadlines } from "../transport/clock.ts";
import { readFailure } from "../transport/failure.ts";
import type { Fetch, FetchResponse } from "../transport/fetch.ts";
import { delayUntil, retryDelay, wait } from "../transport/wait.ts";
import type { ModelRequest } from "./encode.ts";
import { encodeConversation } from "./encode.ts";
import type { AssistantMessageEvent } from "./events.ts";
import type { AnswerSource } from "./message-stream.ts";
import type { ChatOptions } from "./options.ts";
import type { Reading } from "./read-answer.ts";
import { readAnswer } from "./read-answer.ts";
import { redacted } from "./redact.ts";

/** What a call needs beside what is asked. */
export interface ChatRuntime {
  readonly environment: Environment;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly random: () => number;
  readonly load: (id: string) => Promise<Protocol>;
}

/** The limits that count where none is stated. */
const FIRST_BYTE = 300_000;
const IDLE = 300_000;
const RETRIES = 2;

/** One call of a model: the request, its attempts, and the answer as it comes. */
export class ChatCall implements AnswerSource {
  readonly events: AsyncIterator<AssistantMessageEvent, void>;
  readonly losses: Loss[] = [];
  readonly #provider: Provider;
  readonly #model: ChatModel;
  readonly #messages: readonly Message[];
  readonly #options: ChatOptions;
  readonly #runtime: ChatRuntime;
  readonly #cancelled = new AbortController();
  readonly #startedAt: number;
  #firstEventAt: number | undefined;
  #attempts = 0;
  #request: ModelRequest | undefined;
  #url: URL | undefined;
  #headers: { readonly [name: string]: string } = {};
  #response: { readonly status: number; readonly headers: { readonly [name: string]: string } } | undefined;
  #message: () => AssistantMessage;

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
    this.#message = () => this.#empty();
    this.events = this.#run();
  }

  snapshot(): AssistantMessage {
    return this.#complete(this.#message());
  }

  cancel(): void {
    this.#cancelled.abort(new Error("the answer is not wanted any more"));
  }

  async *#run(): AsyncGenerator<AssistantMessageEvent, void> {
    const { signal: outer, timeouts = {} } = this.#options;
    const signals = [this.#cancelled.signal, ...(outer === undefined ? [] : [outer])];
    const signal = AbortSignal.any(signals);
    const total = new Deadlines(this.#provider.id, signal);
    total.start("totalTimeout", timeouts.totalMs ?? 0);
    let last: AssistantMessageEvent;
    try {
      yield* this.#ask(total.signal);
      last = ended(this.snapshot());
    } catch (error) {
      last = this.#failed(error, signal);
    } finally {
      total.end();
    }
    this.#tell(last);
    yield last;
  }

  /** All attempts. What comes before the first content is held back, because the next attempt says it again. */
  async *#ask(signal: AbortSignal): AsyncGenerator<AssistantMessageEvent, void> {
    const { retry = {} } = this.#options;
    const protocol = await this.#runtime.load(this.#model.api);
    signal.throwIfAborted();
    this.#request = encodeConversation(protocol, this.#provider, this.#model, this.#messages, this.#options);
    this.losses.push(...this.#request.losses);
    await this.#address(this.#request, protocol);
    for (let attempt = 0; ; attempt++) {
      let isTold = false;
      try {
        for await (const event of this.#attempt(protocol, this.#request, signal)) {
          isTold = true;
          yield event;
        }
        return;
      } catch (error) {
        const { retryable, retryAfterMs } = patience(error);
        if (isTold || !retryable || signal.aborted || attempt >= (retry.maxRetries ?? RETRIES)) throw error;
        const delay = retryDelay(attempt, retryAfterMs, retry, this.#runtime.random);
        if (delay === undefined) throw error;
        await wait(delay, signal);
      }
    }
  }

  async #address({ value, profile }: ModelRequest, protocol: Protocol): Promise<void> {
    const { api } = this.#model;
    const endpoint = endpoints[api];
    const url = urlOf(this.#provider, this.#model, api, endpoint.generatePath(value.url));
    const { key, status } = await findKey(this.#provider, url, this.#runtime.environment, this.#options.apiKey);
    if (!status.ok) throw new ProviderError(status.message as string, { kind: "authentication", retryable: false });
    const version =
      value.headers?.version ?? profile.apiVersion ?? (protocol.id === "anthropic-messages" ? "2026-10-21" : undefined);
    const headers: { [name: string]: string } = {
      "content-type": "application/json",
      accept: this.#options.stream === false ? "application/json" : "text/event-stream",
      ...(version !== undefined && { "anthropic-version": version }),
      ...(value.headers?.betas !== undefined &&
        value.headers.betas.length > 0 && { "anthropic-beta": value.headers.betas.join(",") }),
      ...(key !== undefined && endpoint.keyHeaders(key, version)),
    };
    for (const stated of [this.#provider.headers, this.#model.headers, this.#options.headers])
      for (const [name, text] of Object.entries(stated ?? {}))
        if (text === null) delete headers[name.toLowerCase()];
        else headers[name.toLowerCase()] = text;
    this.#url = url;
    this.#headers = headers;
  }

  async *#attempt(
    protocol: Protocol,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<AssistantMessageEvent, void> {
    const { timeouts = {} } = this.#options;
    const { host } = this.#url as URL;
    const deadlines = new Deadlines(host, signal);
    this.#attempts++;
    this.#message = () => this.#empty();
    try {
      deadlines.start("firstByteTimeout", timeouts.firstByteMs ?? FIRST_BYTE);
      const response = await this.#send(request, deadlines.signal, host);
      deadlines.stop("firstByteTimeout");
      deadlines.start("idleTimeout", timeouts.idleMs ?? IDLE);
      const headers = headersOf(response);
      this.#response = { status: response.status, headers };
      if (response.status < 200 || response.status >= 300)
        throw await this.#refusal(protocol, response, headers, deadlines.signal);
      const reading: Reading = {
        protocol,
        exchange: request.exchange,
        response,
        headers,
        host,
        deadlines,
        idleMs: timeouts.idleMs ?? IDLE,
        isStream: this.#options.stream !== false,
        hold: (message) => {
          this.#message = message;
        },
        snapshot: () => this.snapshot(),
        lose: (drafts, locate) => this.#lose(drafts, locate, protocol),
      };
      const events = readAnswer(reading);
      for await (const event of events) {
        this.#firstEventAt ??= this.#runtime.now();
        yield event;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (deadlines.signal.aborted) throw deadlines.signal.reason;
      throw error;
    } finally {
      deadlines.end();
      deadlines.abort();
    }
  }

  async #send(request: ModelRequest, signal: AbortSignal, host: string): Promise<FetchResponse> {
    const ask = this.#options.fetch ?? this.#runtime.fetch;
    try {
      return await ask((this.#url as URL).href, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(request.value.body),
        signal,
        redirect: "error",
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw readFailure(host, error);
    }
  }

  async #refusal(
    protocol: Protocol,
    response: FetchResponse,
    headers: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<ProviderError> {
    const text = await readText(response, signal);
    const error = protocol.decodeError(response.status, headers, bodyOf(text));
    const wait = error.details.retryAfterMs ?? delayUntil(headers["retry-after"], this.#runtime.now());
    return wait === undefined ? error : new ProviderError(error.message, { ...error.details, retryAfterMs: wait });
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
      usage: {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 0,
        unreported: ["input", "output", "cacheRead", "cacheWrite", "totalTokens"],
      },
      stopReason: "pending",
      timestamp: this.#startedAt,
    };
  }

  /** A message of the service with what only its caller knows. */
  #complete(message: AssistantMessage): AssistantMessage {
    const told = message.responseModel ?? (message.model === "unknown" ? undefined : message.model);
    const cost = message.usage.cost ?? estimateCost(this.#model.cost, message.usage);
    const thinking = this.#request?.thinking;
    return {
      ...message,
      provider: this.#provider.id,
      model: this.#model.id,
      ...(told !== undefined && this.#response !== undefined && { responseModel: told }),
      ...(this.#options.thinkingLevel !== undefined && { thinkingLevel: this.#options.thinkingLevel }),
      ...(thinking !== undefined && { providerThinkingLevel: thinking.providerLevel }),
      usage: cost === undefined ? message.usage : { ...message.usage, cost },
      timestamp: this.#startedAt,
    };
  }

  #failed(error: unknown, signal: AbortSignal): AssistantMessageEvent {
    const message = this.snapshot();
    if (signal.aborted)
      return {
        type: "error",
        reason: "aborted",
        error: { ...message, stopReason: "aborted", errorMessage: "the answer was given up" },
      };
    const failure = describe(error);
    return {
      type: "error",
      reason: "error",
      error: { ...message, stopReason: "error", errorMessage: failure.message, error: failure as unknown as Json },
    };
  }

  #tell(event: AssistantMessageEvent): void {
    const { onExchange } = this.#options;
    if (onExchange === undefined || this.#request === undefined || this.#url === undefined) return;
    const message = event.type === "done" ? event.message : event.type === "error" ? event.error : this.snapshot();
    onExchange({
      provider: this.#provider.id,
      model: this.#model.id,
      api: this.#model.api,
      startedAt: this.#startedAt,
      ...(this.#firstEventAt !== undefined && { firstEventMs: this.#firstEventAt - this.#startedAt }),
      totalMs: this.#runtime.now() - this.#startedAt,
      attempts: this.#attempts,
      request: {
        method: "POST",
        url: this.#url.href,
        headers: redacted(this.#headers),
        body: this.#request.value.body,
      },
      ...(this.#response !== undefined && {
        response: { ...this.#response, headers: redacted(this.#response.headers) },
      }),
      losses: [...this.losses],
      message,
    });
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

function patience(error: unknown): { readonly retryable: boolean; readonly retryAfterMs?: number } {
  if (error instanceof TransportError) return { retryable: error.retryable };
  if (!(error instanceof ProviderError)) return { retryable: false };
  const { retryable, retryAfterMs } = error.details;
  return { retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Why an answer failed, as a message tells it. */
function describe(error: unknown): StreamFailure {
  if (error instanceof ProviderError) return describeFailure(error);
  if (error instanceof TransportError)
    return {
      message: error.message,
      kind: /Timeout$/.test(error.kind) ? "timeout" : "server",
      retryable: error.retryable,
      type: "transport",
      providerCode: error.kind,
    };
  const message = error instanceof Error ? error.message : "the call failed";
  const code =
    error instanceof Error && "isRolecallError" in error ? (error as { readonly code?: unknown }).code : undefined;
  return { message, kind: "invalid_request", retryable: false, ...(typeof code === "string" && { type: code }) };
}
