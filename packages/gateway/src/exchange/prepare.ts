import type {
  Converted,
  Exchange,
  Json,
  JsonObject,
  Loss,
  Profile,
  Protocol,
  ProtocolId,
  WireRequest,
} from "@rolecall/core";
import { DecodeError, inexactPlaces, isJsonObject, lossDefinition, ProviderError } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import type { UrlTarget } from "../families/family.ts";
import { familyOf } from "../families/index.ts";
import type { Call } from "../http/sink.ts";
import type { ModelTarget } from "../model/map.ts";
import type { Span } from "../model/scan.ts";
import { findMember, replaceSpans, scanMembers } from "../model/scan.ts";
import { converterOf } from "../protocols.ts";
import type { OpenExchange } from "./exchange.ts";

export interface PreparedRequest {
  /** Below the base URL of the service, with query. */
  readonly path: string;
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

/** For each protocol the keys at the top of a body that say which model is asked, and how. */
const scanned = new Map<ProtocolId, ReadonlySet<string>>();

function scannedKeys(protocol: ProtocolId): ReadonlySet<string> {
  let keys = scanned.get(protocol);
  if (keys === undefined) {
    keys = new Set(["model", "stream", ...familyOf(protocol).limits.map(([key = ""]) => key)]);
    scanned.set(protocol, keys);
  }
  return keys;
}

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
  const { from } = exchange.record;
  const family = familyOf(from);
  const spans = scanMembers(call.body, scannedKeys(from));
  if (spans === undefined) return undefined;
  const member = (name: string): unknown => {
    const span = spans.get(name);
    return span === undefined ? undefined : readMember(call.body, span, [name]);
  };
  const model = call.url === undefined ? member("model") : call.url.model;
  const target = noteModel(engine, exchange, model);
  const changes: (readonly [Span, string])[] = [];
  const modelSpan = call.url === undefined ? spans.get("model") : undefined;
  if (target !== undefined && target.model !== model && modelSpan !== undefined)
    changes.push([modelSpan, JSON.stringify(target.model)]);
  const losses: Loss[] = [];
  const most = target?.maxTokens;
  for (const keys of most === undefined ? [] : family.limits) {
    const span = findMember(call.body, spans, keys);
    const value = span === undefined ? undefined : readMember(call.body, span, keys);
    if (span === undefined || most === undefined || typeof value !== "number" || value <= most) continue;
    changes.push([span, String(most)]);
    losses.push(clampLoss(exchange, keys, most));
  }
  exchange.record.losses = losses;
  exchange.record.fresh = losses.length;
  exchange.record.passed = true;
  return {
    path: family.generatePath(sameUrl(call, target?.model)) + (call.query === "?beta=true" ? call.query : ""),
    body: changes.length === 0 ? call.body : replaceSpans(call.body, changes),
    stream: (call.url === undefined ? member("stream") : call.url.stream) === true,
    passes: true,
  };
}

/** The client's URL with another model. Without a word about it, its stream is a list. */
function sameUrl({ url }: Call, model: string | undefined): UrlTarget | undefined {
  if (url === undefined) return undefined;
  return {
    ...url,
    ...(model !== undefined && { model }),
    ...(url.stream === true && url.alt === undefined && { alt: "json" }),
  };
}

function readMember(bytes: Buffer, { start, end }: Span, keys: readonly string[]): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", start, end));
  } catch {
    throw new DecodeError(`/${keys.join("/")}`, "not valid JSON");
  }
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
  if (client !== service) refuseStored(client, read);
  const asked: { readonly model?: unknown; readonly stream?: unknown } = call.url ?? read;
  const model = noteModel(engine, exchange, asked.model);
  const target = engine.targetOf(model);
  const isMapped = model !== undefined && model.model !== asked.model;
  const body = isMapped && call.url === undefined ? { ...read, model: model.model } : read;
  const url = isMapped && call.url !== undefined ? { ...call.url, model: model.model } : call.url;
  const converted = converterOf(client, service).convertRequest(wireOf(call, client, body, url), {
    ...engine.settled.losses,
    inexact: inexactPlaces(text, read),
    source: sourceOf(call, client),
    target,
  });
  const { value, losses } = clamp(converted, read, exchange, target.maxOutputTokens);
  exchange.requestLosses(losses, read);
  const prepared = {
    path: familyOf(service.id).generatePath(value.url),
    body: Buffer.from(JSON.stringify(value.body)),
    stream: asked.stream === true,
    passes: false,
    exchange: converted.exchange,
  };
  return value.headers === undefined ? prepared : { ...prepared, headers: value.headers };
}

/** Throws a ProviderError in the words of the client's own service, which would have what the request names. */
export function refuseStored(client: Protocol, body: JsonObject): void {
  const stored = familyOf(client.id).findStored?.(body);
  if (stored === undefined) return;
  const { message, param, code } = stored;
  const details = { kind: "invalid_request", status: 400, retryable: false, param, providerCode: code } as const;
  throw new ProviderError(message, details);
}

/** The body with what stands in the URL, and with the betas that a client of Messages asks for. */
function wireOf({ headers }: Call, client: Protocol, body: JsonObject, url: WireRequest["url"]): WireRequest {
  const stated = client.id === "anthropic-messages" ? headers["anthropic-beta"] : undefined;
  if (stated === undefined) return url === undefined ? { body } : { body, url };
  const betas = stated
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
  return betas.length === 0 ? { body } : { body, headers: { betas } };
}

/** What is known of the client. */
function sourceOf({ headers }: Call, { id }: Protocol): Profile {
  const version = id === "anthropic-messages" ? headers["anthropic-version"] : undefined;
  return version === undefined ? { protocol: id } : { protocol: id, apiVersion: version };
}

/** Not every encoder knows the limit of its model. */
function clamp(
  converted: Pick<Converted<WireRequest>, "value" | "losses">,
  read: JsonObject,
  exchange: OpenExchange,
  limit: number | undefined,
): Pick<Converted<WireRequest>, "value" | "losses"> {
  const { value, losses } = converted;
  const { body } = value;
  if (limit === undefined || !isJsonObject(body)) return converted;
  const sent = familyOf(exchange.record.to).limits.find((keys) => Number(memberOf(body, keys)) > limit);
  if (sent === undefined) return converted;
  const known = familyOf(exchange.record.from).limits;
  const asked = known.find((keys) => memberOf(read, keys) !== undefined) ?? known[0] ?? sent;
  return {
    value: { ...value, body: withMember(body, sent, limit) },
    losses: [...losses, clampLoss(exchange, asked, limit, sent)],
  };
}

function memberOf(body: Json, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), body);
}

/** The object with another value at a place that it has. */
function withMember(object: JsonObject, [key = "", ...below]: readonly string[], value: Json): JsonObject {
  const inner = object[key];
  return { ...object, [key]: below.length > 0 && isJsonObject(inner) ? withMember(inner, below, value) : value };
}

function clampLoss({ record }: OpenExchange, keys: readonly string[], limit: number, targetKeys = keys): Loss {
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
    path: `/${keys.join("/")}`,
    targetPath: `/${targetKeys.join("/")}`,
    detail: detail
      .replaceAll("{sent}", String(limit))
      .replaceAll("{to}", record.to)
      .replaceAll(/\{\w+\}/g, keys.at(-1) ?? ""),
  };
}

function noteModel(engine: Engine, exchange: OpenExchange, model: unknown): ModelTarget | undefined {
  if (typeof model !== "string") return undefined;
  const target = engine.lookup(model);
  exchange.record.model = model;
  exchange.record.sentModel = target.model;
  return target;
}
