import { escapeSegment, isJsonObject, setOwn, unescapeSegment } from "../../ir/index.js";
const kept = new Set([
    "$defs",
    "definitions",
    "$ref",
    "type",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "description",
    "title",
    "properties",
    "required",
    "items",
]);
const formats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);
const openAiKept = new Set([
    ...kept,
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
]);
/** A schema within the subset of the target. What is outside of it is written into the description, where the model still reads it. */
export function lowerSchema(schema, target, onKeyword) {
    return lower(schema, { target, onKeyword, root: schema }, "");
}
function lower(schema, lowering, pointer) {
    const { target, onKeyword, root } = lowering;
    const result = {};
    const told = [];
    for (const [key, value] of Object.entries(schema)) {
        const below = `${pointer}/${escapeSegment(key)}`;
        if (key === "additionalProperties")
            continue;
        if (key === "$ref" && typeof value === "string") {
            result[key] = followOneOf(value, root);
            continue;
        }
        if (becomesAnyOf(key, schema)) {
            onKeyword(key, below, "anyOf");
            result["anyOf"] = lowerValue(key, value, lowering, below);
            continue;
        }
        // Beside anyOf there is no place for a second list.
        if (key !== "oneOf" && isKept(key, value, target)) {
            setOwn(result, key, lowerValue(key, value, lowering, below));
            continue;
        }
        onKeyword(key, below, "told");
        told.push(`${key}: ${JSON.stringify(value)}`);
    }
    closeObject(schema, result, told, onKeyword, pointer);
    if (told.length > 0) {
        const description = result["description"];
        result["description"] = [
            ...(typeof description === "string" && description !== "" ? [description] : []),
            `{${told.join(", ")}}`,
        ].join("\n\n");
    }
    return result;
}
const becomesAnyOf = (key, schema) => key === "oneOf" && !("anyOf" in schema);
const mapKeywords = new Set(["properties", "$defs", "definitions"]);
/** A reference to an alternative of a `oneOf`, which now stands below `anyOf`. Properties may be called so too and keep their name. */
function followOneOf(reference, root) {
    if (!reference.startsWith("#/"))
        return reference;
    let place = root;
    let isSchema = true;
    const segments = reference.slice(2).split("/");
    return `#/${segments
        .map((segment) => {
        const key = unescapeSegment(segment);
        const moved = isSchema && isJsonObject(place) && becomesAnyOf(key, place);
        isSchema = !isSchema || !(mapKeywords.has(key) || lists.has(key));
        place = typeof place === "object" && place !== null ? place[key] : undefined;
        return moved ? "anyOf" : segment;
    })
        .join("/")}`;
}
const lists = new Set(["anyOf", "oneOf", "allOf"]);
/** True for a schema that the services treat as one of an object. */
export function isObjectSchema(schema) {
    const { type } = schema;
    return type === "object" || (Array.isArray(type) && type.includes("object")) || isJsonObject(schema["properties"]);
}
function isKept(key, value, target) {
    if (key === "format")
        return typeof value === "string" && formats.has(value);
    if (target === "openai-strict")
        return openAiKept.has(key);
    return kept.has(key) || (key === "minItems" && (value === 0 || value === 1));
}
/** Objects of both subsets admit no further properties; what the source states about them otherwise is told. */
function closeObject(schema, result, told, onKeyword, pointer) {
    const stated = schema["additionalProperties"];
    const isObject = isObjectSchema(schema);
    if (isObject)
        result["additionalProperties"] = false;
    if (stated === false || (stated === undefined && !isObject))
        return;
    if (stated === undefined) {
        onKeyword("additionalProperties", pointer, "closed");
        // The model reads what the source left open, so that its absence stays visible in what is sent.
        told.push("additionalProperties: not stated");
        return;
    }
    onKeyword("additionalProperties", `${pointer}/additionalProperties`, "told");
    told.push(`additionalProperties: ${JSON.stringify(stated)}`);
}
function lowerValue(key, value, lowering, pointer) {
    switch (key) {
        case "properties":
        case "$defs":
        case "definitions": {
            if (!isJsonObject(value))
                return value;
            const result = {};
            for (const [name, inner] of Object.entries(value)) {
                const below = `${pointer}/${escapeSegment(name)}`;
                setOwn(result, name, isJsonObject(inner) ? lower(inner, lowering, below) : inner);
            }
            return result;
        }
        case "items":
            return isJsonObject(value) ? lower(value, lowering, pointer) : value;
        case "anyOf":
        case "oneOf":
        case "allOf":
            return Array.isArray(value)
                ? value.map((inner, index) => isJsonObject(inner) ? lower(inner, lowering, `${pointer}/${index}`) : inner)
                : value;
        default:
            return value;
    }
}
/** True where OpenAI accepts the schema in strict mode: closed objects with all properties required, and no keyword outside of the subset. */
export function isOpenAiStrict(schema) {
    return schema["type"] === "object" && !("anyOf" in schema) && isStrictBelow(schema);
}
function isStrictBelow(schema) {
    for (const [key, value] of Object.entries(schema)) {
        if (key === "additionalProperties")
            continue;
        if (!isKept(key, value, "openai-strict") || key === "oneOf" || key === "allOf")
            return false;
        if ((key === "properties" || key === "$defs" || key === "definitions") && isJsonObject(value)) {
            if (!Object.values(value).every((inner) => isJsonObject(inner) && isStrictBelow(inner)))
                return false;
        }
        if (key === "items" && !(isJsonObject(value) && isStrictBelow(value)))
            return false;
        if (key === "anyOf" &&
            !(Array.isArray(value) && value.every((inner) => isJsonObject(inner) && isStrictBelow(inner))))
            return false;
    }
    if (schema["type"] !== "object" && !("properties" in schema))
        return true;
    if (schema["additionalProperties"] !== false)
        return false;
    const required = schema["required"];
    const names = isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
    return names.length === 0 || (Array.isArray(required) && names.every((name) => required.includes(name)));
}
//# sourceMappingURL=lower.js.map