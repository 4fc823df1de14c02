import { ConfigError } from "../errors/index.js";
import { escapeSegment, isJsonObject, pointerSegments } from "../ir/index.js";
import { lossCatalogue, lossDefinition } from "./catalogue/index.js";
/** Marks the losses that a list accepts, with the reason. */
export function acceptLosses(losses, list) {
    if (list.length === 0 || losses.length === 0)
        return losses;
    return losses.map((loss) => {
        const found = list.find((entry) => accepts(entry, loss));
        return found === undefined ? loss : { ...loss, accepted: found.reason };
    });
}
function accepts(entry, loss) {
    if (entry.code.includes("*")) {
        // What touches safety or authority is accepted by its own name or not at all.
        if (loss.effect === "safety" || loss.effect === "authority")
            return false;
        const prefix = entry.code.slice(0, entry.code.indexOf("*"));
        if (!loss.code.startsWith(prefix))
            return false;
    }
    else if (entry.code !== loss.code)
        return false;
    if (entry.from !== undefined && entry.from !== loss.from)
        return false;
    if (entry.to !== undefined && entry.to !== loss.to)
        return false;
    return (entry.path === undefined ||
        matches(pointerSegments(entry.path), pointerSegments(loss.path || loss.targetPath || "")));
}
function matches(pattern, path) {
    for (let index = 0; index < pattern.length; index++) {
        if (pattern[index] === "**")
            return true;
        if (index >= path.length || (pattern[index] !== "*" && pattern[index] !== path[index]))
            return false;
    }
    return pattern.length === path.length;
}
const entryKeys = ["code", "from", "to", "path", "reason"];
/** Why a code names no loss; undefined where it does. */
function wrongCode(code) {
    if (!code.includes("*")) {
        return lossDefinition(code) === undefined ? "no loss has this code; `rolecall explain` lists them" : undefined;
    }
    const prefix = code.slice(0, -1);
    if (prefix.includes("*") || !code.endsWith("*"))
        return 'a code has one "*" at most, at its end';
    return Object.keys(lossCatalogue).some((known) => known.startsWith(prefix))
        ? undefined
        : "no loss has a code that begins so; `rolecall explain` lists them";
}
/** Why a text is no pattern of JSON pointers; undefined where it is. */
function wrongPlace(place) {
    if (place !== "" && !place.startsWith("/"))
        return '"path" must be a JSON pointer: "" or begin with "/"';
    if (/~(?![01])/.test(place))
        return '"path" must be a JSON pointer: "~" is written "~0" in it';
    return pointerSegments(place).slice(0, -1).includes("**")
        ? '"**" stands for everything below and must be the last segment of a "path"'
        : undefined;
}
/**
 * Reads an accept list: `{"accept": [...]}` or the bare array. Throws a ConfigError at the first entry that is wrong. What it does not know
 * it refuses: an entry with a misspelt "path" would accept the loss everywhere.
 */
export function readAcceptances(value, file) {
    const list = isJsonObject(value) && Array.isArray(value["accept"]) ? value["accept"] : value;
    const base = list === value ? "" : "/accept";
    if (!Array.isArray(list))
        throw new ConfigError("", 'an accept list is an array, or an object with the array "accept"', file);
    return list.map((entry, index) => {
        const path = `${base}/${index}`;
        if (!isJsonObject(entry))
            throw new ConfigError(path, "an entry of an accept list must be an object", file);
        const unknown = Object.keys(entry).find((key) => !entryKeys.includes(key));
        if (unknown !== undefined) {
            const pointer = `${path}/${escapeSegment(unknown)}`;
            throw new ConfigError(pointer, `an entry has no "${unknown}"; it has ${entryKeys.join(", ")}`, file);
        }
        const { code, from, to, path: place, reason } = entry;
        if (typeof code !== "string")
            throw new ConfigError(`${path}/code`, 'state the "code" of the loss that is accepted', file);
        const odd = wrongCode(code);
        if (odd !== undefined)
            throw new ConfigError(`${path}/code`, odd, file);
        if (typeof reason !== "string" || reason === "") {
            throw new ConfigError(`${path}/reason`, 'state a "reason": it stands in every report', file);
        }
        for (const [key, item] of [
            ["from", from],
            ["to", to],
            ["path", place],
        ]) {
            if (item !== undefined && typeof item !== "string")
                throw new ConfigError(`${path}/${key}`, `"${key}" must be a string`, file);
        }
        const astray = typeof place === "string" ? wrongPlace(place) : undefined;
        if (astray !== undefined)
            throw new ConfigError(`${path}/path`, astray, file);
        return {
            code,
            reason,
            ...(typeof from === "string" && { from }),
            ...(typeof to === "string" && { to }),
            ...(typeof place === "string" && { path: place }),
        };
    });
}
//# sourceMappingURL=accept.js.map