import type {
  Converted,
  ConvertRequestOptions,
  Exchange,
  InexactPlace,
  Json,
  JsonObject,
  Loss,
  Profile,
  Protocol,
  ProtocolId,
  UrlTarget,
  WireRequest,
} from "@rolecall/core";
import { DecodeError, escapeSegment, inexactPlaces, isJsonObject, jsonEqual, ProviderError } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import type { Family } from "../families/family.ts";
import { familyOf } from "../families/index.ts";
import type { Body } from "../http/body.ts";
import type { Call } from "../http/sink.ts";
import type { ModelTarget } from "../model/map.ts";
import type { Span } from "../model/scan.ts";
import { beginsObject, findMember, replaceSpans, scanFirst, scanLast, scanMembers } from "../model/scan.ts";
import { converterOf } from "../protocols.ts";
import type { OpenExchange } from "./exchange.ts";
import { ownLoss, settleLosses } from "./own-losses.ts";
import type { Query } from "./query.ts";
import { readQuery, withQuery } from "./query.ts";

export interface PreparedRequest {
  /** Below the base URL of the service, with query. */
  readonly path: string;
  /** In one piece or several. */
  readonly body: Uint8Array | readonly Uint8Array[];
  /** Asked for as a stream. Of a body that goes through the answer tells. */
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
const scanned = new Map<ProtocolId, Set<string>>();

function scannedKeys(protocol: ProtocolId): ReadonlySet<string> {
  let keys = scanned.get(protocol);
  if (keys === undefined) {
    const { limits, budget } = familyOf(protocol);
    keys = new Set(["model", "stream", ...limits.map(([key = ""]) => key)]);
    if (budget !== undefined) keys.add(budget.keys[0]);
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
  if (client !== service) return convertBody(preparation).prepared;
  // Also where it is converted, the two sides could read a body that says a thing twice differently.
  if (scanMembers(call.body.whole(), scannedKeys(client.id)) === undefined) refuseBody(call, client);
  if (!passesAll(engine.settled.service?.profile ?? {})) {
    const { prepared, isChanged } = convertBody(preparation);
    // Where nothing had to be changed for this service, its client's own spelling is as good. Not all that changes is a loss.
    if (isChanged) return prepared;
  }
  return prepareBytes(engine, call, exchange) ?? refuseBody(call, client);
}

/** The bytes of the client, with another model and other limits where the gateway says so; undefined for a body that has to be read. */
export function prepareBytes(engine: Engine, call: Call, exchange: OpenExchange): PreparedRequest | undefined {
  const { from } = exchange.record;
  const family = familyOf(from);
  const query = readQuery(call, family);
  const settle = (path: string, body: PreparedRequest["body"], losses: readonly Loss[]): PreparedRequest => {
    exchange.record.losses = settleLosses(engine.settled, losses);
    exchange.record.fresh = losses.length;
    exchange.record.passed = true;
    return { path: withQuery(path, query), body, stream: false, passes: true };
  };
  const named = engine.maps ? undefined : modelAtEdge(call);
  if (named !== undefined) {
    noteModel(engine, exchange, named);
    return settle(family.generatePath(sameUrl(call, named)), inPieces(call.body), queryLosses(exchange, query));
  }
  const body = call.body.whole();
  const spans = scanMembers(body, scannedKeys(from));
  if (spans === undefined) return undefined;
  const span = spans.get("model");
  const model = call.url === undefined ? span && readMember(body, span, ["model"]) : call.url.model;
  const target = noteModel(engine, exchange, model);
  const changes: (readonly [Span, string])[] = [];
  if (target !== undefined && target.model !== model && call.url === undefined && span !== undefined)
    changes.push([span, JSON.stringify(target.model)]);
  const losses: Loss[] = [];
  const most = target?.maxTokens;
  for (const keys of most === undefined ? [] : family.limits) {
    const span = findMember(body, spans, keys);
    const value = span === undefined ? undefined : readMember(body, span, keys);
    if (span === undefined || most === undefined || typeof value !== "number" || value <= most) continue;
    changes.push([span, String(most)]);
    losses.push(clampLoss(exchange, keys, most));
  }
  if (most !== undefined && losses.length > 0) lowerBudget(exchange, body, spans, most, changes, losses);
  losses.push(...queryLosses(exchange, query));
  const sent = changes.length === 0 ? body : replaceSpans(body, changes);
  return settle(family.generatePath(sameUrl(call, target?.model)), sent, losses);
}

const inPieces = ({ pieces }: Body): PreparedRequest["body"] => (pieces.length === 1 ? (pieces[0] as Buffer) : pieces);

/** Bytes at either end of a body in which a model that stands before or behind all that is long is found. */
const EDGE = 4096;

/** The model of a body that begins as an object. Where nothing depends on it, the rest is for the service alone to read. */
function modelAtEdge({ body, url }: Call): string | undefined {
  const head = body.head.subarray(0, EDGE);
  if (!beginsObject(head)) return undefined;
  if (url?.model !== undefined) return url.model;
  const first = scanFirst(head, "model");
  if (first !== undefined) return textOf(head, first);
  const tail = body.tail(EDGE);
  const last = scanLast(tail, "model");
  return last && textOf(tail, last);
}

function textOf(bytes: Buffer, span: Span): string | undefined {
  const value = readMember(bytes, span, ["model"]);
  return typeof value === "string" ? value : undefined;
}

/** Puts a budget of thinking tokens below a limit that was lowered. */
function lowerBudget(
  exchange: OpenExchange,
  body: Buffer,
  spans: ReadonlyMap<string, Span>,
  limit: number,
  changes: (readonly [Span, string])[],
  losses: Loss[],
): void {
  const { budget } = familyOf(exchange.record.from);
  if (budget === undefined) return;
  const whole = spans.get(budget.keys[0]);
  const span = findMember(body, spans, budget.keys);
  if (whole === undefined || span === undefined || !(Number(readMember(body, span, budget.keys)) >= limit)) return;
  const fit = fittingBudget(budget, limit);
  changes.push(fit === undefined ? [whole, JSON.stringify(budget.off)] : [span, String(fit)]);
  losses.push(budgetLoss(exchange, budget, fit));
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
    const text = strict.decode(call.body.whole());
    return { text, value: JSON.parse(text) as Json };
  } catch {
    // Its error names the place.
    return converterOf(client, client).convertRequest(call.body.whole()) as never;
  }
}

function readExactly(
  call: Call,
  client: Protocol,
): { readonly value: JsonObject; readonly inexact: readonly InexactPlace[] } {
  const { text, value } = readBody(call, client);
  if (!isJsonObject(value)) throw new DecodeError("", "a request body is a JSON object");
  return { value, inexact: inexactPlaces(text, value) };
}

/** The body in the terms of the service, and whether that is more than another order or spelling of the same values. */
function convertBody({ engine, call, client, service, exchange }: Preparation): {
  readonly prepared: PreparedRequest;
  readonly isChanged: boolean;
} {
  const { histories: cache } = engine;
  const history = client === service ? undefined : cache.read(call.body.whole(), client, exchange.scope);
  const { value: read, inexact } =
    history === undefined ? readExactly(call, client) : { value: history.value, inexact: [] };
  if (client !== service) refuseStored(client, read);
  const asked: { readonly model?: unknown; readonly stream?: unknown } = call.url ?? read;
  const model = noteModel(engine, exchange, asked.model);
  const target = engine.targetOf(model);
  const isMapped = model !== undefined && model.model !== asked.model;
  const body = isMapped && call.url === undefined ? { ...read, model: model.model } : read;
  const url = isMapped && call.url !== undefined ? { ...call.url, model: model.model } : call.url;
  const options: { -readonly [K in keyof ConvertRequestOptions]: ConvertRequestOptions[K] } = {
    inexact,
    source: sourceOf(call, client),
    target,
  };
  if (history !== undefined) {
    options.cache = cache;
    options.history = history;
  }
  const { accept, onLoss } = engine.settled.losses;
  if (accept !== undefined) options.accept = accept;
  if (onLoss !== undefined) options.onLoss = onLoss;
  const converted = converterOf(client, service).convertRequest(wireOf(call, client, body, url), options);
  const query = readQuery(call, client === service ? familyOf(client.id) : undefined);
  const clamped = clamp(converted, read, exchange, target.maxOutputTokens);
  const { value } = clamped;
  const own = settleLosses(engine.settled, [...clamped.losses, ...queryLosses(exchange, query)]);
  const losses = own.length === 0 ? converted.losses : [...converted.losses, ...own];
  exchange.requestLosses(losses, read);
  const prepared = {
    path: withQuery(familyOf(service.id).generatePath(value.url), query),
    body: history?.pieces(value.body as JsonObject) ?? Buffer.from(JSON.stringify(value.body)),
    stream: asked.stream === true,
    passes: false,
    exchange: converted.exchange,
  };
  return {
    prepared: value.headers === undefined ? prepared : { ...prepared, headers: value.headers },
    isChanged: client !== service || losses.length > 0 || !jsonEqual(value.body, body),
  };
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
export function wireOf({ headers }: Call, client: Protocol, body: JsonObject, url: WireRequest["url"]): WireRequest {
  const stated = client.id === "anthropic-messages" ? headers["anthropic-beta"] : undefined;
  if (stated === undefined) return url === undefined ? { body } : { body, url };
  const betas = stated
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
  return betas.length === 0 ? { body } : { body, headers: { betas } };
}

/** What was known of the last client. Frozen, so that converters look at it once. */
let lastSource: Profile = Object.freeze({});

/** What is known of the client. */
export function sourceOf({ headers }: Call, { id }: Protocol): Profile {
  const version = id === "anthropic-messages" ? headers["anthropic-version"] : undefined;
  if (lastSource.protocol !== id || lastSource.apiVersion !== version)
    lastSource = Object.freeze(version === undefined ? { protocol: id } : { protocol: id, apiVersion: version });
  return lastSource;
}

/** Not every encoder knows the limit of its model. The losses are those of the limit alone. */
function clamp(
  { value }: Pick<Converted<WireRequest>, "value">,
  read: JsonObject,
  exchange: OpenExchange,
  limit: number | undefined,
): Pick<Converted<WireRequest>, "value" | "losses"> {
  const { body } = value;
  const { limits, budget } = familyOf(exchange.record.to);
  if (limit === undefined || !isJsonObject(body)) return { value, losses: [] };
  const sent = limits.find((keys) => Number(memberOf(body, keys)) > limit);
  if (sent === undefined) return { value, losses: [] };
  const known = familyOf(exchange.record.from).limits;
  const asked = known.find((keys) => memberOf(read, keys) !== undefined) ?? known[0] ?? sent;
  const lowered = withMember(body, sent, limit);
  const losses = [clampLoss(exchange, asked, limit, sent)];
  if (budget === undefined || !(Number(memberOf(body, budget.keys)) >= limit))
    return { value: { ...value, body: lowered }, losses };
  const fit = fittingBudget(budget, limit);
  const fitting =
    fit === undefined ? withMember(lowered, [budget.keys[0]], budget.off) : withMember(lowered, budget.keys, fit);
  return { value: { ...value, body: fitting }, losses: [...losses, budgetLoss(exchange, budget, fit)] };
}

function memberOf(body: Json, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), body);
}

