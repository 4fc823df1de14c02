import type { Loss, ProtocolId } from "@rolecall/core";
import { isJsonObject, LossError, mergeGroups, summarizeLosses } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { clientKey } from "../http/headers.ts";
import { scrub } from "../http/secrets.ts";
import type { Call } from "../http/sink.ts";
import { formatExchange } from "../report/format.ts";
import { createReportId } from "../report/id.ts";
import { lossesHeader } from "../report/losses-header.ts";
import type { ExchangeRecord } from "../report/record.ts";
import { conversationKey, turnsOf } from "../report/store.ts";
import { DETAILED, keepLosses, summaryOf } from "../report/tally.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const noLosses: readonly Loss[] = [];
const nothingLost = summarizeLosses(noLosses);

const knownClients: { readonly [product: string]: string | undefined } = {
  "claude-cli": "claude-code",
  Anthropic: "anthropic-sdk",
  OpenAI: "openai-sdk",
  AsyncOpenAI: "openai-sdk",
  "google-genai-sdk": "google-sdk",
  "GeminiCLI-tui": "gemini-cli",
};

/** A tool of Gemini may hold many functions. */
function countTools(sum: number, tool: unknown): number {
  const functions = isJsonObject(tool) ? (tool["functionDeclarations"] ?? tool["function_declarations"]) : undefined;
  return sum + (Array.isArray(functions) ? functions.length : 1);
}

/** The name of a client's program, from its user agent. */
function clientName(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const name = /^[A-Za-z0-9._@-]{1,40}/.exec(userAgent)?.[0];
  return name === undefined ? undefined : (knownClients[name] ?? name);
}

/** Milliseconds of a clock that nobody sets. Node loads its `performance` with the first word about it, and a start is measured in milliseconds. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** One exchange while it runs. It ends once, and is then reported. */
export class OpenExchange {
  readonly record: Mutable<ExchangeRecord>;
  /** Keys that must not be seen, the client's own among them. */
  readonly secrets: readonly (string | undefined)[];
  readonly #engine: Engine;
  readonly #started = now();
  readonly #key: string | undefined;
  #conversation: string | undefined;
  /** Where its record stands among the reports. */
  #place: number | undefined;

  constructor(engine: Engine, call: Call, from: ProtocolId) {
    const { settled } = engine;
    this.#engine = engine;
    this.#key = clientKey(call);
    this.secrets = this.#key === undefined ? settled.secrets : [...settled.secrets, this.#key];
    this.record = {
      id: createReportId(),
      time: Date.now(),
      from,
      to: settled.service?.protocol ?? from,
      service: engine.service,
      stream: false,
      passed: false,
      requestBytes: call.body.length,
      outcome: "running",
      losses: noLosses,
      omitted: [],
      fresh: 0,
      more: 0,
    };
    const client = clientName(call.headers["user-agent"]);
    if (client !== undefined) this.record.client = client;
  }

  /** Whose conversation it is: those of one key are never compared with those of another. */
  get scope(): string {
    return this.#key ?? "";
  }

  /** Takes the losses of the request, and tells what is new among them. */
  requestLosses(losses: readonly Loss[], body: unknown): void {
    const { record } = this;
    this.#conversation = conversationKey(record.from, this.#key, body);
    const { losses: first, omitted } = keepLosses(losses);
    const shared = this.#engine.reports.share(first);
    const { fresh, more, turn } = this.#engine.reports.compare(this.#conversation, { losses: shared, omitted });
    record.losses = shared;
    record.omitted = omitted;
    record.fresh = fresh;
    record.more = more;
    record.turn = turn;
    if (!isJsonObject(body)) return;
    if (Array.isArray(body["tools"])) record.tools = body["tools"].reduce(countTools, 0);
    const turns = turnsOf(body);
    if (turns.length > 0) record.messages = turns.length;
  }

  /** Takes the losses for which the policy refuses a request or an answer: they did not happen, but are why. */
  refusedLosses(thrown: unknown): void {
    if (!(thrown instanceof LossError)) return;
    const { record } = this;
    this.#add(thrown.losses);
    record.fresh += thrown.losses.length;
  }

  answerLosses(losses: readonly Loss[]): void {
    if (losses.length === 0) return;
    const { record } = this;
    this.#add(losses);
    record.fresh +=
      this.#conversation === undefined ? losses.length : this.#engine.reports.compareAnswer(this.#conversation, losses);
  }

  #add(losses: readonly Loss[]): void {
    const { record } = this;
    const { losses: first, omitted } = keepLosses(losses, DETAILED - record.losses.length);
    const shared = this.#engine.reports.share(first);
    record.losses = record.losses.length === 0 ? shared : [...record.losses, ...shared];
    if (omitted.length > 0) record.omitted = mergeGroups(record.omitted, omitted);
  }

  /** The headers of Rolecall itself for an answer that starts now. */
  headers(): { readonly "rolecall-losses": string } {
    const { record } = this;
    this.#place = this.#engine.reports.put(record, this.#place);
    const summary = record.losses.length === 0 && record.omitted.length === 0 ? nothingLost : summaryOf(record);
    return { "rolecall-losses": lossesHeader(summary, record.fresh, record.id) };
  }

  firstByte(): void {
    this.record.firstByteMs ??= this.#elapsed();
  }

  finish(
    outcome: "complete" | "failed" | "aborted",
    error?: { readonly stage: string; readonly message: string },
  ): void {
    const { record } = this;
    if (record.outcome !== "running") return;
    record.outcome = outcome;
    record.totalMs = this.#elapsed();
    if (error !== undefined) record.error = { stage: error.stage, message: scrub(error.message, this.secrets) };
    const { log, verbose, onExchange } = this.#engine.settled.options;
    this.#place = this.#engine.reports.put(record, this.#place);
    try {
      log?.(formatExchange(record, { verbose: verbose === true }));
      onExchange?.(record);
    } catch {
      // Whoever watches must not break what is watched.
    }
  }

  #elapsed(): number {
    return Math.round(now() - this.#started);
  }
}
