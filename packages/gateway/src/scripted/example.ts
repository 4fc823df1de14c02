import type { Json, JsonObject } from "@rolecall/core";
import { isJsonObject, setOwn } from "@rolecall/core";

const DEEPEST = 8;

/** What the values are made of. */
export interface Words {
  readonly text: string;
  /** Of the client. */
  readonly directory: string | undefined;
}

/** A value that a JSON Schema allows, as far as simple schemas go, with words of the user where they fit a property's name. */
export function exampleOf(schema: Json | undefined, words: Words, name = "", depth = 0): Json {
  if (!isJsonObject(schema) || depth > DEEPEST) return {};
  const { const: constant, enum: choices, default: usual, anyOf, oneOf, allOf } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  if (usual !== undefined && usual !== null) return usual;
  for (const list of [anyOf, oneOf, allOf]) {
    if (Array.isArray(list) && list[0] !== undefined) return exampleOf(list[0], words, name, depth + 1);
  }
  const type = Array.isArray(schema["type"]) ? schema["type"].find((item) => item !== "null") : schema["type"];
  switch (type) {
    case "string":
      return stringFor(schema, name, words);
    case "number":
    case "integer":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
    case "boolean":
      return false;
    case "null":
      return null;
    case "array": {
      const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
      const count = Math.min(least, 10);
      return Array.from({ length: count }, () => exampleOf(schema["items"], words, name, depth + 1));
    }
    default:
      return objectFor(schema, words, depth);
  }
}

/** The properties that are required; without any, the first one, so that a tool gets something to work with. */
function objectFor(schema: JsonObject, words: Words, depth: number): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"])
    ? schema["required"].filter((key): key is string => typeof key === "string")
    : Object.keys(properties).slice(0, 1);
  const value: Record<string, Json> = {};
  for (const key of required) setOwn(value, key, exampleOf(properties[key], words, key, depth + 1));
  return value;
}

const file = /(?:^|[\s`"'(])(\.{0,2}\/?[\w.-]*[\w/-]+\.[a-z]\w{0,9})\b/i;

function stringFor(schema: JsonObject, name: string, { text, directory }: Words): string {
  const quoted = /[`"“]([^`"”]+)[`"”]/.exec(text)?.[1];
  if (/path|file|dir|folder/i.test(name)) {
    const path = file.exec(text)?.[1] ?? ".";
    const absolute = /absolute/i.test(`${name} ${String(schema["description"] ?? "")}`);
    return absolute && directory !== undefined && !path.startsWith("/") ? `${directory}/${path}` : path;
  }
  if (/command|cmd|script/i.test(name)) return quoted ?? /\brun\s+(\S[^\n.]*)/i.exec(text)?.[1] ?? "ls";
  if (/url|uri/i.test(name)) return /https?:\/\/[^\s"'<>)]+/.exec(text)?.[0] ?? "https://example.com/";
  if (/pattern|glob/i.test(name)) return quoted ?? "*";
  if (/city|location|place/i.test(name)) return /\bin\s+([\p{Lu}][\p{L}-]+)/u.exec(text)?.[1] ?? "Paris";
  return quoted ?? text.slice(0, 80);
}
