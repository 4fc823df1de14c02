import { isJsonObject } from "./json.js";
/** The arguments as an object, or why there are none. An empty text means no arguments. A custom tool's free text is never an object. */
export function callArguments(call) {
    if (call.argumentsError !== undefined)
        return { error: call.argumentsError };
    if (call.arguments !== undefined)
        return { value: call.arguments };
    return readArguments(call.argumentsText);
}
/** Reads argument text. Never repairs it: text that is not a JSON object is an error, because it may be cut. */
export function readArguments(text) {
    if (text.trim() === "")
        return { value: {} };
    let value;
    try {
        value = JSON.parse(text);
    }
    catch {
        return { error: "the arguments are not valid JSON" };
    }
    if (!isJsonObject(value))
        return { error: "the arguments are not a JSON object" };
    if ((text.length > maximumDepth || /\d[eE]\+?\d{3}/.test(text)) && !isWritable(value, maximumDepth))
        return { error: "the arguments nest too deep, or hold a number that is too large" };
    return { value };
}
/** How deep arguments may nest, so that a body with them still nests within its own limit. */
const maximumDepth = 507;
/** False for what `JSON.parse` reads and no body can say: deep nesting, and numbers beyond a double, which read as infinity. */
function isWritable(value, depth) {
    if (typeof value === "number")
        return Number.isFinite(value);
    if (typeof value !== "object" || value === null)
        return true;
    if (depth === 0)
        return false;
    if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++)
            if (!isWritable(value[index], depth - 1))
                return false;
        return true;
    }
    for (const key in value)
        if (!isWritable(value[key], depth - 1))
            return false;
    return true;
}
/** The arguments as text, as Chat and Responses carry them. */
export function callArgumentsText(call) {
    return call.argumentsText ?? JSON.stringify(call.arguments);
}
//# sourceMappingURL=arguments.js.map