import { isClosed, isEnforceable } from "../../codec/schema/subset.ts";
import type { JsonObject } from "../../ir/index.ts";
import type { Writer } from "./context.ts";
import { isOpenAi } from "./profile.ts";

/**
 * True where the target would refuse to enforce the schema. Of what was written for this protocol only OpenAI is known to refuse anything, and
 * schemas that are open somewhere; what was written for another has to be within the documented subset.
 */
export function refusesStrict(
  schema: JsonObject,
  { faithful, mends, target }: Pick<Writer, "faithful" | "mends" | "target">,
): boolean {
  if (!faithful) return !isEnforceable(schema, "openai-strict");
  return mends && isOpenAi(target) && !isClosed(schema);
}
