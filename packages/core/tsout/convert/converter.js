import { checkJson, refuseDepth, survey, wellFormed } from "../codec/json/survey.js";
import { placed } from "../codec/refuse.js";
import { acceptLosses, enforcePolicy, irLocator, resolveLosses, traceLocator } from "../loss/index.js";
import { failureError } from "../stream/failure.js";
import { writeSse } from "../stream/sse.js";
import { convertErrorWith } from "./error.js";
import { inexactDrafts, readBody, readRequest } from "./input.js";
import { crossesIssuers, sealedPlaces, withoutPlaces } from "./sealed.js";
import { convertStreamWith, createStreamConversion } from "./stream.js";
import { pointersOf, traceNodes } from "./trace.js";
/** Refuses a body that nests too deep or, given as an object, is no JSON. Toward another protocol it is looked for half surrogates as well. */
function checked(value, isText, cross) {
    const found = survey(value, cross);
    refuseDepth(found);
    if (!isText)
        checkJson(value);
    return found;
}
/** Half surrogates are no characters: toward another protocol they are replaced and reported, whatever place they stand in. */
function mended(value, { halves }, drafts) {
    if (!halves)
        return value;
    return wellFormed(value, (path) => drafts.push({ code: "text.lone_surrogate", stage: "decode", path }));
}
function settle(decoded, encoded, body, before, source, target, options) {
    const drafts = [...before, ...decoded.losses, ...encoded.losses];
    if (drafts.length === 0)
        return [];
    let places;
    const locateTarget = (object) => {
        places ??= pointersOf(body);
        return places.get(object);
    };
    const nodes = new Set();
    for (const { node } of drafts)
        if (node !== undefined)
            nodes.add(node);
    const locators = [traceLocator(decoded.trace, nodes), irLocator(decoded.value, nodes), locateTarget];
    const resolved = resolveLosses(drafts, source.id, target.id, ...locators);
    const losses = acceptLosses(resolved, options.accept ?? []);
    enforcePolicy(losses, options.onLoss ?? "report");
    return losses;
}
function encodeOrPlace(decoded, encode) {
    try {
        return encode();
    }
    catch (error) {
        throw placed(error, traceLocator(decoded.trace), irLocator(decoded.value));
    }
}
/** What decoding gives, without what a body has in fields of no protocol that only its service can read, where another service is asked. */
function unsealed(source, target, wire, options, drafts) {
    const decoded = source.decodeRequest(wire, options.source);
    // Other protocols get no residue at all.
    if (source !== target || !crossesIssuers(options.source, options.target))
        return decoded;
    const places = sealedPlaces(decoded);
    if (places.length === 0)
        return decoded;
    const from = options.source?.provider ?? "";
    for (const path of places)
        drafts.push({ code: "state.foreign", stage: "decode", path, values: { kind: "payload", from } });
    return source.decodeRequest({ ...wire, body: withoutPlaces(wire.body, places) }, options.source);
}
export function convertRequestWith(source, target, input, options = {}) {
    const { wire, write, isText, inexact } = readRequest(input);
    const cross = source !== target;
    const found = checked(wire.body, isText || options.inexact !== undefined, cross);
    const before = inexactDrafts(options.inexact ?? inexact(found));
    const body = mended(wire.body, found, before);
    if (cross && wire.headers !== undefined)
        before.push({ code: "header.beta", stage: "decode", path: "/headers" });
    const decoded = unsealed(source, target, { ...wire, body }, options, before);
    const encode = (link) => target.encodeRequest(decoded.value, options.target, link === undefined ? {} : { link });
    const encoded = encodeOrPlace(decoded, () => encode());
    const losses = settle(decoded, encoded, encoded.value.body, before, source, target, options);
    return {
        value: write(encoded.value),
        losses,
        exchange: { ...encoded.exchange, from: source.id },
        trace: () => traceNodes(decoded.value, decoded.trace, (link) => encode(link).value.body),
    };
}
/** An answer that `write` encodes, with what was lost on the way. */
function convertAnswer(source, target, { value, isText, inexact }, options, write) {
    const found = checked(value, isText || options.inexact !== undefined, source !== target);
    const before = inexactDrafts(options.inexact ?? inexact(found));
    const body = mended(value, found, before);
    const decoded = source.decodeResponse(body, options.exchange);
    const encode = (link) => write(decoded.value, {
        ...(options.target !== undefined && { profile: options.target }),
        ...(link !== undefined && { link }),
    });
    const encoded = encodeOrPlace(decoded, () => encode());
    const losses = settle(decoded, encoded, encoded.value, before, source, target, options);
    return { value: encoded.value, losses, decoded, encode };
}
export function convertResponseWith(source, target, input, options = {}) {
    const read = readBody(input);
    const { value, losses, decoded, encode } = convertAnswer(source, target, read, options, (message, how) => target.encodeResponse(message, options.exchange, how));
    return {
        value: read.write(value),
        losses,
        trace: () => traceNodes(decoded.value, decoded.trace, (link) => encode(link).value),
    };
}
function streamResponseWith(source, target, input, options = {}) {
    const { value, losses } = convertAnswer(source, target, readBody(input), options, (message, how) => target.encodeStream(message, options.exchange, how));
    return { value: value.map((frame) => writeSse(frame)).join(""), losses };
}
async function collectStreamWith(source, target, input, options = {}) {
    const { exchange, ...others } = options;
    // A response tells the usage whether it was asked for or not.
    const told = exchange === undefined ? {} : { exchange: { ...exchange, includeUsage: true } };
    const stream = convertStreamWith(source, target, input, { ...others, ...told });
    // The stream of the target says all that is left; from there to a response nothing more is lost.
    const { value: message } = await target.decodeStream(stream);
    if (message.error !== undefined)
        throw failureError(message.error);
    return { value: target.encodeResponse(unframed(message), exchange).value, losses: await stream.report };
}
/** A message that is not told how frames spelled its head: as a response it has all that belongs there. */
function unframed({ wire: _wire, alternatives, ...message }) {
    return alternatives === undefined ? message : { ...message, alternatives: alternatives.map(unframed) };
}
/** A converter for a client of `client` and a server of `server`. */
export function createConverter(client, server) {
    return {
        convertRequest: (input, options) => convertRequestWith(client, server, input, options),
        convertResponse: (input, options) => convertResponseWith(server, client, input, options),
        convertStream: (source, options) => convertStreamWith(server, client, source, options),
        streamResponse: (input, options) => streamResponseWith(server, client, input, options),
        collectStream: (source, options) => collectStreamWith(server, client, source, options),
        createStreamConversion: (options) => createStreamConversion(server, client, options),
        convertError: (input, options) => convertErrorWith(server, client, input, options),
    };
}
//# sourceMappingURL=converter.js.map