import type { CustomTool, FunctionTool, Json, NamespaceTool, Tool } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { toolName } from "../../transcript/index.ts";
import { joinedName } from "../content/calls.ts";
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

/**
 * Who may call a tool: the model itself is `direct` everywhere, what runs its programs has another name at each service. A list with a name that
 * the target does not know is reported and not sent.
 */
export function sentCallers(
  tool: FunctionTool | CustomTool,
  known: RegExp,
  { faithful, report }: { readonly faithful: boolean; readonly report: Report },
): readonly Json[] | undefined {
  const { allowedCallers } = tool;
  const isKnown = (caller: Json): boolean => typeof caller === "string" && known.test(caller);
  if (allowedCallers === undefined || faithful || allowedCallers.every(isKnown)) return allowedCallers;
  loseToolFields(tool, ["allowedCallers"], report);
  return undefined;
}

/** The names under which a tool is declared where the target has no namespaces. */
export function declaredNames(tool: Tool): readonly string[] {
  return tool.type === "namespace" ? tool.tools.map(({ name }) => joinedName(tool.name, name)) : [toolName(tool)];
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
    const name = joinedName(namespace.name, tool.name);
    lose(report, "tool.namespace", tool, "name");
    // Its own name is a part of that which is too long or has other characters.
    if (sendToolName(names, name, tool) !== name) lose(report, "tool.namespace", namespace, "name");
    return encode(tool, name);
  });
}
