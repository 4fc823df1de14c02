function below(pointer, key) {
    return (pointer === null ? null : `${pointer}/${key}`);
}
/** Cache marks and media sources carry residue only; they are visited where they have some. */
function visitResidue(owner, node, pointer, field, visit) {
    if (node?.wire !== undefined)
        visit(node, below(pointer, field), owner, field);
}
function visitList(nodes, pointer, key, visitOne, visit) {
    if (nodes === undefined || nodes.length === 0)
        return;
    const list = below(pointer, key);
    for (let index = 0; index < nodes.length; index++)
        visitOne(nodes[index], below(list, index), visit);
}
function visitLeaf(node, pointer, visit) {
    visit(node, pointer);
}
function visitPart(part, pointer, visit) {
    visit(part, pointer);
    visitResidue(part, part.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
    switch (part.type) {
        case "text":
            visitList(part.citations, pointer, "citations", visitLeaf, visit);
            return;
        case "image":
        case "audio":
        case "video":
            visitResidue(part, part.source, pointer, "source", visit);
            return;
        case "document":
            visitResidue(part, part.source, pointer, "source", visit);
            if (part.source.type === "content" || part.source.type === "searchResult") {
                visitList(part.source.content, below(pointer, "source"), "content", visitPart, visit);
            }
            return;
        default:
            return;
    }
}
function visitTool(tool, pointer, visit) {
    visit(tool, pointer);
    if (tool.type === "server")
        return;
    visitResidue(tool, tool.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
    if (tool.type === "namespace")
        visitList(tool.tools, pointer, "tools", visitTool, visit);
}
/** Visits a message and everything below it. */
export function visitMessage(message, pointer, visit) {
    visit(message, pointer);
    // Not as other lists are: most nodes are parts, and a call that is known beforehand costs a fraction.
    const { content } = message;
    const list = content.length === 0 ? pointer : below(pointer, "content");
    for (let index = 0; index < content.length; index++)
        visitPart(content[index], below(list, index), visit);
    switch (message.role) {
        case "system":
            visitList(message.toolsAdded, pointer, "toolsAdded", visitTool, visit);
            visitList(message.toolsRemoved, pointer, "toolsRemoved", visitLeaf, visit);
            return;
        case "assistant":
            visitResidue(message, message.usage, pointer, "usage", visit);
            visitList(message.alternatives, pointer, "alternatives", visitMessage, visit);
            return;
        case "toolResult":
            visitResidue(message, message.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
            return;
        case "user":
            return;
    }
}
/** Visits every node of a conversation, the conversation itself first, in document order. */
export function visitNodes(conversation, visit, pointer = "") {
    const { settings, messages } = conversation;
    visit(conversation, pointer);
    visitResidue(settings, settings.cache?.breakpoint, below(pointer, "settings"), "cache/breakpoint", visit);
    visitList(messages, pointer, "messages", visitMessage, visit);
}
//# sourceMappingURL=walk.js.map