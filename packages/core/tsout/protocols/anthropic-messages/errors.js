import { createProviderError, errorObject, headerReader } from "../../codec/errors.js";
import { entryOf } from "../../codec/table.js";
import { isJsonObject } from "../../ir/index.js";
/** https://platform.claude.com/docs/en/api/errors */
const kinds = {
    invalid_request_error: "invalid_request",
    authentication_error: "authentication",
    billing_error: "billing",
    permission_error: "permission",
    not_found_error: "not_found",
    request_too_large: "invalid_request",
    rate_limit_error: "rate_limit",
    timeout_error: "timeout",
    api_error: "server",
    overloaded_error: "overloaded",
};
const written = {
    invalid_request: { type: "invalid_request_error", status: 400 },
    authentication: { type: "authentication_error", status: 401 },
    permission: { type: "permission_error", status: 403 },
    not_found: { type: "not_found_error", status: 404 },
    rate_limit: { type: "rate_limit_error", status: 429 },
    overloaded: { type: "overloaded_error", status: 529 },
    context_length: { type: "invalid_request_error", status: 400 },
    content_filter: { type: "invalid_request_error", status: 400 },
    billing: { type: "billing_error", status: 402 },
    server: { type: "api_error", status: 500 },
    timeout: { type: "timeout_error", status: 408 },
    unknown: { type: "api_error", status: 500 },
};
export function decodeError(status, headers, body) {
    const header = headerReader(headers);
    const error = errorObject(body)?.value;
    const type = typeof error?.["type"] === "string" ? error["type"] : undefined;
    return createProviderError({ status, body, header }, {
        message: error?.["message"],
        kind: type === undefined ? undefined : entryOf(kinds, type),
        requestId: isJsonObject(body) && typeof body["request_id"] === "string" ? body["request_id"] : header("request-id"),
        type,
    });
}
export function encodeError(error, _exchange) {
    const { kind, requestId, status, type, providerCode, param, retryAfterMs: wait, raw } = error.details;
    const own = isJsonObject(raw) && raw["type"] === "error" && isJsonObject(raw["error"]);
    const word = written[kind];
    const losses = [];
    if (!own) {
        for (const [field, value] of [
            ["param", param],
            ["providerCode", providerCode],
        ]) {
            if (value !== undefined)
                losses.push({ code: "error.field", stage: "encode", node: error, field, values: { to: "anthropic-messages" } });
        }
    }
    const known = type !== undefined && entryOf(kinds, type) === kind;
    return {
        value: {
            status: known || own ? (status ?? word.status) : word.status,
            headers: { ...(requestId !== undefined && { "request-id": requestId }), ...retryHeader(wait) },
            body: own
                ? raw
                : {
                    type: "error",
                    error: { type: known ? type : word.type, message: error.message },
                    ...(requestId !== undefined && { request_id: requestId }),
                },
        },
        losses,
    };
}
function retryHeader(wait) {
    return wait === undefined ? {} : { "retry-after": String(Math.ceil(wait / 1000)) };
}
//# sourceMappingURL=errors.js.map