import { DecodeError } from "../errors/index.js";
import { escapeSegment, isJsonObject, setOwn } from "../ir/index.js";
export function knownKeys(...keys) {
    const known = Object.create(null);
    for (const key of keys)
        known[key] = true;
    return known;
}
export function createLedger(protocol, nulls = "rest") {
    return { protocol, nulls };
}
/** Puts a value that the IR has no word for aside. `pointer` is relative to the wire object, without a leading slash. */
export function keep(ledger, pointer, value) {
    ledger.rest ??= {};
    setOwn(ledger.rest, pointer, value);
}
/** Notes a spelling among equals. */
export function spell(ledger, key, value) {
    ledger.form ??= {};
    ledger.form[key] = value;
}
/** Keeps every key that is not in `known`. `prefix` is the pointer of `source` inside the ledger's object, with a trailing slash. */
export function keepUnknown(ledger, source, known, prefix = "") {
    for (const key in source) {
        if (known[key] === undefined)
            keep(ledger, prefix + escapeSegment(key), source[key]);
    }
}
/** Decides on a null, an empty container or a value of the wrong type at a known key. */
export function keepOdd(ledger, key, value, prefix = "") {
    if (value === undefined)
        return undefined;
    if (ledger.nulls === "form" && (value === null || (typeof value === "object" && Object.keys(value).length === 0))) {
        spell(ledger, prefix + key, value);
    }
    else
        keep(ledger, prefix + key, value);
    return undefined;
}
export function readString(ledger, source, key, prefix = "") {
    const value = source[key];
    return typeof value === "string" ? value : keepOdd(ledger, key, value, prefix);
}
export function readNumber(ledger, source, key, prefix = "") {
    const value = source[key];
    return typeof value === "number" ? value : keepOdd(ledger, key, value, prefix);
}
export function readBoolean(ledger, source, key, prefix = "") {
    const value = source[key];
    return typeof value === "boolean" ? value : keepOdd(ledger, key, value, prefix);
}
export function readObject(ledger, source, key, prefix = "") {
    const value = source[key];
    return isJsonObject(value) ? value : keepOdd(ledger, key, value, prefix);
}
/** One of a closed set of strings; any other value is kept. */
export function readOneOf(ledger, source, key, values, prefix = "") {
    const value = source[key];
    return values.includes(value) ? value : keepOdd(ledger, key, value, prefix);
}
/** An array of strings only. */
export function isStringArray(value) {
    return Array.isArray(value) && value.every((item) => typeof item === "string");
}
const plain = new Map();
/** The shared, frozen wire form of a node with no residue; `joined` where it shares the container of the node before it. */
export function plainWire(protocol, joined = false) {
    const key = joined ? `${protocol}+` : protocol;
    let wire = plain.get(key);
    if (wire === undefined) {
        wire = Object.freeze(joined ? { protocol, joined: true } : { protocol });
        plain.set(key, wire);
    }
    return wire;
}
/** What the ledger kept, or undefined where it kept nothing. */
export function wireOf(ledger) {
    const { protocol, rest, form } = ledger;
    if (rest === undefined)
        return form === undefined ? undefined : { protocol, form };
    return form === undefined ? { protocol, rest } : { protocol, rest, form };
}
/** A spread that adds `wire` to a node only where there is residue. */
export function wireField(ledger) {
    const wire = wireOf(ledger);
    return wire === undefined ? noFields : { wire };
}
const noFields = Object.freeze({});
/** The value as an object, or a DecodeError that says what stands there instead. */
export function expectObject(value, path, what) {
    if (isJsonObject(value))
        return value;
    throw new DecodeError(path, `${what} at ${path || "/"} must be an object, not ${describe(value)}`);
}
export function expectArray(value, path, what) {
    if (Array.isArray(value))
        return value;
    throw new DecodeError(path, `${what} at ${path || "/"} must be an array, not ${describe(value)}`);
}
export function expectString(value, path, what) {
    if (typeof value === "string")
        return value;
    throw new DecodeError(path, `${what} at ${path || "/"} must be a string, not ${describe(value)}`);
}
/** The JSON type of a value, for error messages; never the value itself. */
export function describe(value) {
    if (value === undefined)
        return "absent";
    if (value === null)
        return "null";
    return Array.isArray(value) ? "an array" : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}
//# sourceMappingURL=ledger.js.map