import { visitNodes } from "./walk.js";
/** Every instruction, in order, with its place among the messages. */
export function instructions(conversation) {
    return conversation.messages.flatMap((message, index) => (message.role === "system" ? [{ message, index }] : []));
}
/**
 * What instructs the model at the end of the conversation, in order, together with what was replaced and by which message.
 * Conflicts between instructions stay: they are the model's and the policy's to solve.
 */
export function effectiveInstructions(conversation) {
    const found = [];
    const ending = [];
    let userTurns = 0;
    conversation.messages.forEach((message, index) => {
        if (message.role === "user") {
            userTurns++;
            for (const { entry, lifetime, userTurns: seen } of ending) {
                if (lifetime === "nextUserTurn" && userTurns > seen + 1 && entry.replacedBy === undefined)
                    entry.replacedBy = index;
            }
        }
        if (message.role !== "system")
            return;
        const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
        if (text !== "") {
            for (const { entry, lifetime } of ending) {
                if (lifetime === "untilReplaced" && entry.replacedBy === undefined)
                    entry.replacedBy = index;
            }
            const entry = { authority: message.authority, index, text };
            found.push(entry);
            if (message.lifetime !== undefined && message.lifetime !== "always")
                ending.push({ entry, lifetime: message.lifetime, userTurns });
        }
        for (const section of message.sections ?? []) {
            for (const earlier of found) {
                if (earlier.section === section.name && earlier.replacedBy === undefined)
                    earlier.replacedBy = index;
            }
            if (section.text !== null)
                found.push({ authority: message.authority, index, section: section.name, text: section.text });
        }
    });
    return found;
}
/** The dialogue without instructions: user messages, assistant turns and tool results, in order. */
export function turns(conversation) {
    return conversation.messages.filter((message) => message.role !== "system");
}
/** Every call with its result and both its ids. */
export function toolCalls(conversation) {
    const results = new Map();
    for (const message of conversation.messages) {
        if (message.role === "toolResult" && !results.has(message.toolCallId))
            results.set(message.toolCallId, message);
    }
    return conversation.messages.flatMap((message, messageIndex) => message.role !== "assistant"
        ? []
        : message.content.flatMap((part) => {
            if (part.type !== "toolCall")
                return [];
            const result = results.get(part.id);
            const state = part.state?.find((item) => item.kind === "callId")?.value;
            const providerCallId = typeof state === "string" ? state : part.id;
            return [{ call: part, id: part.id, providerCallId, messageIndex, ...(result !== undefined && { result }) }];
        }));
}
/** Everything that only its issuer understands, with the pointer of the node it stands on. */
export function opaqueItems(conversation) {
    const items = [];
    visitNodes(conversation, (node, pointer) => {
        for (const state of node.state ?? [])
            items.push({ type: "state", pointer, node, state });
        if ("type" in node && node.type === "opaque") {
            items.push({ type: "part", pointer, node: node, part: node });
        }
    });
    return items;
}
/** The text of a message, its text parts joined; other parts are left out. */
export function textOf(message) {
    return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
/** What is known of a role's origin when nothing is stated: results are data, whatever they say. */
const origins = {
    system: { source: "operator", trust: "trusted" },
    user: { source: "user", trust: "trusted" },
    assistant: { source: "model", trust: "untrusted" },
    toolResult: { source: "tool", trust: "untrusted" },
};
/** Where a message, or one of its parts, comes from: stated on the part, else on the message, else by role. */
export function originOf(message, part) {
    return { ...origins[message.role], ...message.origin, ...part?.origin };
}
/** Fields that hold JSON of others: whatever their keys are called, they are no fields of nodes. */
const foreignJson = new Set([
    "arguments",
    "parameters",
    "inputExamples",
    "outputSchema",
    "value",
    "input",
    "details",
    "schema",
    "metadata",
    "logitBias",
    "caller",
    "allowedCallers",
    "error",
]);
/** A copy of an IR value without `wire` and `state`, and without the raw usage: what is left means the same in every protocol. */
export function withoutWire(value) {
    if (Array.isArray(value))
        return value.map(withoutWire);
    if (typeof value !== "object" || value === null)
        return value;
    const copy = {};
    for (const [key, item] of Object.entries(value)) {
        if (key === "wire" || key === "state" || (key === "raw" && "totalTokens" in value))
            continue;
        copy[key] = foreignJson.has(key) ? item : withoutWire(item);
    }
    return copy;
}
//# sourceMappingURL=views.js.map