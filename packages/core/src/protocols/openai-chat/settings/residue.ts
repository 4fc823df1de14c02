import type { WireObject } from "../../../codec/restore.ts";
import type { Conversation } from "../../../ir/index.ts";
import { valueAt } from "../../../ir/index.ts";
import { loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

/**
 * Residue that has no place in the body: that of settings that were not sent, which without them would be settings of its own, and the
 * second spelling of a setting whose key the first now has. What the loss of its setting does not cover is reported.
 */
export function orphanedResidue(conversation: Conversation, body: WireObject, writer: Writer): string[] {
  const { settings, wire } = conversation;
  if (!writer.faithful || wire?.rest === undefined) return [];
  const { responseFormat, cache, toolChoice, streamOptions } = settings;
  const gone = [
    ...(streamOptions !== undefined && body["stream_options"] === undefined ? ["stream_options/"] : []),
    ...(responseFormat !== undefined && body["response_format"] === undefined ? ["response_format/"] : []),
    ...((cache?.mode ?? cache?.ttl) !== undefined && body["prompt_cache_options"] === undefined
      ? ["prompt_cache_options/"]
      : []),
    ...(toolChoice?.custom === true && valueAt(body, "/tool_choice/custom") === undefined
      ? ["tool_choice/custom/"]
      : []),
  ];
  const { tokensField, sentSeedField } = writer.target;
  const taken = [
    ...(wire.form?.["maxTokens"] !== tokensField && body[tokensField] !== undefined ? [tokensField] : []),
    ...((wire.form?.["seedField"] ?? "seed") !== sentSeedField && body[sentSeedField] !== undefined
      ? [sentSeedField]
      : []),
  ];
  const refused = writer.target.refusedFields ?? [];
  const orphans = Object.keys(wire.rest).filter(
    (pointer) =>
      taken.some((key) => key === pointer) ||
      refused.includes(pointer.split("/")[0] ?? "") ||
      gone.some((start) => pointer.startsWith(start)),
  );
  loseResidue(writer.report, conversation, wire.rest, orphans);
  return orphans;
}
