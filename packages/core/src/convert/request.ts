import type { Open } from "../codec/ledger.ts";
import type { Decoded, EncodedRequest, EncodeOptions, Linker, WireRequest } from "../codec/protocol.ts";
import type { Conversation, Converted, Exchange, JsonObject, Profile, Settings } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { inexactDrafts } from "../json/inexact.ts";
import type { KnownDrafts, LossDraft } from "../loss/index.ts";
import { traceLocator } from "../loss/index.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { Entry, HistoryCache, ReadHistory } from "./history/cache.ts";
import { convertGrown } from "./history/grow.ts";
import type { RequestInput, SameKind } from "./input.ts";
import { isWireRequest, readRequest } from "./input.ts";
import { checkRequestOptions } from "./options.ts";
import { crossesIssuers, refuseElsewhere, sealedPlaces, withoutPlaces } from "./sealed.ts";
import type { ConvertOptions } from "./settle.ts";
import { checked, encodeOrPlace, mended, settle } from "./settle.ts";
import type { TraceEntry } from "./trace.ts";
import { traceNodes } from "./trace.ts";

export interface ConvertRequestOptions extends ConvertOptions {
  readonly source?: Profile;
  readonly target?: Profile;
  /** Toward the same protocol: mend what its services refuse, and report it, as is done toward another. */
  readonly mend?: true;
  /**
   * The conversations that are going on. Where a body, which must be text or bytes, goes on from one that was converted before, only what is new
   * is converted; the result is the same. `scope` is whose conversations they are: those of one are never compared with those of another.
   */
  readonly cache?: HistoryCache;
  readonly scope?: string;
  /** What the cache gave for the body, for a caller who looks at a body before it is converted. The input is an object then. */
  readonly history?: ReadHistory;
}

export interface ConvertedRequest<T> extends Converted<SameKind<T>> {
  readonly exchange: Exchange;
  /** Source, IR and target place of every node. */
  readonly trace: () => TraceEntry[];
}

/**
 * What decoding gives, without what a body has in fields of no protocol that only its service can read, where another service is asked. What that
 * service has stored is refused, or left out where the profile asks for that.
 */
function unsealed(
  source: Protocol,
  target: Protocol,
  wire: WireRequest,
  options: ConvertRequestOptions,
  drafts: LossDraft[],
): Decoded<Conversation> {
  const decoded = source.decodeRequest(wire, options.source);
  // Other protocols get no residue at all.
  if (source !== target || !crossesIssuers(options.source, options.target)) return decoded;
  const { source: issuer, target: profile = {} } = options;
  const locate = traceLocator(decoded.trace);
  const left = encodeOrPlace(decoded, () => refuseElsewhere(decoded.value, profile, target.id));
  const media = left.map(({ node, ...draft }) => {
    const path = (node && locate(node, "")) ?? "";
    drafts.push({ ...draft, path });
    return path;
  });
  const sealed = sealedPlaces(decoded).filter((place) => !media.some((path) => place.startsWith(`${path}/`)));
  for (const path of sealed)
    drafts.push({
      code: "state.foreign",
      stage: "decode",
      path,
      values: { kind: "payload", from: issuer?.provider ?? "" },
    });
  // The places of each are in the order of the body, those of one are never within those of the other.
  const body = withoutPlaces(withoutPlaces(wire.body, sealed), media);
  return body === wire.body ? decoded : source.decodeRequest({ ...wire, body }, options.source);
}

/** A request on its way: read, decoded and encoded. */
interface Passage {
  readonly wire: WireRequest;
  readonly decoded: Decoded<Conversation>;
  readonly encoded: EncodedRequest;
  readonly before: LossDraft[];
  /** Writes a request in the same kind as the input. */
  readonly write: (wire: WireRequest) => unknown;
  /** What became of losses that an earlier request had as well. */
  readonly known?: KnownDrafts;
}

