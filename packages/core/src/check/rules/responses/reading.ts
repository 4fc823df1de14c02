import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, objectsOf } from "../../request-view.ts";

export const itemsOf = ({ body }: RequestView): readonly Placed[] => objectsOf(body["input"], "/input");

/** Kinds of calls that the client answers, with the kind of their answers. */
export const outputs: { readonly [call: string]: string } = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  computer_call: "computer_call_output",
  local_shell_call: "local_shell_call_output",
  shell_call: "shell_call_output",
  apply_patch_call: "apply_patch_call_output",
};
export const answers: ReadonlySet<unknown> = new Set(Object.values(outputs));

/** True where the service knows more of the conversation than the request says. */
export const goesOn = ({ body }: RequestView): boolean =>
  isStated(body["previous_response_id"]) || isStated(body["conversation"]);

/** True for an item that can follow the reasoning that it came from. */
export function isOfModel({ object }: Placed): boolean {
  const { type, role } = object;
  if (type === "item_reference") return true;
  if (type === undefined || type === "message") return role === "assistant";
  return !answers.has(type) && type !== "additional_tools" && type !== "configuration_update";
}