/** The object with another value at a place that it has. */
function withMember(object: JsonObject, [key = "", ...below]: readonly string[], value: Json): JsonObject {
  const inner = object[key];
  return { ...object, [key]: below.length > 0 && isJsonObject(inner) ? withMember(inner, below, value) : value };
}

function clampLoss(exchange: OpenExchange, keys: readonly string[], limit: number, targetKeys = keys): Loss {
  const at = { path: `/${keys.join("/")}`, targetPath: `/${targetKeys.join("/")}` };
  return ownLoss(exchange, "setting.clamped", at, { sent: String(limit) });
}

/** A budget of thinking tokens below a lowered limit; undefined where none fits. */
function fittingBudget({ least }: NonNullable<Family["budget"]>, limit: number): number | undefined {
  return limit > least ? limit - 1 : undefined;
}

function budgetLoss(exchange: OpenExchange, { keys }: NonNullable<Family["budget"]>, fit: number | undefined): Loss {
  const path = `/${keys.join("/")}`;
  return fit === undefined ? ownLoss(exchange, "reasoning.budget_dropped", { path }) : clampLoss(exchange, keys, fit);
}

function queryLosses(exchange: OpenExchange, { lost }: Query): Loss[] {
  return lost.map((name) => ownLoss(exchange, "field.no_counterpart", { path: `/url/${escapeSegment(name)}` }));
}

function noteModel(engine: Engine, exchange: OpenExchange, model: unknown): ModelTarget | undefined {
  if (typeof model !== "string") return undefined;
  const target = engine.lookup(model);
  exchange.record.model = model;
  exchange.record.sentModel = target.model;
  return target;
}
