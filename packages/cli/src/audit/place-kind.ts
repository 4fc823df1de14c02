import type { Json } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";

/** Keys of objects in which the user chooses the keys. */
const freeKeys = new Set(
  "args arguments client_metadata extra_body input labels logit_bias metadata response".split(" "),
);
/** Keys of JSON Schemas, in which the user chooses the names of properties. */
const schemaKeys = new Set(
  "$defs definitions input_schema parameters parametersJsonSchema properties responseJsonSchema responseSchema schema".split(
    " ",
  ),
);
const schemaWords = new Set(
  `$ref $schema additionalProperties const default description exclusiveMaximum exclusiveMinimum format maxItems maxLength
  maxProperties maximum minItems minLength minProperties minimum multipleOf nullable pattern strict title type uniqueItems`.split(
    /\s+/,
  ),
);
const word = /^[A-Za-z][A-Za-z0-9_.-]{0,40}$/;
const key = /^[A-Za-z_$][\w$-]{0,60}$/;

/** Names the kind of a place without any content: `/messages/*<assistant>/content/*<tool_use>/input/**`. */
export function placeKind(body: Json, path: readonly string[]): string {
  let value: Json | undefined = body;
  let name = "";
  for (const [index, segment] of path.entries()) {
    const above = path[index - 1] ?? "";
    if (isJsonObject(value) && schemaKeys.has(above)) return `${name}/**${schemaWord(path)}`;
    if (isJsonObject(value) && freeKeys.has(above)) return `${name}/**`;
    const inList: boolean = Array.isArray(value);
    value = stepInto(value, segment);
    name += inList ? `/*${discriminatorOf(value)}` : `/${key.test(segment) ? segment : "*"}`;
  }
  return name === "" ? "/" : name;
}

/** What of a schema a place is, where that is no name that the user chose. */
function schemaWord(path: readonly string[]): string {
  const last = path.at(-1) ?? "";
  const before = path.at(-2);
  return schemaWords.has(last) && before !== "properties" && before !== "$defs" ? `/${last}` : "";
}

function stepInto(value: Json | undefined, segment: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
  return (value as { readonly [key: string]: Json })[segment];
}

/** The words by which a protocol tells elements of a list apart. */
function discriminatorOf(value: Json | undefined): string {
  if (!isJsonObject(value)) return "";
  const { role, type } = value;
  const words = [role, type].filter((item): item is string => typeof item === "string" && word.test(item));
  return words.length === 0 ? "" : `<${words.join(" ")}>`;
}
