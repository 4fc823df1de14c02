import { requestBody as anthropicRequest } from "./anthropic-messages/request.js";
import { responseBody as anthropicResponse } from "./anthropic-messages/response.js";
import { requestBody as chatRequest } from "./openai-chat/request.js";
import { responseBody as chatResponse } from "./openai-chat/response.js";
const requests = {
    "openai-chat": chatRequest,
    "anthropic-messages": anthropicRequest,
};
const responses = {
    "openai-chat": chatResponse,
    "anthropic-messages": anthropicResponse,
};
/**
 * Request bodies of a protocol: every documented field, role, block and tool, words that are not documented yet, odd texts, and now and then
 * calls without results or results without calls.
 */
export function arbitraryRequestBody(protocol) {
    return requests[protocol];
}
/** Response bodies of a protocol: every documented field and block, several candidates, contradicting counts, words that are not documented yet. */
export function arbitraryResponseBody(protocol) {
    return responses[protocol];
}
//# sourceMappingURL=body.js.map