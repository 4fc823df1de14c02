import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, wireField } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type { CacheBreakpoint, Json, JsonObject, Settings, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { cacheControlKeys } from "../wire.ts";

const protocol = "anthropic-messages";
const plainMark: CacheBreakpoint = Object.freeze({});

/** `cache_control` of a block, tool or request. Anything but an ephemeral mark stays residue. */
export function decodeCacheControl(ledger: Ledger, source: JsonObject): CacheBreakpoint | undefined {
  const value = source["cache_control"];
  if (value === undefined) return undefined;
  if (!isJsonObject(value) || value["type"] !== "ephemeral") return keepOdd(ledger, "cache_control", value);
  const { ttl } = value;
  if (ttl === undefined && Object.keys(value).length === 1) return plainMark;
  const own = createLedger(protocol);
  keepUnknown(own, value, cacheControlKeys);
  if (typeof ttl !== "string") keepOdd(own, "ttl", ttl);
  return { ...(typeof ttl === "string" && { ttl }), ...wireField(own) };
}

/** OpenAI keeps a prefix for 30 minutes or 12 hours, Anthropic for 5 minutes or an hour: the shortest that is not shorter. */
const ttls: { readonly [ttl: string]: string } = { "30m": "1h", "12h": "1h" };

/** What a time to live is sent as; undefined where the API has nothing like it. */
export const knownTtl = (ttl: string | undefined): string | undefined =>
  ttl === undefined || ttl === "5m" || ttl === "1h" ? ttl : entryOf(ttls, ttl);

/** Writes a node's cache mark on `object`. */
export function encodeCacheControl(
  object: WireObject,
  node: object & { readonly cacheBreakpoint?: CacheBreakpoint; readonly wire?: WireForm },
  lossNode: object,
  writer: Writer,
): void {
  const { cacheBreakpoint } = node;
  if (cacheBreakpoint === undefined) return;
  const mark = markObject(cacheBreakpoint, lossNode, "cacheBreakpoint", writer);
  // In Chat a mark without a time to live takes that of the request, unless it is spelled as one of this API.
  const takes = cacheBreakpoint.ttl === undefined && formOf(node.wire, "openai-chat", "mark") !== "cache_control";
  const inherits = takes && writer.requestTtl !== undefined;
  object["cache_control"] = inherits ? { ...mark, ttl: writer.requestTtl as string } : mark;
  writer.marked.push({ object, node: lossNode, ...(inherits && { inherits }) });
}

/** Counts the mark of a value that goes out as it came. */
export function noteVerbatimMark(value: Json, node: object, writer: Writer): void {
  if (isJsonObject(value) && isJsonObject(value["cache_control"]))
    writer.marked.push({ object: value as WireObject, node, verbatim: true });
}

/** The mark itself; a time to live that the API does not know becomes the nearest. */
export function markObject(mark: CacheBreakpoint, node: object, field: string, writer: Writer): JsonObject {
  const object: WireObject = { type: "ephemeral" };
  if (mark.ttl !== undefined) {
    const ttl = writer.faithful ? mark.ttl : knownTtl(mark.ttl);
    if (ttl !== undefined) object["ttl"] = ttl;
    if (ttl !== mark.ttl) {
      const kind = ttl === undefined ? "dropped" : "approximated";
      lose(writer.report, "cache.ttl", node, `${field}/ttl`, { kind, values: { sent: ttl ?? "the default time" } });
    }
  }
  restore(object, mark.wire, protocol);
  return object as JsonObject;
}

/**
 * Takes the first marks away where there are more than the API accepts: the last ones cover the longest prefix. Those inside of what goes
 * verbatim, and the automatic one of the whole request, count as well but stay.
 */
export function limitMarks(body: WireObject, writer: Writer): void {
  const removable = writer.marked.filter((marked) => marked.verbatim !== true);
  const automatic = body["cache_control"] === undefined ? 0 : 1;
  const surplus = writer.marked.length + automatic - writer.target.cacheLimit;
  for (const marked of removable.slice(0, Math.max(0, surplus))) {
    delete marked.object["cache_control"];
    lose(writer.report, "cache.limit", marked.node, "cacheBreakpoint", { values: { to: protocol } });
  }
}

/**
 * Marks of an hour come first there. What stands before one is kept as long, because to keep it shorter would lose what follows with it; only
 * behind a short mark that goes verbatim the others are shortened. The mark of the whole request stands behind all others.
 */
export function orderMarks(body: WireObject, settings: Settings, writer: Writer): void {
  const field = settings.cache?.breakpoint === undefined ? "cache" : "cache/breakpoint";
  const all: readonly Marked[] = [...writer.marked, { object: body, node: settings, field }];
  const standing = all.filter(({ object }) => isJsonObject(object["cache_control"]));
  const fixed = standing.findIndex(({ object, verbatim }) => verbatim === true && !isLong(object));
  const free = fixed < 0 ? standing : standing.slice(0, fixed);
  const last = free.findLastIndex(({ object }) => isLong(object));
  for (const marked of free.slice(0, Math.max(0, last))) if (!isLong(marked.object)) keepFor("1h", marked, writer);
  for (const marked of standing.slice(free.length)) {
    if (isLong(marked.object) && marked.verbatim !== true) keepFor("5m", marked, writer);
  }
}

const isLong = ({ cache_control: mark }: WireObject): boolean => isJsonObject(mark) && mark["ttl"] === "1h";

type Marked = Writer["marked"][number] & { readonly field?: string };

function keepFor(ttl: string, { object, node, field = "cacheBreakpoint" }: Marked, writer: Writer): void {
  const mark = object["cache_control"] as JsonObject;
  object["cache_control"] = { ...mark, ttl };
  lose(writer.report, "cache.ttl", node, mark["ttl"] === undefined ? field : `${field}/ttl`, { values: { sent: ttl } });
}
