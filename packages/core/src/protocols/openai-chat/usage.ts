import type { Ledger, Open } from "../../codec/ledger.ts";
import {
  createLedger,
  keepOdd,
  keepUnknown,
  knownKeys,
  plainWire,
  readNumber,
  spell,
  wireOf,
} from "../../codec/ledger.ts";
import type { WireObject } from "../../codec/restore.ts";
import { restore } from "../../codec/restore.ts";
import { insideForm, isSummed, ownUsage, reportDoubts, unreportedUsage } from "../../codec/usage.ts";
import type { Json, JsonObject, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { usageKeys } from "./wire.ts";

const protocol = "openai-chat";
const promptKeys = knownKeys("cached_tokens", "cache_write_tokens");
const completionKeys = knownKeys("reasoning_tokens");

/**
 * `prompt_tokens` holds cached and written tokens, `completion_tokens` reasoning. Some servers, xAI's among them, count reasoning beside the
 * completion; their total tells.
 */
export function decodeUsage(value: Json | undefined): Usage {
  if (!isJsonObject(value)) return unreportedUsage;
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, value, usageKeys);
  const prompt = readNumber(ledger, value, "prompt_tokens");
  const completion = readNumber(ledger, value, "completion_tokens");
  const total = readNumber(ledger, value, "total_tokens");
  const promptDetails = details(ledger, value, "prompt_tokens_details", promptKeys);
  const cacheRead =
    promptDetails === undefined
      ? undefined
      : readNumber(ledger, promptDetails, "cached_tokens", "prompt_tokens_details/");
  const cacheWrite =
    promptDetails === undefined
      ? undefined
      : readNumber(ledger, promptDetails, "cache_write_tokens", "prompt_tokens_details/");
  spell(ledger, insideForm.key, insideForm.value);
  const completionDetails = details(ledger, value, "completion_tokens_details", completionKeys);
  const reasoning =
    completionDetails === undefined
      ? undefined
      : readNumber(ledger, completionDetails, "reasoning_tokens", "completion_tokens_details/");
  const isBeside = reasoning !== undefined && total === (prompt ?? 0) + (completion ?? 0) + reasoning;
  const output = (completion ?? 0) + (isBeside ? reasoning : 0);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  // Some servers leave cached tokens out of the prompt count, against the protocol; it shows where there are more of them.
  const isApart = (prompt ?? 0) < cached;
  const input = isApart ? (prompt ?? 0) : (prompt ?? 0) - cached;
  const unreported: NonNullable<Usage["unreported"]>[number][] = [];
  if (prompt === undefined) unreported.push("input");
  if (completion === undefined) unreported.push("output");
  if (cacheRead === undefined) unreported.push("cacheRead");
  if (cacheWrite === undefined) unreported.push("cacheWrite");
  // Counts that contradict each other are told by their sum, where the service states none.
  if (total === undefined && !isApart) unreported.push("totalTokens");
  const usage: Open<Usage> = {
    input,
    output,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    totalTokens: total ?? (prompt ?? 0) + output,
    raw: value,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  if (reasoning !== undefined) usage.reasoning = reasoning;
  if (unreported.length > 0) usage.unreported = unreported;
  return usage;
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

export function encodeUsage(usage: Usage, report: Report): JsonObject {
  const own = ownUsage(usage, protocol, decodeUsage);
  if (own !== undefined) return own;
  reportDoubts(usage, report);
  const reported = (bucket: "cacheRead" | "cacheWrite"): boolean => usage.unreported?.includes(bucket) !== true;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const object: WireObject = {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
  };
  if (reported("cacheRead") || reported("cacheWrite")) {
    object["prompt_tokens_details"] = {
      ...(reported("cacheRead") && { cached_tokens: usage.cacheRead }),
      ...(reported("cacheWrite") && { cache_write_tokens: usage.cacheWrite }),
    };
  }
  if (usage.reasoning !== undefined) object["completion_tokens_details"] = { reasoning_tokens: usage.reasoning };
  const kind = isSummed(usage) ? "merged" : "dropped";
  for (const ttl of Object.keys(usage.cacheWriteByTtl ?? {}))
    lose(report, "usage.detail", usage, `cacheWriteByTtl/${ttl}`, { kind });
  if (usage.toolPrompt !== undefined)
    lose(report, "usage.detail", usage, "toolPrompt", { kind: usage.toolPrompt > 0 ? "merged" : "dropped" });
  restore(object, usage.wire, protocol);
  return object as JsonObject;
}
