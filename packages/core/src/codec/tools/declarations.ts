import type { CustomTool, FunctionTool, NamespaceTool } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import type { Names } from "../identity/names.ts";
import { sendToolName } from "../identity/names.ts";

const fields = {
  deferLoading: "deferred loading",
  allowedCallers: "list of callers",
  inputExamples: "input examples",
  outputSchema: "output schema",
} as const;

/** Reports the fields of a tool that its declaration in the target does not have. */
export function loseToolFields(
  tool: FunctionTool | CustomTool,
  absent: readonly (keyof typeof fields)[],
  report: Report,
): void {
  for (const field of absent) {
    if (field in tool && tool[field as keyof typeof tool] !== undefined)
      lose(report, "tool.field", tool, field, { values: { field: fields[field] } });
  }
}

/** The declarations of a namespace's tools where the target has no namespaces: each under the name of both. */
export function flattenNamespace<T>(
  namespace: NamespaceTool,
  names: Names,
  report: Report,
  encode: (tool: FunctionTool | CustomTool, name: string) => T,
): T[] {
  lose(report, "tool.namespace", namespace, "type");
  if (namespace.description !== "")
    lose(report, "tool.field", namespace, "description", { values: { field: "description" } });
  return namespace.tools.map((tool) => {
    const name = `${namespace.name}__${tool.name}`;
    lose(report, "tool.namespace", tool, "name");
    // Its own name is a part of that which is too long or has other characters.
    if (sendToolName(names, name, tool) !== name) lose(report, "tool.namespace", namespace, "name");
    return encode(tool, name);
  });
}
