import type { ToolCallPart } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

/** Reports a call of a kind that only other protocols have. Free text of custom tools is the target's own matter. */
export function reportCallKind(call: ToolCallPart, report: Report): void {
  if (call.kind !== "function" && call.kind !== "custom")
    lose(report, "tool_call.kind", call, "kind", { values: { kind: call.kind } });
}

/** The name of a tool of a namespace where the target has none. */
export const joinedName = (namespace: string, name: string): string => `${namespace}__${name}`;

/**
 * The name of a call where the target has no namespaces: with a prefix, as the tools of a namespace are declared then. A client that declares none
 * knows the tools by their names alone.
 */
export function plainName(call: ToolCallPart, response: boolean, report: Report): string {
  const { name, namespace } = call;
  if (namespace === undefined) return name;
  lose(report, "tool.namespace", call, "namespace", response ? { kind: "dropped" } : {});
  return response ? name : joinedName(namespace, name);
}
