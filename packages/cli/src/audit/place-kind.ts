import type { Json, ProtocolId } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { Operation } from "../input/body.ts";
import { freePatterns } from "./content.ts";
import { matches } from "./pattern.ts";

const schemaWords = new Set(
  `$schema $ref type format title description default const pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength
  maxLength minItems maxItems uniqueItems minProperties maxProperties additionalProperties nullable strict`.split(
    /\s+/,
  ),
);

/** Names the kind of a place without any content: `/messages/*<assistant>/content/*<tool_use>/input/**`. */
export type PlaceNamer = (body: Json, path: readonly string[]) => string;

/** Keys below which the user chooses the keys. */
const freeKeys = new Set(["metadata", "labels", "logit_bias", "safetySettings", "client_metadata", "extra_body"]);
const word = /^[A-Za-z][A-Za-z0-9_.-]{0,40}$/;
const key = /^[A-Za-z_$][\w$-]{0,60}$/;

export function createPlaceNamer(protocol: ProtocolId, operation: Operation): PlaceNamer {
  const free = freePatterns(protocol, operation);
  return (body, path) => {
    let value: Json | undefined = body;
    let name = "";
    for (const [index, segment] of path.entries()) {
      const before = path.slice(0, index);
      const last = before.at(-1);
      if ((last !== undefined && freeKeys.has(last)) || free.some((pattern) => matches(pattern, before))) {
        return `${name}/**${schemaWord(path)}`;
      }
      const inList: boolean = Array.isArray(value);
      value = stepInto(value, segment);
      name += inList ? `/*${discriminatorOf(value)}` : `/${key.test(segment) ? segment : "*"}`;
    }
    return name === "" ? "/" : name;
  };
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
