import type { Json, JsonObject, ProtocolId, Usage } from "../ir/index.ts";
import { isJsonObject, jsonEqual } from "../ir/index.ts";
import type { Report } from "../loss/index.ts";
import { lose } from "../loss/index.ts";

/** The usage of an answer whose service said nothing about it. */
export const unreportedUsage: Usage = Object.freeze({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  unreported: Object.freeze(["input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const),
});

/** Reports what a foreign usage cannot be trusted in: counts that are missing, and counts that contradict the service's own total. */
export function reportDoubts(usage: Usage, report: Report): void {
  for (const bucket of ["input", "output"] as const)
    if (usage.unreported?.includes(bucket) === true) lose(report, "field.absent", usage, bucket);
  reportInconsistency(usage, report);
}

/** Reports counts that contradict the service's own total, before they are written elsewhere. */
function reportInconsistency(usage: Usage, report: Report): void {
  const sum = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  if (usage.totalTokens === sum || usage.unreported?.includes("totalTokens") === true) return;
  lose(report, "usage.inconsistent", usage, "input");
}

/** Spelling of a usage whose written tokens the service gives by time to live only: their sum is ours. */
export const summedForm = { key: "cacheWrite", value: "sum" } as const;

/** True where the counts by time to live are all in the count of written tokens. */
export function isSummed(usage: Usage): boolean {
  return usage.wire?.form?.[summedForm.key] === summedForm.value;
}

/** Spelling of a usage whose written tokens the service counts among those of the prompt. */
export const insideForm = { key: "cacheWrite", value: "inside" } as const;

/** True where the written tokens are in another count as well. */
export function isInside(usage: Usage): boolean {
  return usage.wire?.form?.[insideForm.key] === insideForm.value;
}

/** True where nothing at all was reported. */
export function isUnreported(usage: Usage): boolean {
  return usage.raw === undefined && usage.unreported?.includes("input") === true && usage.unreported.includes("output");
}

/** The service's own usage object, while it still says what the IR says and the target is its own protocol. */
export function ownUsage(usage: Usage, protocol: ProtocolId, decode: (raw: Json) => Usage): JsonObject | undefined {
  if (usage.wire?.protocol !== protocol || !isJsonObject(usage.raw)) return undefined;
  const { cost: _cost, ...counts } = usage;
  return jsonEqual(decode(usage.raw), counts) ? usage.raw : undefined;
}

/** Where a count stands in the service's usage object, or would stand: a list of details that is not there is itself what is missing. */
export function usagePointer(
  names: { readonly [field: string]: string },
  node: object,
  field: string,
): string | undefined {
  const pointer = names[field];
  const { raw } = node as Usage;
  const head = pointer?.split("/")[0] ?? "";
  return pointer !== head && isJsonObject(raw) && !isJsonObject(raw[head]) ? head : pointer;
}
