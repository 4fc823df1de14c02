import { errorObject } from "../codec/errors.js";
import { inexactPlaces } from "../codec/json/inexact.js";
import { readText } from "../codec/json/json-text.js";
import { checkDepth, checkJson } from "../codec/json/survey.js";
import { escapeSegment, isJsonObject } from "../ir/index.js";
import { acceptLosses, enforcePolicy, resolveLosses } from "../loss/index.js";
import { inexactDrafts } from "./input.js";
export function convertErrorWith(source, target, input, options = {}) {
    const { status, headers = {} } = input;
    const { body, inexact } = readErrorBody(input.body);
    checkDepth(body);
    checkJson(body);
    const error = source.decodeError(status, headers, body);
    const encoded = source === target
        ? ownError(error, target, { status, headers, body }, options.exchange)
        : target.encodeError(error, options.exchange);
    const found = errorObject(body);
    const drafts = [
        ...inexactDrafts(options.inexact ?? inexact(), "/body"),
        ...encoded.losses,
        ...(encoded.value.body === body ? [] : bodyLosses(body, found, error.message, encoded.value)),
        ...headerLosses(headers, encoded.value.headers),
        ...(encoded.value.status === status ? [] : [draft("error.rewritten", "/status")]),
    ];
    const locate = (_node, field) => `/body${found?.at ?? ""}/${field === "providerCode" ? "code" : field}`;
    const losses = acceptLosses(resolveLosses(drafts, source.id, target.id, locate, () => undefined), options.accept ?? []);
    enforcePolicy(losses, options.onLoss ?? "report");
    return { value: encoded.value, losses };
}
const draft = (code, path, kind) => ({
    code,
    stage: "encode",
    path,
    ...(kind !== undefined && { kind }),
});
/** What is no JSON came from a proxy, not from the service: it is kept as text. */
function readErrorBody(input) {
    const exact = () => [];
    if (typeof input !== "string" && !(input instanceof Uint8Array))
        return { body: input, inexact: exact };
    let text = "";
    try {
        text = typeof input === "string" ? input : readText(input);
        const body = JSON.parse(text);
        return { body, inexact: () => inexactPlaces(text, body) };
    }
    catch {
        return { body: text, inexact: exact };
    }
}
/** An error within one protocol stays as it is; only what is no JSON gets the envelope that clients read. */
function ownError(error, target, { status, headers, body }, exchange) {
    const { value } = target.encodeError(error, exchange);
    const kept = {};
    for (const [name, text] of Object.entries(headers)) {
        if (text !== undefined && !transfer.test(name))
            kept[name] = text;
    }
    const isValue = typeof body === "object" && body !== null;
    return { value: { status, headers: kept, body: isValue ? body : value.body }, losses: [] };
}
/** Headers that say how the bytes of the body came. The body is written anew, so they would be wrong. */
const transfer = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-(?:type|length|encoding)|proxy-[a-z-]+)$/i;
function headerLosses(headers, sent) {
    const lower = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
    const ids = new Set(Object.entries(sent).flatMap(([name, value]) => (/request-id$/i.test(name) ? [value] : [])));
    const losses = [];
    for (const [name, value] of Object.entries(headers)) {
        if (value === undefined || transfer.test(name))
            continue;
        const as = lower.get(name.toLowerCase());
        if (as === value || (/request-id$/i.test(name) && ids.has(value)))
            continue;
        const path = `/headers/${escapeSegment(name)}`;
        losses.push(as === undefined ? draft("error.header", path) : draft("error.header", path, "approximated"));
    }
    return losses;
}
/** Every leaf of an error body that the sent one does not state. */
function bodyLosses(body, found, message, sent) {
    const losses = [];
    const envelope = isJsonObject(sent.body) ? sent.body : {};
    const written = isJsonObject(envelope["error"]) ? envelope["error"] : {};
    const fieldOf = (pointer) => found !== undefined && pointer.startsWith(`${found.at}/`) ? pointer.slice(found.at.length + 1) : undefined;
    const isTold = (value, pointer) => {
        if (value === message || (typeof value === "string" && pointer === "" && value.trim() === message))
            return true;
        if (/^\/detail\/(?:\d+\/)?(?:msg|message|loc\/\d+)$/.test(pointer))
            return message.includes(String(value));
        if (isConstant(value, pointer))
            return true;
        if (pointer === "/request_id") {
            return envelope["request_id"] === value || Object.values(sent.headers).some((text) => text === value);
        }
        const field = fieldOf(pointer);
        return field !== undefined && Object.hasOwn(written, field) && written[field] === value;
    };
    const visit = (value, pointer) => {
        if (value === undefined || value === null || value === "")
            return;
        if (typeof value === "object") {
            for (const [key, item] of Object.entries(value))
                visit(item, `${pointer}/${escapeSegment(key)}`);
        }
        else if (!isTold(value, pointer)) {
            losses.push(draft(fieldOf(pointer) === "type" ? "error.rewritten" : "error.field", `/body${pointer}`));
        }
    };
    visit(body, "");
    return losses;
}
/** What every error of some service says. */
const isConstant = (value, pointer) => value === "error" && (pointer === "/type" || pointer === "/object");
//# sourceMappingURL=error.js.map