export function convertRequestWith<T extends RequestInput>(
  source: Protocol,
  target: Protocol,
  input: T,
  options: ConvertRequestOptions = {},
): ConvertedRequest<T> {
  checkRequestOptions(options);
  const { cache } = options;
  const grown = cache === undefined ? undefined : convertHistory(source, target, input, options, cache);
  const { wire, decoded, encoded, before, write, known } = grown ?? convertWhole(source, target, input, options);
  const { url, body } = encoded.value;
  if (url !== undefined && !isWireRequest(input)) before.push(...unwritten(url, decoded.value.settings));
  const losses = settle(decoded, encoded, body as object, before, source, target, options, known);
  return {
    value: write(encoded.value) as SameKind<T>,
    losses,
    exchange: withOrigin(encoded.exchange, source, source === target ? undefined : source.echoOf?.(wire)),
    trace: () =>
      traceNodes(
        decoded.value,
        decoded.trace,
        (link) => encodeWith(target, decoded.value, options, link).value.body as object,
      ),
  };
}

function encodeWith(
  target: Protocol,
  value: Conversation,
  options: ConvertRequestOptions,
  link?: Linker,
): EncodedRequest {
  const how: Open<EncodeOptions> = {};
  if (options.mend === true) how.mend = true;
  if (link !== undefined) how.link = link;
  return target.encodeRequest(value, options.target, how);
}

function convertWhole(
  source: Protocol,
  target: Protocol,
  input: RequestInput,
  options: ConvertRequestOptions,
): Passage {
  const { wire, body: read, write } = readRequest(input);
  const cross = source !== target;
  const found = checked(wire.body, read.isText || options.inexact !== undefined, cross);
  const before = inexactDrafts(options.inexact ?? read.inexact(found));
  const body = mended(wire.body, found, before);
  if (cross) before.push(...unheeded(wire));
  const decoded = unsealed(source, target, body === wire.body ? wire : { ...wire, body }, options, before);
  const encoded = encodeOrPlace(decoded, () => encodeWith(target, decoded.value, options));
  return { wire, decoded, encoded, before, write };
}

/** What asks for betas of one service says nothing to another. */
function unheeded({ headers }: WireRequest): LossDraft[] {
  return headers === undefined ? [] : [{ code: "header.beta", stage: "decode", path: "/headers" }];
}

/** The same for a body that goes on from one before it; undefined for one that has to be converted as a whole. */
function convertHistory(
  source: Protocol,
  target: Protocol,
  input: RequestInput,
  options: ConvertRequestOptions,
  cache: HistoryCache,
): Passage | undefined {
  // Toward the same protocol nothing is encoded that would be worth it. Of what is inexact the text is needed.
  if (source === target || (options.inexact?.length ?? 0) > 0) return undefined;
  const raw: unknown = isWireRequest(input) ? input.body : input;
  const isText = typeof raw === "string" || raw instanceof Uint8Array;
  const read = isText ? cache.read(raw, source, options.scope) : options.history;
  if (read === undefined) return undefined;
  // The text was read by the cache.
  const { wire, write } = readRequest(
    !isText ? input : isWireRequest(input) ? { ...input, body: read.value } : read.value,
  );
  const { body } = wire;
  const grown = isJsonObject(body) ? convertGrown(source, target, { ...wire, body }, options, read) : undefined;
  if (grown === undefined) return undefined;
  cache.keep(read, grown.isContinuation);
  const writeText = (written: WireRequest): unknown => {
    const text = read.write(written.body as JsonObject);
    return isWireRequest(input) ? { ...written, body: text } : text;
  };
  return {
    wire,
    ...grown,
    before: unheeded(wire),
    write: isText ? writeText : write,
    known: (read as Entry).fragments.losses,
  };
}

/** The exchange with the client's protocol, and what an answer in it says again of its request. */
function withOrigin(exchange: Exchange, { id }: Protocol, echo: Exchange["echo"]): Exchange {
  if (echo !== undefined) return { ...exchange, from: id, echo };
  return exchange.from === id ? exchange : { ...exchange, from: id };
}

/** What a target has in its URL, where the result is a body alone. */
function unwritten(url: NonNullable<WireRequest["url"]>, settings: Settings): LossDraft[] {
  const fields = (["model", "stream"] as const).filter((field) => url[field] !== undefined);
  return fields.map((field) => ({ code: "url.missing", stage: "encode", node: settings, field }));
}
