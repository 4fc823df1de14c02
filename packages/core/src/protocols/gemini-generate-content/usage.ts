import { createLedger, keepUnknown, plainWire, readNumber, wireOf } from "../../codec/ledger.ts";
import type { WireObject } from "../../codec/restore.ts";
import { restore } from "../../codec/restore.ts";
import { isInside, isSummed, ownUsage, reportDoubts, unreportedUsage } from "../../codec/usage.ts";
import type { Json, JsonObject, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { usageKeys } from "./wire.ts";

const protocol = "gemini-generate-content";

/**
 * `promptTokenCount` holds cached tokens; thoughts are counted beside the candidates, and what tools of the service read beside the prompt.
 * What is written to a cache is not counted.
 */
export function decodeUsage(value: Json | undefined): Usage {
  if (!isJsonObject(value)) return unreportedUsage;
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, value, usageKeys);
  const prompt = readNumber(ledger, value, "promptTokenCount");
  const cached = readNumber(ledger, value, "cachedContentTokenCount");
  const candidates = readNumber(ledger, value, "candidatesTokenCount");
  const reasoning = readNumber(ledger, value, "thoughtsTokenCount");
  const toolPrompt = readNumber(ledger, value, "toolUsePromptTokenCount");
  const total = readNumber(ledger, value, "totalTokenCount");
  const cacheRead = cached ?? 0;
  // More cached tokens than tokens of the prompt cannot be inside of it.
  const isApart = (prompt ?? 0) < cacheRead;
  const input = (prompt ?? 0) - (isApart ? 0 : cacheRead) + (toolPrompt ?? 0);
  const output = (candidates ?? 0) + (reasoning ?? 0);
  const unreported = [
    ...(prompt === undefined ? (["input"] as const) : []),
    ...(candidates === undefined ? (["output"] as const) : []),
    ...(cached === undefined ? (["cacheRead"] as const) : []),
    "cacheWrite" as const,
    ...(total === undefined && !isApart ? (["totalTokens"] as const) : []),
  ];
  return {
    input,
    output,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning !== undefined && { reasoning }),
    ...(toolPrompt !== undefined && { toolPrompt }),
    totalTokens: total ?? input + (isApart ? 0 : cacheRead) + output,
    unreported,
    raw: value,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

export function encodeUsage(usage: Usage, report: Report): JsonObject {
  const own = ownUsage(usage, protocol, decodeUsage);
  if (own !== undefined) return own;
  reportDoubts(usage, report);
  const { input, output, cacheRead, cacheWrite, reasoning, toolPrompt } = usage;
  const prompt = input - (toolPrompt ?? 0) + cacheRead + cacheWrite;
  const object: WireObject = { promptTokenCount: prompt };
  if (usage.unreported?.includes("cacheRead") !== true) object["cachedContentTokenCount"] = cacheRead;
  object["candidatesTokenCount"] = output - (reasoning ?? 0);
  if (reasoning !== undefined) object["thoughtsTokenCount"] = reasoning;
  if (toolPrompt !== undefined) object["toolUsePromptTokenCount"] = toolPrompt;
  object["totalTokenCount"] = input + cacheRead + cacheWrite + output;
  if (usage.wire?.protocol !== protocol) reportCacheWrite(usage, report);
  const kind = isSummed(usage) ? "merged" : "dropped";
  for (const ttl of Object.keys(usage.cacheWriteByTtl ?? {}))
    lose(report, "usage.detail", usage, `cacheWriteByTtl/${ttl}`, { kind });
  restore(object, usage.wire, protocol);
  return object as JsonObject;
}

/** What is written to a cache counts as input; where the source counts it apart, that it did not is told as well. */
function reportCacheWrite(usage: Usage, report: Report): void {
  const [reads, writes] = (["cacheRead", "cacheWrite"] as const).map((key) => usage.unreported?.includes(key) !== true);
  if (writes) lose(report, "usage.detail", usage, "cacheWrite", { kind: isInside(usage) ? "dropped" : "merged" });
  else if (reads && !isInside(usage)) lose(report, "field.absent", usage, "cacheWrite");
}
