import type { ToolResultMessage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { reportMissing } from "../pairing.ts";

/**
 * The value of a result as text, where the target has neither values nor failures: that it failed is told in the value. `object` is the result as
 * it is written.
 */
export function valueText(message: ToolResultMessage, object: object, report: Report): string {
  const { value, isError } = message;
  lose(report, "tool_result.value", message, "value");
  if (!isError) return JSON.stringify(value);
  if (!reportMissing(message, object, report)) lose(report, "tool_result.error_flag", message, "isError");
  return JSON.stringify(isJsonObject(value) && "error" in value ? value : { error: value });
}
