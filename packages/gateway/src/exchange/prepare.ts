import type {
  ConvertRequestOptions,
  Exchange,
  Json,
  JsonObject,
  Loss,
  Profile,
  Protocol,
  WireRequest,
} from "@rolecall/core";
import { DecodeError, inexactPlaces, isJsonObject, lossDefinition } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import type { Call } from "../http/sink.ts";
import type { ModelTarget } from "../model/map.ts";
import type { Span } from "../model/scan.ts";
import { replaceSpans, scanMembers } from "../model/scan.ts";
import { converterOf } from "../protocols.ts";
import type { OpenExchange } from "./exchange.ts";

export interface PreparedRequest {
  readonly body: Uint8Array;
  readonly stream: boolean;
  /** The answer's bytes go to the client as they come. */
  readonly passes: boolean;
  /** Of a converted request. */
  readonly exchange?: Exchange;
  readonly headers?: WireRequest["headers"];
}

interface Preparation {
  readonly engine: Engine;
  readonly call: Call;
  readonly client: Protocol;
  readonly service: Protocol;
  readonly exchange: OpenExchange;
}

/** Fields that limit what may be generated. */
const limits = ["max_tokens", "max_completion_tokens"] as const;
const scanned: ReadonlySet<string> = new Set(["model", "stream", ...limits]);

/** What of a profile makes no difference to a body of the same protocol. */
const neutral: ReadonlySet<string> = new Set(["protocol", "provider", "model", "apiVersion", "betas", "fallbacks"]);

/** Whether bodies of the service's own protocol can go to it as they are, whatever they say. */
export function passesAll(profile: Profile): boolean {
  return Object.keys(profile).every((key) => neutral.has(key));
}

/** What goes to the service. Throws a RolecallError for what cannot go there. */
export function prepareRequest(preparation: Preparation): PreparedRequest {
  const { engine, call, client, service, exchange } = preparation;
  if (client !== service) return convertBody(preparation);
  const converted = passesAll(engine.settled.service?.profile ?? {}) ? undefined : convertBody(preparation);
  // Where nothing had to be changed for this service, its client's own spelling is as good.
  if (converted !== undefined && exchange.record.losses.length > 0) return converted;
  return prepareBytes(engine, call, exchange) ?? refuseBody(call, client);
}

/** The bytes of the client, with another model and other limits where the gateway says so; undefined for a body that has to be read. */
export function prepareBytes(engine: Engine, call: Call, exchange: OpenExchange): PreparedRequest | undefined {
  const spans = scanMembers(call.body, scanned);
  if (spans === undefined) return undefined;
  const member = (name: string): unknown => {
    const span = spans.get(name);
    if (span === undefined) return undefined;
    try {
      return JSON.parse(call.body.toString("utf8", span.start, span.end));
    } catch {
      throw new DecodeError(`/${name}`, "not valid JSON");
    }
  };
  const model = member("model");
  const target = noteModel(engine, exchange, model);
  const changes: (readonly [Span, string])[] = [];
  const modelSpan = spans.get("model");
  if (target !== undefined && target.model !== model && modelSpan !== undefined)
    changes.push([modelSpan, JSON.stringify(target.model)]);
  const losses: Loss[] = [];
  for (const name of target?.maxTokens === undefined ? [] : limits) {
    const span = spans.get(name);
    const value = member(name);
    if (span === undefined || target?.maxTokens === undefined || typeof value !== "number") continue;
    if (value <= target.maxTokens) continue;
    changes.push([span, String(target.maxTokens)]);
    losses.push(clampLoss(exchange, name, target.maxTokens));
  }
  exchange.record.losses = losses;
  exchange.record.fresh = losses.length;
  exchange.record.passed = true;
  return {
    body: changes.length === 0 ? call.body : replaceSpans(call.body, changes),
    stream: member("stream") === true,
    passes: true,
  };
}

/** The scan understands every body that says each thing once. Of the others the parser tells what is wrong. */
function refuseBody(call: Call, client: Protocol): never {
  const { value } = readBody(call, client);
  if (!isJsonObject(value)) throw new DecodeError("", "a request body is a JSON object");
  throw new DecodeError("", "the body states one of model, stream and the limits of tokens twice, or in escapes");
}

