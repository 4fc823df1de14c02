import type { Message, Part, SystemMessage, SystemPart } from "../ir/index.ts";
import { getCurrentTools } from "./tools.ts";

const textsOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : [])).join("\n\n");

/**
 * The system state in force after all messages as one message: all content in order, each section with its last text at the place where it
 * first stood (or at the end, when it was removed in between), the current tools. Undefined without any system message.
 */
export function getCurrentSystemMessage(messages: readonly Message[]): SystemMessage | undefined {
  const updates = messages.filter((message) => message.role === "system");
  const first = updates[0];
  if (first === undefined) return undefined;
  const content: SystemPart[] = [];
  const sections = new Map<string, string>();
  let effort: string | undefined;
  for (const update of updates) {
    content.push(...update.content);
    for (const { name, text } of update.sections ?? []) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
    effort = update.effort ?? effort;
  }
  const tools = getCurrentTools(messages);
  return {
    role: "system",
    authority: first.authority,
    content,
    ...(sections.size > 0 && { sections: [...sections].map(([name, text]) => ({ name, text })) }),
    ...(tools.length > 0 && { toolsAdded: tools }),
    ...(effort !== undefined && { effort }),
    ...(first.origin !== undefined && { origin: first.origin }),
    ...(first.timestamp !== undefined && { timestamp: first.timestamp }),
  };
}

/** The text in force: content, then sections, separated by blank lines. */
export function getCurrentSystemPrompt(messages: readonly Message[]): string {
  const current = getCurrentSystemMessage(messages);
  if (current === undefined) return "";
  return [textsOf(current.content), ...(current.sections ?? []).map(({ text }) => text ?? "")]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The same conversation with its system state folded into one leading message, for models that take no updates. */
export function collapseSystemMessages(messages: readonly Message[]): Message[] {
  const current = getCurrentSystemMessage(messages);
  const others = messages.filter((message) => message.role !== "system");
  return current === undefined ? others : [current, ...others];
}

/** The messages as a model can take them: as they are where it supports updates of the system state, else collapsed. */
export function resolveTranscript(messages: readonly Message[], supportsUpdates: boolean): readonly Message[] {
  return supportsUpdates ? messages : collapseSystemMessages(messages);
}
