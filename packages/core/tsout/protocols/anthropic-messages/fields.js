/** Words of the IR whose wire key is another. */
const names = {
    cacheBreakpoint: "cache_control",
    arguments: "input",
    isError: "is_error",
    toolCallId: "tool_use_id",
    parameters: "input_schema",
    deferLoading: "defer_loading",
    inputExamples: "input_examples",
    allowedCallers: "allowed_callers",
    lifetime: "clear_at",
    effort: "output_config/effort",
};
const settingNames = {
    maxTokens: "max_tokens",
    topP: "top_p",
    topK: "top_k",
    stopSequences: "stop_sequences",
    toolChoice: "tool_choice",
    "toolChoice/names": "tool_choice/name",
    parallelToolCalls: "tool_choice/disable_parallel_tool_use",
    "reasoning/mode": "thinking/type",
    "reasoning/budget": "thinking/budget_tokens",
    "reasoning/display": "thinking/display",
    "reasoning/effort": "output_config/effort",
    serviceTier: "service_tier",
    userId: "metadata/user_id",
    cache: "cache_control",
    "cache/mode": "cache_control/type",
    "cache/breakpoint": "cache_control",
    "cache/breakpoint/ttl": "cache_control/ttl",
};
const usageNames = {
    input: "input_tokens",
    output: "output_tokens",
    cacheRead: "cache_read_input_tokens",
    cacheWrite: "cache_creation_input_tokens",
    "cacheWriteByTtl/5m": "cache_creation/ephemeral_5m_input_tokens",
    "cacheWriteByTtl/1h": "cache_creation/ephemeral_1h_input_tokens",
    reasoning: "output_tokens_details/thinking_tokens",
};
const citationNames = {
    citedText: "cited_text",
    sourceIndex: "document_index",
    url: "url",
    title: "title",
};
/** Of a response. */
const messageNames = {
    responseId: "id",
    responseModel: "model",
    stopReason: "stop_reason",
    stopDetail: "stop_reason",
    stopSequence: "stop_sequence",
};
const stateNames = {
    signature: "signature",
    encrypted: "data",
    reference: "encrypted_index",
};
/** Where a field of an IR node stands in a Messages body. */
export const fieldPointer = (node, field, base) => {
    if (field.startsWith("state:"))
        return statePointer(node.state?.[Number(field.slice(6))]);
    if (field === "role")
        return rolePointer(base);
    if ((field === "type" || field === "text") && isInString(node, base))
        return "";
    if ("role" in node)
        return messageField(node, field);
    if ("totalTokens" in node)
        return usageNames[field];
    if (!("type" in node))
        return settingField(field) ?? names[field] ?? field;
    if ("citedText" in node)
        return citationNames[field] ?? field;
    // Most declarations of functions have no type; their name says what they are.
    if (node.type === "function" && field === "type")
        return node.wire?.form?.["type"] === undefined ? "name" : "type";
    if (node.type === "server" && field === "type")
        return node.value["type"] === undefined ? "" : "type";
    if (node.type === "function" && field.startsWith("parameters/"))
        return `input_schema${field.slice(10)}`;
    if (field.startsWith("source/"))
        return field === "source/mediaType" ? "source/media_type" : field;
    const [head = "", ...rest] = field.split("/");
    return [names[head] ?? head, ...rest].join("/");
};
function statePointer(state) {
    return state === undefined ? undefined : stateNames[state.kind];
}
/** The role of a whole message, or the type of the block where the node is one block of a message. */
function rolePointer(base) {
    return /\/content\/\d+$/.test(base) ? "type" : base === "/system" ? "" : "role";
}
/** A text part that was the string content of its message has no keys of its own. */
function isInString(node, base) {
    return !("role" in node) && (base.endsWith("/content") || base === "/system");
}
function settingField(field) {
    const found = settingNames[field];
    if (found !== undefined)
        return found;
    if (field.startsWith("stopSequences/"))
        return `stop_sequences/${field.slice(14)}`;
    if (field.startsWith("responseFormat/schema"))
        return `output_config/format/schema${field.slice(21)}`;
    if (field === "responseFormat")
        return "output_config/format";
    if (field === "responseFormat/type")
        return "output_config/format/type";
    return undefined;
}
function messageField(message, field) {
    if (message.role === "assistant")
        return messageNames[field] ?? field;
    if (field === "cacheBreakpoint/ttl")
        return "cache_control/ttl";
    return names[field] ?? field;
}
//# sourceMappingURL=fields.js.map