import type { Conversation, JsonObject } from "../../ir/index.ts";
import { isClosed, isEnforceable } from "./subset.ts";

interface StrictWriter {
  /** True where the schema was written for OpenAI. */
  readonly forOpenAi: boolean;
  readonly mends: boolean;
}

/** True for a conversation in one of the protocols of OpenAI, whose rules of strict schemas are the same. */
export const isForOpenAi = ({ wire }: Conversation): boolean =>
  wire?.protocol === "openai-chat" || wire?.protocol === "openai-responses";

/**
 * True where the target would refuse to enforce the schema. Of what was written for OpenAI only OpenAI itself is known to refuse anything, and
 * schemas that are open somewhere (`checked`); what was written for another has to be within the documented subset.
 */
export function refusesStrict(schema: JsonObject, { forOpenAi, mends }: StrictWriter, checked: boolean): boolean {
  if (!forOpenAi) return !isEnforceable(schema, "openai-strict");
  return mends && checked && !isClosed(schema);
}
