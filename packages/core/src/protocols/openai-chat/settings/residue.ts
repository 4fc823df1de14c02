import type { WireObject } from "../../../codec/restore.ts";
import type { Conversation } from "../../../ir/index.ts";
import { loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

/**
 * Residue of settings that were not sent: without them it would come back as settings of its own. What the loss of its setting does not cover is
 * reported.
 */
export function orphanedResidue(conversation: Conversation, body: WireObject, writer: Writer): string[] {
  const { settings, wire } = conversation;
  if (!writer.faithful || wire?.rest === undefined) return [];
  const { responseFormat, cache, toolChoice } = settings;
  const gone = [
    ...(responseFormat !== undefined && body["response_format"] === undefined ? ["response_format/"] : []),
    ...((cache?.mode ?? cache?.ttl) !== undefined && body["prompt_cache_options"] === undefined
      ? ["prompt_cache_options/"]
      : []),
    ...(toolChoice?.custom === true && !writer.target.customTools ? ["tool_choice/custom/"] : []),
  ];
  const orphans = Object.keys(wire.rest).filter((pointer) => gone.some((start) => pointer.startsWith(start)));
  loseResidue(writer.report, conversation, wire.rest, orphans);
  return orphans;
}
