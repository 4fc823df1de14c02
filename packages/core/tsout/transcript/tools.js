/** The name under which a tool is added and withdrawn; hosted tools without a name go by the type that their protocol gives them. */
export function toolName(tool) {
    if (tool.type !== "server")
        return tool.name;
    const type = tool.value["type"];
    return tool.name ?? (typeof type === "string" ? type : tool.protocol);
}
/**
 * The tools in force after all messages. In each message withdrawals come before additions; a tool that is declared again takes its new
 * declaration and moves to the end. Hosted tools of the same name stand side by side.
 */
export function replayTools(messages) {
    let current = [];
    messages.forEach((message, index) => {
        if (message.role !== "system")
            return;
        if (message.toolsRemoved !== undefined && message.toolsRemoved.length > 0) {
            const gone = new Set(message.toolsRemoved.map((tool) => tool.name));
            current = current.filter(({ tool }) => !gone.has(toolName(tool)));
        }
        if (message.toolsAdded === undefined || message.toolsAdded.length === 0)
            return;
        if (current.length > 0) {
            const again = new Set(message.toolsAdded.filter((tool) => tool.type !== "server").map(toolName));
            current = current.filter(({ tool }) => !again.has(toolName(tool)));
        }
        for (const tool of message.toolsAdded)
            current.push({ tool, index });
    });
    return current;
}
/** The tools in force after all messages. */
export function getCurrentTools(messages) {
    return replayTools(messages).map(({ tool }) => tool);
}
//# sourceMappingURL=tools.js.map