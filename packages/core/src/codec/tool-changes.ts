import type { Message } from "../ir/index.ts";
import type { Report } from "../loss/index.ts";
import { lose } from "../loss/index.ts";
import type { DeclaredTool } from "../transcript/index.ts";
import { toolName } from "../transcript/index.ts";

/** Reports the changes of tools within a conversation, for a target that takes tools only with the request. */
export function reportToolChanges(
  messages: readonly Message[],
  current: readonly DeclaredTool[],
  report: Report,
): void {
  let changed = false;
  for (const { tool, index } of current) {
    if (index === 0 || messages.slice(0, index).every((message) => message.role === "system")) continue;
    lose(report, "tool.added", tool, "type");
    if (!changed) lose(report, "cache.prefix_changed", tool, "type");
    changed = true;
  }
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
    for (const tool of message.toolsAdded ?? []) known.add(toolName(tool));
  }
}
