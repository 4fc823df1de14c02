import { getCurrentTools } from "./tools.js";
const textsOf = (parts) => parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : [])).join("\n\n");
/**
 * The system state in force after all messages as one message: all content in order, each section with its last text at the place where it
 * first stood (or at the end, when it was removed in between), the current tools. Undefined without any system message.
 */
export function getCurrentSystemMessage(messages) {
    const updates = messages.filter((message) => message.role === "system");
    const first = updates[0];
    if (first === undefined)
        return undefined;
    const content = [];
    const sections = new Map();
    let effort;
    for (const update of updates) {
        content.push(...update.content);
        for (const { name, text } of update.sections ?? []) {
            if (text === null)
                sections.delete(name);
            else
                sections.set(name, text);
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
export function getCurrentSystemPrompt(messages) {
    const current = getCurrentSystemMessage(messages);
    if (current === undefined)
        return "";
    return [textsOf(current.content), ...(current.sections ?? []).map(({ text }) => text ?? "")]
        .filter((text) => text !== "")
        .join("\n\n");
}
/** The same conversation with its system state folded into one leading message, for models that take no updates. */
export function collapseSystemMessages(messages) {
    const current = getCurrentSystemMessage(messages);
    const others = messages.filter((message) => message.role !== "system");
    return current === undefined ? others : [current, ...others];
}
/** The messages as a model can take them: as they are where it supports updates of the system state, else collapsed. */
export function resolveTranscript(messages, supportsUpdates) {
    return supportsUpdates ? messages : collapseSystemMessages(messages);
}
//# sourceMappingURL=system.js.map