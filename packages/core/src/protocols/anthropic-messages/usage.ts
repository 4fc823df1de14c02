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
import { ownUsage, reportDoubts, summedForm, unreportedUsage } from "../../codec/usage.ts";
import type { Json, JsonObject, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { usageKeys } from "./wire.ts";

const protocol = "anthropic-messages";
const creationKeys = knownKeys("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens");
const detailKeys = knownKeys("thinking_tokens");

/** `input_tokens` leaves cached tokens out; `output_tokens` holds thinking. The API states no total. */
export function decodeUsage(value: Json | undefined): Usage {
  if (!isJsonObject(value)) return unreportedUsage;
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, value, usageKeys);
  const input = readNumber(ledger, value, "input_tokens");
  const output = readNumber(ledger, value, "output_tokens");
  const cacheRead = readNumber(ledger, value, "cache_read_input_tokens");
  const stated = readNumber(ledger, value, "cache_creation_input_tokens");
  const creation = value["cache_creation"];
  const byTtl: { [ttl: string]: number } = {};
  if (isJsonObject(creation)) {
    keepUnknown(ledger, creation, creationKeys, "cache_creation/");
    for (const [ttl, key] of [
      ["5m", "ephemeral_5m_input_tokens"],
      ["1h", "ephemeral_1h_input_tokens"],
    ] as const) {
      const count = readNumber(ledger, creation, key, "cache_creation/");
      if (count !== undefined) byTtl[ttl] = count;
    }
  } else keepOdd(ledger, "cache_creation", creation);
  const details = value["output_tokens_details"];
  let reasoning: number | undefined;
  if (isJsonObject(details)) {
    keepUnknown(ledger, details, detailKeys, "output_tokens_details/");
    reasoning = readNumber(ledger, details, "thinking_tokens", "output_tokens_details/");
  } else keepOdd(ledger, "output_tokens_details", details);
  const split = Object.keys(byTtl).length > 0;
  if (value["cache_creation_input_tokens"] === undefined && split)
    spell(ledger, "cache_creation_input_tokens", "absent");
  if (stated === undefined && split) spell(ledger, summedForm.key, summedForm.value);
  const cacheWrite = stated ?? (split ? (byTtl["5m"] ?? 0) + (byTtl["1h"] ?? 0) : undefined);
  const unreported = [
    ...(input === undefined ? (["input"] as const) : []),
    ...(output === undefined ? (["output"] as const) : []),
    ...(cacheRead === undefined ? (["cacheRead"] as const) : []),
    ...(cacheWrite === undefined ? (["cacheWrite"] as const) : []),
  ];
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    ...(byTtl["1h"] !== undefined && { cacheWrite1h: byTtl["1h"] }),
    ...(split && { cacheWriteByTtl: byTtl }),
    ...(reasoning !== undefined && { reasoning }),
    totalTokens: (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) + (output ?? 0),
    ...(unreported.length > 0 && { unreported }),
    raw: value,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

export function encodeUsage(usage: Usage, report: Report): JsonObject {
  const own = ownUsage(usage, protocol, decodeUsage);
  if (own !== undefined) return own;
  reportDoubts(usage, report);
  const reported = (bucket: "cacheRead" | "cacheWrite"): boolean => usage.unreported?.includes(bucket) !== true;
  const object: WireObject = { input_tokens: usage.input, output_tokens: usage.output };
  if (reported("cacheRead")) object["cache_read_input_tokens"] = usage.cacheRead;
  if (reported("cacheWrite")) object["cache_creation_input_tokens"] = usage.cacheWrite;
  if (usage.cacheWriteByTtl !== undefined) writeByTtl(usage, usage.cacheWriteByTtl, object, report);
  if (usage.reasoning !== undefined) object["output_tokens_details"] = { thinking_tokens: usage.reasoning };
  if (usage.toolPrompt !== undefined)
    lose(report, "usage.detail", usage, "toolPrompt", { kind: usage.toolPrompt > 0 ? "merged" : "dropped" });
  restore(object, usage.wire, protocol);
  return object as JsonObject;
}

function writeByTtl(
  usage: Usage,
  { "5m": short, "1h": long, ...others }: NonNullable<Usage["cacheWriteByTtl"]>,
  object: WireObject,
  report: Report,
): void {
  if (short !== undefined || long !== undefined) {
    object["cache_creation"] = {
      ...(short !== undefined && { ephemeral_5m_input_tokens: short }),
      ...(long !== undefined && { ephemeral_1h_input_tokens: long }),
    };
  }
  for (const ttl of Object.keys(others)) lose(report, "usage.detail", usage, `cacheWriteByTtl/${ttl}`);
}
