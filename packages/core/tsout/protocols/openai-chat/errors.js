import { createProviderError, errorObject, headerReader } from "../../codec/errors.js";
import { entryOf } from "../../codec/table.js";
import { isJsonObject } from "../../ir/index.js";
/** https://platform.openai.com/docs/guides/error-codes */
const kinds = {
    invalid_request_error: "invalid_request",
    authentication_error: "authentication",
    invalid_api_key: "authentication",
    permission_error: "permission",
    not_found_error: "not_found",
    model_not_found: "not_found",
    rate_limit_error: "rate_limit",
    rate_limit_exceeded: "rate_limit",
    requests: "rate_limit",
    tokens: "rate_limit",
    insufficient_quota: "billing",
    billing_hard_limit_reached: "billing",
    server_error: "server",
    api_error: "server",
    overloaded_error: "overloaded",
    engine_overloaded: "overloaded",
    context_length_exceeded: "context_length",
    content_filter: "content_filter",
    content_policy_violation: "content_filter",
};
const written = {
    invalid_request: { type: "invalid_request_error", status: 400 },
    authentication: { type: "invalid_request_error", status: 401, code: "invalid_api_key" },
    permission: { type: "invalid_request_error", status: 403 },
    not_found: { type: "invalid_request_error", status: 404 },
    rate_limit: { type: "rate_limit_error", status: 429, code: "rate_limit_exceeded" },
    overloaded: { type: "server_error", status: 503 },
    context_length: { type: "invalid_request_error", status: 400, code: "context_length_exceeded" },
    content_filter: { type: "invalid_request_error", status: 400, code: "content_filter" },
    billing: { type: "insufficient_quota", status: 429, code: "insufficient_quota" },
    server: { type: "server_error", status: 500 },
    timeout: { type: "server_error", status: 504 },
    unknown: { type: "server_error", status: 500 },
};
export function decodeError(status, headers, body) {
    const header = headerReader(headers);
    const error = errorObject(body)?.value;
    const text = (key) => {
        const value = error?.[key];
        return typeof value === "string" ? value : undefined;
    };
    const type = text("type");
    const code = text("code");
    return createProviderError({ status, body, header }, {
        message: error?.["message"],
        kind: specific(code, status) ?? specific(type, status),
        requestId: header("x-request-id"),
        type,
        providerCode: code,
        param: text("param"),
    });
}
/** `invalid_request_error` is the type, or the code, of most refusals; the status says which. */
function specific(word, status) {
    const kind = word === undefined ? undefined : entryOf(kinds, word);
    return kind === "invalid_request" && status !== 400 && status !== 422 ? undefined : kind;
}
export function encodeError(error, _exchange) {
    const { kind, requestId, status, type, providerCode, param, retryAfterMs: wait, raw } = error.details;
    const own = isJsonObject(raw) &&
        raw["type"] !== "error" &&
        isJsonObject(raw["error"]) &&
        typeof raw["error"]["message"] === "string";
    const word = written[kind];
    const known = type !== undefined && entryOf(kinds, type) === kind;
    return {
        value: {
            status: own ? (status ?? word.status) : word.status,
            headers: {
                ...(requestId !== undefined && { "x-request-id": requestId }),
                ...(wait !== undefined && { "retry-after": String(Math.ceil(wait / 1000)), "retry-after-ms": String(wait) }),
            },
            body: own
                ? raw
                : {
                    error: {
                        message: error.message,
                        type: known ? type : word.type,
                        param: param ?? null,
                        code: providerCode ?? word.code ?? null,
                    },
                },
        },
        losses: [],
    };
}
//# sourceMappingURL=errors.js.map