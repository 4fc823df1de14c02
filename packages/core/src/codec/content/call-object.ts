import type { Json, JsonObject, ToolCallPart } from "../../ir/index.ts";
import { readArguments } from "../../ir/index.ts";
import { inexactArguments } from "../../json/argument-text.ts";
import { survey, wellFormed } from "../../json/survey.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

/** Key under which argument text goes that is no JSON object. Nothing executes an object with this key alone. */
export const rawArgumentsKey = "_raw_arguments";

/**
 * The input object of a call, for protocols that carry objects. Text that is no JSON object, or nests too deep to be sent, is never repaired: it
 * goes as a marked object and is reported.
 */
export function encodeArguments(call: ToolCallPart, { report }: { readonly report: Report }): JsonObject {
  if (call.kind === "custom") {
    lose(report, "tool.custom", call, "type");
    return { input: call.argumentsText ?? JSON.stringify(call.arguments) };
  }
  if (call.arguments !== undefined) return call.arguments;
  const text = call.argumentsText;
  const read = readArguments(text);
  const found = "value" in read ? survey(read.value, true) : undefined;
  if (found === undefined || "error" in read || found.tooDeep) {
    lose(report, "tool_call.arguments", call, "arguments");
    return { [rawArgumentsKey]: text };
  }
  if (inexactArguments(text, read.value, found)) lose(report, "tool_call.precision", call, "arguments");
  if (!found.halves || !text.includes("\\u")) return read.value;
  lose(report, "text.lone_surrogate", call, "arguments");
  return wellFormed(read.value, () => {}) as Json as JsonObject;
}
