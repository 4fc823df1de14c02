import fc from "fast-check";
import { argumentText } from "../json.js";
import { few, maybe, mostly, oneWord, shape, typed } from "../shape.js";
import { arbitraryText, base64, callId, count, identifier, plainText, toolName, url } from "../text.js";
import { openCall, signed, sometimesTwice } from "./messages.js";
const annotation = typed("url_citation", {
    url_citation: shape({ start_index: fc.nat(20), end_index: fc.nat(40), title: plainText, url }),
});
const nullOr = (value) => mostly(value, fc.constant(null));
const message = fc
    .tuple(sometimesTwice(shape({
    role: oneWord("assistant"),
    content: nullOr(arbitraryText()),
    refusal: mostly(fc.constant(null), arbitraryText()),
}, {
    annotations: few(annotation, 2, 0),
    audio: nullOr(shape({ id: oneWord("audio_abc"), data: base64, expires_at: count, transcript: arbitraryText() })),
    function_call: nullOr(shape({ name: toolName, arguments: argumentText })),
    reasoning_content: arbitraryText(),
    reasoning: arbitraryText(),
    reasoning_details: few(typed("reasoning.encrypted", { data: plainText }), 2),
    extra_content: signed,
}, 5)), maybe(few(fc.tuple(callId, openCall)), 1))
    .map(([fields, calls]) => ({
    ...fields,
    ...(calls !== undefined && {
        tool_calls: calls.map(([id, call], index) => ({ id: `${id}${index || ""}`, ...call })),
    }),
}));
const tokenLogprob = shape({
    token: arbitraryText(),
    logprob: fc.constantFrom(-0.25, -3.5),
    bytes: nullOr(few(fc.nat(255), 3)),
    top_logprobs: fc.constant([]),
});
const logprobs = mostly(fc.constant(null), shape({ content: nullOr(few(tokenLogprob, 2)), refusal: fc.constant(null) }));
const choice = shape({
    message,
    logprobs,
    finish_reason: oneWord("stop", "length", "tool_calls", "content_filter", "function_call"),
});
const usage = fc
    .tuple(count, count, maybe(shape({ cached_tokens: count, audio_tokens: count }, { cache_write_tokens: count, text_tokens: count })), maybe(shape({ reasoning_tokens: count }, { accepted_prediction_tokens: count, rejected_prediction_tokens: count, audio_tokens: count })), maybe(count, 9))
    .map(([prompt, completion, promptDetails, completionDetails, total]) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total ?? prompt + completion,
    ...(promptDetails !== undefined && { prompt_tokens_details: promptDetails }),
    ...(completionDetails !== undefined && { completion_tokens_details: completionDetails }),
}));
/** Bodies of Chat Completions responses. */
export const responseBody = fc
    .tuple(shape({
    id: identifier.map((id) => `chatcmpl-${id}`),
    object: oneWord("chat.completion"),
    created: fc.integer({ min: 0, max: 2000000000 }),
    model: oneWord("gpt-5.6"),
}, {
    usage,
    service_tier: nullOr(oneWord("default", "priority")),
    system_fingerprint: plainText,
    metadata: nullOr(shape({}, { team: plainText })),
    moderation: nullOr(shape({ flagged: fc.boolean() })),
}, 1), mostly(few(choice, 1), few(choice, 3, 0)))
    .map(([body, choices]) => ({ ...body, choices: choices.map((entry, index) => ({ index, ...entry })) }));
//# sourceMappingURL=response.js.map