import type { Loss, ProtocolId } from "@rolecall/core";
import { isJsonObject, summarizeLosses } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { clientKey } from "../http/headers.ts";
import { scrub } from "../http/secrets.ts";
import type { Call } from "../http/sink.ts";
import { formatExchange } from "../report/format.ts";
import { lossesHeader } from "../report/losses-header.ts";
import type { ExchangeRecord } from "../report/record.ts";
import { conversationKey, createReportId } from "../report/store.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** One exchange while it runs. It ends once, and is then reported. */
export interface OpenExchange {
  readonly record: Mutable<ExchangeRecord>;
  /** Keys that must not be seen, the client's own among them. */
  readonly secrets: readonly (string | undefined)[];
  /** Takes the losses of the request, and tells what is new among them. */
  requestLosses(losses: readonly Loss[], body: unknown): void;
  answerLosses(losses: readonly Loss[]): void;
  /** The headers of Rolecall itself for an answer that starts now. */
  headers(): { readonly "rolecall-losses": string };
  firstByte(): void;
  finish(
    outcome: "complete" | "failed" | "aborted",
    error?: { readonly stage: string; readonly message: string },
  ): void;
}

const nothingLost = summarizeLosses([]);

const knownClients: { readonly [product: string]: string | undefined } = {
  "claude-cli": "claude-code",
  Anthropic: "anthropic-sdk",
  OpenAI: "openai-sdk",
  AsyncOpenAI: "openai-sdk",
};

/** The name of a client's program, from its user agent. */
function clientName(userAgent: string | undefined): string | undefined {
  const name = /^[A-Za-z0-9._@-]{1,40}/.exec(userAgent ?? "")?.[0];
  return name === undefined ? undefined : (knownClients[name] ?? name);
}

export function openExchange(engine: Engine, call: Call, from: ProtocolId): OpenExchange {
  const { settled, reports } = engine;
  const started = performance.now();
  const key = clientKey(call.headers);
  const client = clientName(call.headers["user-agent"]);
  const record: Mutable<ExchangeRecord> = {
    id: createReportId(),
    time: Date.now(),
    from,
    to: settled.service?.protocol ?? from,
    service: settled.service?.url.host ?? "scripted",
    stream: false,
    passed: false,
    requestBytes: call.body.length,
    outcome: "running",
    losses: [],
    fresh: 0,
    more: 0,
    ...(client !== undefined && { client }),
  };
  const secrets = [...settled.secrets, key];
  const elapsed = () => Math.round(performance.now() - started);
  return {
    record,
    secrets,
    requestLosses(losses, body) {
      const { fresh, more, turn } = reports.compare(conversationKey(from, key, body), losses);
      record.losses = losses;
      record.fresh = fresh.length;
      record.more = more.length;
      record.turn = turn;
      if (isJsonObject(body)) {
        if (Array.isArray(body["tools"])) record.tools = body["tools"].length;
        if (Array.isArray(body["messages"])) record.messages = body["messages"].length;
      }
    },
    answerLosses(losses) {
      if (losses.length > 0) record.losses = [...record.losses, ...losses];
    },
    headers() {
      reports.put(record);
      return {
        "rolecall-losses": lossesHeader(
          record.losses.length === 0 ? nothingLost : summarizeLosses(record.losses),
          record.fresh,
          record.id,
        ),
      };
    },
    firstByte() {
      record.firstByteMs ??= elapsed();
    },
    finish(outcome, error) {
      if (record.outcome !== "running") return;
      record.outcome = outcome;
      record.totalMs = elapsed();
      if (error !== undefined) record.error = { stage: error.stage, message: scrub(error.message, secrets) };
      const { log, verbose, onExchange } = settled.options;
      reports.put(record);
      try {
        log?.(formatExchange(record, { verbose: verbose === true }));
        onExchange?.(record);
      } catch {
        // Whoever watches must not break what is watched.
      }
    },
  };
}
