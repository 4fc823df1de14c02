import type { Ledger } from "../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, knownKeys, plainWire, readNumber, wireOf } from "../../codec/ledger.ts";
import type { WireObject } from "../../codec/restore.ts";
import { restore } from "../../codec/restore.ts";
import { isSummed, ownUsage, reportDoubts, unreportedUsage } from "../../codec/usage.ts";
import type { Json, JsonObject, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { usageKeys } from "./wire.ts";

const protocol = "openai-responses";
const inputKeys = knownKeys("cached_tokens", "cache_write_tokens", "cache_write_tokens_details");
const outputKeys = knownKeys("reasoning_tokens");
/** Written tokens by time to live. */
const ttls = { "30m": "ttl_30m_tokens", "12h": "ttl_12h_tokens" } as const;
const ttlKeys = knownKeys(...Object.values(ttls));

/** `input_tokens` holds cached and written tokens, `output_tokens` reasoning. */
export function decodeUsage(value: Json | undefined): Usage {
  if (!isJsonObject(value)) return unreportedUsage;
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, value, usageKeys);
  const total = readNumber(ledger, value, "total_tokens");
  const prompt = readNumber(ledger, value, "input_tokens");
  const output = readNumber(ledger, value, "output_tokens");
  const inner = details(ledger, value, "input_tokens_details", inputKeys);
  const count = (key: string): number | undefined =>
    inner === undefined ? undefined : readNumber(ledger, inner, key, "input_tokens_details/");
  const cacheRead = count("cached_tokens");
  const cacheWrite = count("cache_write_tokens");
  const byTtl = inner === undefined ? undefined : readTtls(ledger, inner);
  const outer = details(ledger, value, "output_tokens_details", outputKeys);
  const reasoning =
    outer === undefined ? undefined : readNumber(ledger, outer, "reasoning_tokens", "output_tokens_details/");
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  // Some servers leave cached tokens out of the count, against the protocol; it shows where there are more of them.
  const isApart = (prompt ?? 0) < cached;
  const unreported = [
    ...(prompt === undefined ? (["input"] as const) : []),
    ...(output === undefined ? (["output"] as const) : []),
    ...(cacheRead === undefined ? (["cacheRead"] as const) : []),
    ...(cacheWrite === undefined ? (["cacheWrite"] as const) : []),
    ...(total === undefined && !isApart ? (["totalTokens"] as const) : []),
  ];
  return {
    input: isApart ? (prompt ?? 0) : (prompt ?? 0) - cached,
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    ...(byTtl !== undefined && { cacheWriteByTtl: byTtl }),
    ...(reasoning !== undefined && { reasoning }),
    totalTokens: total ?? (prompt ?? 0) + (output ?? 0),
    ...(unreported.length > 0 && { unreported }),
    raw: value,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

function details(
  ledger: Ledger,
  value: JsonObject,
  key: string,
  known: ReturnType<typeof knownKeys>,
): JsonObject | undefined {
  const inner = value[key];
  if (!isJsonObject(inner)) return keepOdd(ledger, key, inner);
  keepUnknown(ledger, inner, known, `${key}/`);
  return inner;
}

function readTtls(ledger: Ledger, inner: JsonObject): { readonly [ttl: string]: number } | undefined {
  const counts = inner["cache_write_tokens_details"];
  const prefix = "input_tokens_details/cache_write_tokens_details/";
  if (!isJsonObject(counts)) return keepOdd(ledger, "cache_write_tokens_details", counts, "input_tokens_details/");
  keepUnknown(ledger, counts, ttlKeys, prefix);
  const found: { [ttl: string]: number } = {};
  for (const [ttl, key] of Object.entries(ttls)) {
    const number = readNumber(ledger, counts, key, prefix);
    if (number !== undefined) found[ttl] = number;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

export function encodeUsage(usage: Usage, report: Report): JsonObject {
  const own = ownUsage(usage, protocol, decodeUsage);
  if (own !== undefined) return own;
  reportDoubts(usage, report);
  reportAbsent(usage, report);
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const object: WireObject = {
    input_tokens: prompt,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.unreported?.includes("cacheWrite") !== true && { cache_write_tokens: usage.cacheWrite }),
      ...writeTtls(usage, report),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: prompt + usage.output,
  };
  if (usage.toolPrompt !== undefined)
    lose(report, "usage.detail", usage, "toolPrompt", { kind: usage.toolPrompt > 0 ? "merged" : "dropped" });
  restore(object, usage.wire, protocol);
  return object as JsonObject;
}

function writeTtls(usage: Usage, report: Report): JsonObject {
  const byTtl = usage.cacheWriteByTtl ?? {};
  const isOwn = Object.keys(byTtl).some((ttl) => ttl in ttls);
  const kind = isSummed(usage) ? "merged" : "dropped";
  for (const ttl of Object.keys(byTtl))
    if (!(ttl in ttls)) lose(report, "usage.detail", usage, `cacheWriteByTtl/${ttl}`, { kind });
  if (!isOwn) return {};
  return {
    cache_write_tokens_details: Object.fromEntries(Object.entries(ttls).map(([ttl, key]) => [key, byTtl[ttl] ?? 0])),
  };
}

/** Clients of the protocol read these two without asking whether they are there. */
export function reportAbsent(usage: Usage, report: Report): void {
  if (usage.unreported?.includes("cacheRead") === true) lose(report, "field.absent", usage, "cacheRead");
  if (usage.reasoning === undefined) lose(report, "field.absent", usage, "reasoning");
}
