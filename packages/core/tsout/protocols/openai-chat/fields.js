import { signaturePointer } from "./parts/reasoning.js";
const settingNames = {
    maxTokens: "max_completion_tokens",
    topP: "top_p",
    topK: "top_k",
    minP: "min_p",
    stopSequences: "stop",
    presencePenalty: "presence_penalty",
    frequencyPenalty: "frequency_penalty",
    logitBias: "logit_bias",
    topLogprobs: "top_logprobs",
    toolChoice: "tool_choice",
    "toolChoice/names": "tool_choice",
    "toolChoice/subset": "tool_choice/type",
    parallelToolCalls: "parallel_tool_calls",
    streamOptions: "stream_options",
    "reasoning/mode": "reasoning_effort",
    "reasoning/effort": "reasoning_effort",
    serviceTier: "service_tier",
    speed: "service_tier",
    userId: "safety_identifier",
    "cache/key": "prompt_cache_key",
    "cache/retention": "prompt_cache_retention",
    "cache/mode": "prompt_cache_options/mode",
    cache: "prompt_cache_options",
    "cache/ttl": "prompt_cache_options/ttl",
    webSearch: "web_search_options",
    safety: "moderation",
    responseFormat: "response_format",
    "responseFormat/type": "response_format/type",
};
const usageNames = {
    input: "prompt_tokens",
    output: "completion_tokens",
    cacheRead: "prompt_tokens_details/cached_tokens",
    cacheWrite: "prompt_tokens_details/cache_write_tokens",
    reasoning: "completion_tokens_details/reasoning_tokens",
    totalTokens: "total_tokens",
};
/** Of a response; the first candidate is the message itself. */
const messageNames = {
    responseId: "id",
    responseModel: "model",
    timestamp: "created",
};
const callNames = { name: "function/name", arguments: "function/arguments" };
const functionNames = {
    name: "function/name",
    description: "function/description",
    strict: "function/strict",
    cacheBreakpoint: "cache_control",
};
/** Where a field of an IR node stands in a Chat body. */
export const fieldPointer = (node, field, base) => {
    if ("role" in node)
        return messageField(node, field, base);
    if ("totalTokens" in node)
        return usageNames[field];
    if (!("type" in node))
        return settingField(field);
    const { type } = node;
    if (field.startsWith("state:"))
        return statePointer(node, Number(field.slice(6)), base);
    switch (type) {
        case "toolCall":
            return callField(node, field);
        case "function":
        case "custom":
            return toolField(node, field);
        case "url":
            return citationField(field);
        default:
            return partField(node, type, field, base);
    }
};
function messageField(node, field, base) {
    const { role } = node;
    if (role === "toolResult") {
        if (field === "toolCallId")
            return "tool_call_id";
        if (field === "toolName")
            return "name";
        return field;
    }
    if (role !== "assistant")
        return field;
    const isAnswer = !base.startsWith("/messages/");
    if (!isAnswer)
        return field;
    if (field === "stopReason" || field === "stopDetail")
        return stopPointer(node.wire?.form, base);
    return messageNames[field] ?? field;
}
/** Where the reason stands, or what lacks it: the choice, or the list of choices. */
function stopPointer(form = {}, base) {
    if (Array.isArray(form["choices"]))
        return "choices";
    const choice = base === "" ? "choices/0/" : "";
    return form[`${choice}finish_reason`] === "omitted" ? choice.slice(0, -1) : `${choice}finish_reason`;
}
function settingField(field) {
    if (field.startsWith("toolChoice/names/"))
        return `tool_choice/allowed_tools/tools/${field.slice(17)}`;
    if (field.startsWith("responseFormat/") && field !== "responseFormat/type")
        return `response_format/json_schema/${field.slice(15)}`;
    if (field.startsWith("stopSequences/"))
        return `stop/${field.slice(14)}`;
    return settingNames[field] ?? field;
}
function statePointer(node, index, base) {
    const kind = node.state?.[index]?.kind;
    if (kind !== "details" && kind !== "signature")
        return undefined;
    const place = kind === "details" ? "reasoning_details" : signaturePointer(node, index);
    if ("type" in node && node.type === "toolCall")
        return place;
    // Reasoning without a text stands where its state does.
    const pointer = `${messageOf(base)}/${place}`;
    return pointer === base ? "" : pointer;
}
/** The place of the message that reasoning stands in. */
function messageOf(base) {
    return base.slice(0, base.search(/\/(?:reasoning(?:_content|_details)?|(?:extra_content\/google\/)?thought_signature)$/));
}
function callField(call, field) {
    if (call.wire?.form?.["function_call"] === true)
        return field;
    if (call.kind === "custom")
        return field === "name" ? "custom/name" : field === "arguments" ? "custom/input" : field;
    return callNames[field] ?? field;
}
function toolField(tool, field) {
    if (tool.wire?.form?.["functions"] === true)
        return field === "type" ? "name" : field;
    if (field === "type" && tool.wire?.form?.["type"] === "omitted")
        return "function";
    if (tool.type === "custom")
        return field === "type" ? "type" : `custom/${field}`;
    if (field.startsWith("parameters"))
        return `function/${field}`;
    return functionNames[field] ?? field;
}
function citationField(field) {
    const names = {
        startIndex: "url_citation/start_index",
        endIndex: "url_citation/end_index",
    };
    return names[field] ?? (field === "type" ? "type" : `url_citation/${field}`);
}
function partField(part, type, field, base) {
    if (field === "repeated")
        return `${base.slice(0, base.lastIndexOf("/"))}/${String(part.wire?.form?.["repeated"])}`;
    const inString = base.endsWith("/content") ||
        base.endsWith("/refusal") ||
        base.endsWith("/reasoning_content") ||
        base.endsWith("/reasoning");
    if (inString)
        return field === "type" || field === "text" ? "" : undefined;
    if (type === "refusal" && field === "text")
        return "refusal";
    if (field === "cacheBreakpoint")
        return part.wire?.form?.["mark"] === "cache_control" ? "cache_control" : "prompt_cache_breakpoint";
    if (field === "cacheBreakpoint/ttl")
        return `${part.wire?.form?.["mark"] === "cache_control" ? "cache_control" : "prompt_cache_breakpoint"}/ttl`;
    if (type === "image") {
        if (field === "detail")
            return "image_url/detail";
        if (field === "source/mediaType")
            return part.wire?.form?.["image_url"] === "string" ? "image_url" : "image_url/url";
    }
    if (type === "document" && field === "title")
        return "file/filename";
    if (type === "document" && field === "source/mediaType")
        return "file/file_data";
    return field;
}
//# sourceMappingURL=fields.js.map