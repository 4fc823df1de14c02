import fc from "fast-check";
import { few, mostly, oneWord, shape, typed, weighted } from "../shape.js";
import { arbitraryText, callId, count, identifier, plainText } from "../text.js";
import { citation, nullOr, thinkingBlock } from "./content.js";
import { openCall } from "./messages.js";
import { mcpRecord, ownBlock, serverRecord } from "./server-tools.js";
const text = typed("text", {
    text: arbitraryText(),
    citations: mostly(fc.constant(null), few(citation(true), 2, 0)),
});
const call = fc.tuple(openCall, callId).map(([open, id]) => ({ ...open, id }));
const alone = (block) => block.map((only) => [only]);
const content = fc
    .array(weighted([5, alone(text)], [3, alone(call)], [3, alone(thinkingBlock)], [1, serverRecord], [1, mcpRecord], [1, alone(ownBlock)]), { maxLength: 4 })
    .map((groups) => groups.flat());
const usage = shape({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: nullOr(count),
    cache_read_input_tokens: nullOr(count),
}, {
    cache_creation: nullOr(shape({ ephemeral_1h_input_tokens: count, ephemeral_5m_input_tokens: count })),
    output_tokens_details: nullOr(shape({ thinking_tokens: count })),
    server_tool_use: nullOr(shape({ web_search_requests: fc.nat(3), web_fetch_requests: fc.nat(3) })),
    service_tier: nullOr(oneWord("standard", "priority", "batch")),
    inference_geo: nullOr(plainText),
    speed: nullOr(oneWord("standard", "fast")),
    iterations: nullOr(few(typed("message", { input_tokens: count, output_tokens: count }), 1)),
}, 1);
const stop = weighted([
    4,
    oneWord("end_turn", "max_tokens", "tool_use", "pause_turn", "model_context_window_exceeded", "compaction").map((reason) => ({ stop_reason: reason, stop_sequence: null })),
], [1, arbitraryText().map((sequence) => ({ stop_reason: "stop_sequence", stop_sequence: sequence }))], [
    1,
    nullOr(typed("refusal", { category: nullOr(oneWord("cyber", "bio")), explanation: nullOr(arbitraryText()) })).map((details) => ({ stop_reason: "refusal", stop_sequence: null, stop_details: details })),
]);
/** Bodies of Messages responses. */
export const responseBody = fc
    .tuple(shape({
    id: identifier.map((id) => `msg_${id}`),
    type: oneWord("message"),
    role: oneWord("assistant"),
    model: oneWord("claude-opus-4-8"),
    content,
    usage,
}, {
    container: nullOr(shape({ id: plainText, expires_at: plainText })),
    diagnostics: nullOr(shape({ cache_miss_reason: nullOr(typed("unavailable")) })),
    context_management: nullOr(shape({ applied_edits: fc.constant([]) })),
    stop_details: fc.constant(null),
}, 1), stop)
    .map(([body, ended]) => ({ ...body, ...ended }));
//# sourceMappingURL=response.js.map