import { openAiTtl } from "../../../codec/content/cache-ttl.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, wireField } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { restore } from "../../../codec/restore.ts";
import type { CacheBreakpoint, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { markKeys } from "../wire.ts";

const protocol = "openai-responses";
const plainMark: CacheBreakpoint = Object.freeze({});

/** The cache mark of a part. */
export function decodeMark(ledger: Ledger, source: JsonObject): CacheBreakpoint | undefined {
  const mark = source["prompt_cache_breakpoint"];
  if (mark === undefined) return undefined;
  if (!isJsonObject(mark) || mark["mode"] !== "explicit") return keepOdd(ledger, "prompt_cache_breakpoint", mark);
  const { ttl } = mark;
  if (ttl === undefined && Object.keys(mark).length === 1) return plainMark;
  const own = createLedger(protocol);
  keepUnknown(own, mark, markKeys);
  if (typeof ttl !== "string") keepOdd(own, "ttl", ttl);
  return { ...(typeof ttl === "string" && { ttl }), ...wireField(own) };
}

/** Writes the cache mark of `node` on a part; without an object there is no place for it. */
export function encodeMark(
  object: WireObject | undefined,
  node: object & { readonly cacheBreakpoint?: CacheBreakpoint },
  writer: Writer,
): void {
  const mark = node.cacheBreakpoint;
  if (mark === undefined) return;
  const takes = writer.target.marks || (writer.faithful && writer.target.cacheMarks === undefined);
  if (object === undefined || !takes) {
    lose(writer.report, "cache.mark", node, "cacheBreakpoint");
    return;
  }
  const ttl = mark.ttl === undefined || writer.faithful ? mark.ttl : openAiTtl(mark.ttl);
  const value: WireObject = { mode: "explicit", ...(ttl !== undefined && { ttl }) };
  restore(value, mark.wire, protocol);
  object["prompt_cache_breakpoint"] = value as JsonObject;
  if (writer.faithful) return;
  lose(writer.report, "cache.mark", node, "cacheBreakpoint", {
    kind: "approximated",
    values: { fate: "with another time to live" },
    ...(ttl !== undefined && { replacement: ttl }),
  });
}