const strict = new TextDecoder("utf-8", { fatal: true });

function readBody(call: Call, client: Protocol): { readonly text: string; readonly value: Json } {
  try {
    const text = strict.decode(call.body);
    return { text, value: JSON.parse(text) as Json };
  } catch {
    // Its error names the place.
    return converterOf(client, client).convertRequest(call.body) as never;
  }
}

function convertBody({ engine, call, client, service, exchange }: Preparation): PreparedRequest {
  const { text, value: read } = readBody(call, client);
  if (!isJsonObject(read)) throw new DecodeError("", "a request body is a JSON object");
  const model = noteModel(engine, exchange, read["model"]);
  const target = engine.targetOf(model);
  const body = model === undefined || model.model === read["model"] ? read : { ...read, model: model.model };
  const options: { -readonly [K in keyof ConvertRequestOptions]: ConvertRequestOptions[K] } = {
    inexact: inexactPlaces(text, read),
    source: sourceOf(call, client),
    target,
  };
  const { accept, onLoss } = engine.settled.losses;
  if (accept !== undefined) options.accept = accept;
  if (onLoss !== undefined) options.onLoss = onLoss;
  const converted = converterOf(client, service).convertRequest(wireOf(call, client, body), options);
  const { value, losses } = clamp(converted.value, converted.losses, exchange, target.maxOutputTokens);
  exchange.requestLosses(losses, read);
  const prepared = {
    body: Buffer.from(JSON.stringify(value.body)),
    stream: read["stream"] === true,
    passes: false,
    exchange: converted.exchange,
  };
  return value.headers === undefined ? prepared : { ...prepared, headers: value.headers };
}

/** The body with the betas that a client of Messages asks for. */
function wireOf({ headers }: Call, client: Protocol, body: JsonObject): WireRequest {
  const stated = client.id === "anthropic-messages" ? headers["anthropic-beta"] : undefined;
  if (stated === undefined) return { body };
  const betas = stated
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
  return betas.length === 0 ? { body } : { body, headers: { betas } };
}

/** What was known of the last client. Frozen, so that converters look at it once. */
let lastSource: Profile = Object.freeze({});

/** What is known of the client. */
function sourceOf({ headers }: Call, { id }: Protocol): Profile {
  const version = id === "anthropic-messages" ? headers["anthropic-version"] : undefined;
  if (lastSource.protocol !== id || lastSource.apiVersion !== version)
    lastSource = Object.freeze(version === undefined ? { protocol: id } : { protocol: id, apiVersion: version });
  return lastSource;
}

/** Not every encoder knows the limit of its model. */
function clamp(wire: WireRequest, losses: readonly Loss[], exchange: OpenExchange, limit: number | undefined) {
  if (limit === undefined || !isJsonObject(wire.body)) return { value: wire, losses };
  for (const name of limits) {
    const asked = wire.body[name];
    if (typeof asked !== "number" || asked <= limit) continue;
    return {
      value: { ...wire, body: { ...wire.body, [name]: limit } },
      losses: [...losses, clampLoss(exchange, "max_tokens", limit, `/${name}`)],
    };
  }
  return { value: wire, losses };
}

function clampLoss({ record }: OpenExchange, name: string, limit: number, targetPath = `/${name}`): Loss {
  const { kind, effect, severity, detail } = lossDefinition("setting.clamped") ?? {
    kind: "approximated",
    effect: "control",
    severity: "warning",
    detail: "",
  };
  return {
    code: "setting.clamped",
    kind,
    effect,
    severity,
    stage: "encode",
    from: record.from,
    to: record.to,
    path: `/${name}`,
    targetPath,
    detail: detail
      .replaceAll("{sent}", String(limit))
      .replaceAll("{to}", record.to)
      .replaceAll(/\{\w+\}/g, name),
  };
}

function noteModel(engine: Engine, exchange: OpenExchange, model: unknown): ModelTarget | undefined {
  if (typeof model !== "string") return undefined;
  const target = engine.lookup(model);
  exchange.record.model = model;
  exchange.record.sentModel = target.model;
  return target;
}
