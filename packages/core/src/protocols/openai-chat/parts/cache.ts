import { openAiTtl } from "../../../codec/content/cache-ttl.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, spell, wireField } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type { CacheBreakpoint, Json, JsonObject, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { cacheControlKeys, markKeys } from "../wire.ts";

const protocol = "openai-chat";
const plainMark: CacheBreakpoint = Object.freeze({});

/** The cache mark of a part: OpenAI's own spelling, or Anthropic's, which some servers take. */
export function decodeMark(ledger: Ledger, source: JsonObject): CacheBreakpoint | undefined {
  const { prompt_cache_breakpoint: own, cache_control: other } = source;
  if (own === undefined && other === undefined) return undefined;
  const mark = own === undefined ? undefined : readMark(own, "mode", "explicit");
  if (mark === undefined) keepOdd(ledger, "prompt_cache_breakpoint", own);
  if (mark !== undefined || other === undefined) {
    keepOdd(ledger, "cache_control", other);
    return mark;
  }
  return readControl(ledger, other);
}

/** The cache mark of a tool, which only servers with Anthropic's spelling take. */
export function decodeToolMark(ledger: Ledger, { cache_control: mark }: JsonObject): CacheBreakpoint | undefined {
  return mark === undefined ? undefined : readControl(ledger, mark);
}

function readControl(ledger: Ledger, value: Json): CacheBreakpoint | undefined {
  const mark = readMark(value, "type", "ephemeral");
  if (mark === undefined) return keepOdd(ledger, "cache_control", value);
  spell(ledger, "mark", "cache_control");
  return mark;
}

function readMark(value: JsonObject[string], key: string, word: string): CacheBreakpoint | undefined {
  if (!isJsonObject(value) || value[key] !== word) return undefined;
  const { ttl } = value;
  if (ttl === undefined && Object.keys(value).length === 1) return plainMark;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, key === "mode" ? markKeys : cacheControlKeys);
  if (typeof ttl !== "string") keepOdd(ledger, "ttl", ttl);
  return { ...(typeof ttl === "string" && { ttl }), ...wireField(ledger) };
}

/** Writes the cache mark of `node` on a part; `onPart` is false where the target takes none. */
export function encodeMark(
  object: WireObject | undefined,
  node: object & { readonly cacheBreakpoint?: CacheBreakpoint; readonly wire?: WireForm },
  writer: Writer,
): void {
  const mark = node.cacheBreakpoint;
  if (mark === undefined) return;
  // Without a word of the profile a mark goes back as its own server spelled it.
  const own = formOf(node.wire, protocol, "mark") === "cache_control" ? "cache_control" : "prompt_cache_breakpoint";
  const key = writer.faithful && writer.target.cacheMarks === undefined ? own : writer.target.marks;
  if (object === undefined || key === "none") {
    lose(writer.report, "cache.mark", node, "cacheBreakpoint");
    return;
  }
  const { value, sent } = key === "cache_control" ? controlMark(mark) : breakpointMark(mark, writer.faithful);
  restore(value, mark.wire, protocol);
  object[key] = value as JsonObject;
  if (writer.faithful || key === "cache_control") return;
  lose(writer.report, "cache.mark", node, "cacheBreakpoint", {
    kind: "approximated",
    values: { fate: "with another time to live" },
    ...(sent !== undefined && { replacement: sent }),
  });
}

const keys = ["prompt_cache_breakpoint", "cache_control"] as const;

/**
 * Residue of a part or tool that would come back as a mark of its own: under a key that the target does not take, or whose place has one by
 * now. It is reported and stays away.
 */
export function orphanedMarks(object: WireObject, node: { readonly wire?: WireForm }, writer: Writer): string[] {
  const { wire } = node;
  const { cacheMarks } = writer.target;
  if (wire?.rest === undefined || wire.protocol !== protocol || cacheMarks === undefined) return [];
  const { rest } = wire;
  const orphans = keys.filter(
    (key) => Object.hasOwn(rest, key) && rest[key] !== null && (key !== cacheMarks || Object.hasOwn(object, key)),
  );
  loseResidue(writer.report, node, rest, orphans);
  return orphans;
}

function controlMark(mark: CacheBreakpoint): { readonly value: WireObject; readonly sent?: string } {
  return { value: { type: "ephemeral", ...(mark.ttl !== undefined && { ttl: mark.ttl }) } };
}

function breakpointMark(
  mark: CacheBreakpoint,
  faithful: boolean,
): { readonly value: WireObject; readonly sent?: string } {
  const ttl = mark.ttl === undefined || faithful ? mark.ttl : openAiTtl(mark.ttl);
  return { value: { mode: "explicit", ...(ttl !== undefined && { ttl }) }, ...(ttl !== undefined && { sent: ttl }) };
}
