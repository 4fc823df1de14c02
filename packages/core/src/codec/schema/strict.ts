import type { JsonObject } from "../../ir/index.ts";
import { isClosed, isEnforceable } from "./subset.ts";

interface StrictWriter {
  readonly faithful: boolean;
  readonly mends: boolean;
}

/**
 * True where the target would refuse to enforce the schema. Of what was written for this protocol only OpenAI is known to refuse anything, and
 * schemas that are open somewhere (`checked`); what was written for another has to be within the documented subset.
 */
export function refusesStrict(schema: JsonObject, { faithful, mends }: StrictWriter, checked: boolean): boolean {
  if (!faithful) return !isEnforceable(schema, "openai-strict");
  return mends && checked && !isClosed(schema);
}
