import { changedNames } from "./identity/names.js";
import { formOf } from "./restore.js";
/** What the answer to an encoded request needs: how names and ids were changed, and what the client asked for. */
export function createExchange(conversation, protocol, profile, names, customTools) {
    const { model, stream, streamOptions } = conversation.settings;
    const toolNames = changedNames(names.toolNames);
    const toolCallIds = changedNames(names.callIds);
    return {
        from: conversation.wire?.protocol ?? protocol,
        to: protocol,
        ...(model !== undefined && { model }),
        ...(profile.provider !== undefined && { provider: profile.provider }),
        ...(stream !== undefined && { stream }),
        ...(streamOptions?.includeUsage !== undefined && { includeUsage: streamOptions.includeUsage }),
        ...(toolNames !== undefined && { toolNames }),
        ...(toolCallIds !== undefined && { toolCallIds }),
        ...(readsFunctionCalls(conversation) && { functionCalls: true }),
        ...(customTools.size > 0 && { customTools: [...customTools] }),
    };
}
/** A client that declares nothing but the deprecated `functions` does not look for calls elsewhere than in `function_call`. */
function readsFunctionCalls({ messages: [first] }) {
    if (first?.role !== "system" || first.toolsAdded === undefined || first.toolsAdded.length === 0)
        return false;
    return first.toolsAdded.every(({ wire }) => formOf(wire, "openai-chat", "functions") === true);
}
//# sourceMappingURL=exchange.js.map