import { isJsonObject } from "./json.js";
export function createTool(tool) {
    return "type" in tool ? tool : { type: "function", ...tool };
}
function createPart(part) {
    if (typeof part === "string")
        return { type: "text", text: part };
    if ("type" in part)
        return part;
    return { type: "toolCall", kind: "function", id: part.id, name: part.name, arguments: part.arguments };
}
/** A string becomes one text part; an empty string becomes no part. */
export function createContent(content) {
    if (typeof content === "string")
        return content === "" ? [] : [{ type: "text", text: content }];
    return content.map(createPart);
}
function createSystem(input) {
    const { content, sections, toolsAdded, toolsRemoved, authority, ...others } = input;
    const record = sections !== undefined && !Array.isArray(sections) && isJsonObject(sections);
    return {
        ...others,
        role: "system",
        authority: authority ?? "system",
        content: typeof content === "string" || content === undefined
            ? createContent(content ?? "")
            : content,
        ...(sections !== undefined && {
            sections: record
                ? Object.entries(sections).map(([name, text]) => ({ name, text }))
                : sections,
        }),
        ...(toolsAdded !== undefined && { toolsAdded: toolsAdded.map(createTool) }),
        ...(toolsRemoved !== undefined && {
            toolsRemoved: toolsRemoved.map((tool) => (typeof tool === "string" ? { name: tool } : tool)),
        }),
    };
}
/** The normal form of a loosely spelled message. */
export function createMessage(input) {
    switch (input.role) {
        case "system":
            return createSystem(input);
        case "user":
            return { ...input, content: createContent(input.content) };
        case "assistant":
            return { ...input, content: createContent(input.content) };
        case "toolResult":
            return { ...input, content: createContent(input.content), isError: input.isError ?? false };
    }
}
/** A function call made by the model. */
export function createToolCall(id, name, input) {
    return { type: "toolCall", kind: "function", id, name, arguments: input };
}
/** A conversation in normal form from loosely spelled messages. */
export function createConversation(messages, settings = {}) {
    return { messages: messages.map(createMessage), settings };
}
//# sourceMappingURL=create.js.map