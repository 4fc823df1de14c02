import type { Message, Tool } from "../../ir/index.ts";
import type { LossCode, Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import type { DeclaredTool } from "../../transcript/index.ts";
import { toolName } from "../../transcript/index.ts";

/**
 * Reports the changes of tools within a conversation, for a target that takes tools only with the request, or that adds some in their place but
 * withdraws none.
 */
export function reportToolChanges(
  messages: readonly Message[],
  current: readonly DeclaredTool[],
  report: Report,
  inPlace = false,
): void {
  if (!changesTools(messages)) return;
  let changed = false;
  const turn = messages.findIndex((message) => message.role !== "system");
  let merged = 0;
  for (const { tool, index } of current) {
    if (inPlace || index === 0) continue;
    if (turn < 0 || turn >= index) {
      // Before any turn they are there from the start, as those of the first message are.
      if (index !== merged) lose(report, "turn.merged", messages[index], "role");
      merged = index;
      continue;
    }
    lose(report, "tool.added", tool, "type");
    if (!changed) lose(report, "cache.prefix_changed", tool, "type");
    changed = true;
  }
  const sent = new Set(current.map(({ tool }) => tool));
  const known = new Set<string>();
  for (const message of messages) {
    if (message.role !== "system") continue;
    for (const reference of message.toolsRemoved ?? []) {
      if (!known.has(reference.name)) lose(report, "tool.removed_unknown", reference);
      else {
        lose(report, "tool.removed", reference, "type");
        if (!changed) lose(report, "cache.prefix_changed", reference, "type");
        changed = true;
      }
    }
    for (const tool of message.toolsAdded ?? []) {
      known.add(toolName(tool));
      if (!sent.has(tool)) reportUndeclared(tool, "tool.removed", report);
    }
  }
}

/** True where a message withdraws tools, or one behind the first adds some. */
function changesTools(messages: readonly Message[]): boolean {
  return messages.some(
    (message, index) =>
      message.role === "system" &&
      ((message.toolsRemoved?.length ?? 0) > 0 || (index > 0 && (message.toolsAdded?.length ?? 0) > 0)),
  );
}

/**
 * Reports what the declaration of a tool says where it is not sent. The name of a withdrawn tool is left out: its withdrawal is reported, and
 * calls may still hold it. A tool outside of an allowed subset is reported as a whole, for nothing else tells that it is gone.
 */
export function reportUndeclared(tool: Tool, code: LossCode, report: Report): void {
  if (tool.type === "server" || tool.type === "namespace" || code === "tool_choice.subset") {
    lose(report, code, tool, "", { kind: "dropped" });
    return;
  }
  for (const field of Object.keys(tool)) {
    if (field === "cacheBreakpoint") lose(report, "cache.mark", tool, field);
    else if (!unreported.has(field)) lose(report, code, tool, field, { kind: "dropped" });
  }
}

const unreported: ReadonlySet<string> = new Set(["type", "name", "wire", "state", "origin"]);

/** The tools without those whose name one before them has, which services refuse; the others are reported. */
export function withoutNamesakes(declared: readonly DeclaredTool[], report: Report): readonly DeclaredTool[] {
  if (declared.length < 2) return declared;
  const names = new Set<string>();
  return declared.filter(({ tool }) => {
    if (tool.type === "server" || tool.type === "namespace") return true;
    if (names.has(tool.name)) {
      lose(report, "tool.duplicate", tool);
      return false;
    }
    names.add(tool.name);
    return true;
  });
}
