import type { Json, JsonObject } from "@rolecall/core";

/**
 * The documented subsets, written once more from what the services say of them: what is wrong with a schema that is sent as enforced. Nothing
 * here is shared with the code that it judges.
 */
const words = {
  anthropic:
    "$defs definitions $ref type enum const anyOf allOf description title properties required items minItems format",
  openai:
    "$defs definitions $ref type enum const anyOf description title properties required items format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems",
} as const;
const formats = {
  anthropic: "date-time time date duration email hostname uri ipv4 ipv6 uuid",
  openai: "date-time time date duration email hostname ipv4 ipv6 uuid",
} as const;

export type Service = keyof typeof words;

interface Place {
  readonly schema: Json;
  readonly path: string;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

function below({ schema, path }: Place): Place[] {
  if (!isObject(schema)) return [];
  const places: Place[] = [];
  for (const key of ["properties", "$defs", "definitions"])
    for (const [name, inner] of Object.entries(schema[key] ?? {}))
      places.push({ schema: inner, path: `${path}/${key}/${escaped(name)}` });
  for (const key of ["anyOf", "oneOf", "allOf"])
    for (const [index, inner] of Object.entries(schema[key] ?? []))
      places.push({ schema: inner, path: `${path}/${key}/${index}` });
  if (schema["items"] !== undefined) places.push({ schema: schema["items"], path: `${path}/items` });
  return places;
}

/** What the service would refuse in the schema, each with its place; nothing where it enforces the schema. */
export function faultsOf(schema: JsonObject, service: Service): string[] {
  // A copy, in which no two places are the same object.
  const root = JSON.parse(JSON.stringify(schema)) as JsonObject;
  const places: Place[] = [{ schema: root, path: "#" }];
  for (const place of places) places.push(...below(place));
  const byPath = new Map(places.map((place) => [place.path, place]));
  const referenced = (schema: JsonObject): Place | undefined => byPath.get(decodeURIComponent(String(schema["$ref"])));
  const faults = places.flatMap(({ schema, path }) => {
    if (!isObject(schema)) return [`${path}: no schema`];
    const found = faultsOfOne(schema, service);
    if ("$ref" in schema && referenced(schema) === undefined) found.push("leads nowhere");
    return found.map((fault) => `${path}: ${fault}`);
  });
  if (service === "openai" && root["type"] !== "object") faults.push("#: no object");
  if (faults.length > 0) return faults;
  return places.some((place) => returnsTo(place, places, referenced, service)) ? ["recursive"] : [];
}

/** True where a schema leads back to itself. OpenAI takes that where a property or an item lies between. */
function returnsTo(
  start: Place,
  places: readonly Place[],
  referenced: (schema: JsonObject) => Place | undefined,
  service: Service,
): boolean {
  const known = new Map(places.map(({ schema }) => [schema, false]));
  const queue: Json[] = [start.schema];
  for (const schema of queue) {
    const holder = schema as JsonObject;
    const inner = below({ schema, path: "" }).filter(
      ({ path }) => service === "anthropic" || path.startsWith("/anyOf"),
    );
    for (const next of [
      ...inner.map((place) => place.schema),
      "$ref" in holder ? referenced(holder)?.schema : undefined,
    ]) {
      if (next === start.schema) return true;
      if (next === undefined || known.get(next) === true) continue;
      known.set(next, true);
      queue.push(next);
    }
  }
  return false;
}

function faultsOfOne(schema: JsonObject, service: Service): string[] {
  const { type, properties, required, additionalProperties, items, format, minItems } = schema;
  const faults: string[] = [];
  const refuse = (isWrong: boolean, fault: string): void => {
    if (isWrong) faults.push(fault);
  };
  const taken = words[service].split(" ");
  for (const key of Object.keys(schema))
    refuse(key !== "additionalProperties" && !taken.includes(key), `keyword ${key}`);
  const of = (name: string): boolean => (Array.isArray(type) ? type : [type]).includes(name);
  const bases = service === "anthropic" ? "$ref type anyOf allOf enum const" : "$ref type anyOf";
  refuse(!bases.split(" ").some((key) => key in schema), "no type");
  if (of("object") || properties !== undefined || required !== undefined) {
    const names = Object.keys(properties ?? {});
    const demanded = (required ?? []) as readonly string[];
    refuse(additionalProperties !== false, "open");
    refuse(!demanded.every((name) => names.includes(name)), "requires what it forbids");
    refuse(service === "openai" && !names.every((name) => demanded.includes(name)), "an optional property");
  }
  refuse(items !== undefined && !isObject(items), "items of a tuple");
  refuse(service === "openai" && of("array") && items === undefined, "a list of anything");
  refuse(format !== undefined && !formats[service].split(" ").includes(String(format)), "format");
  refuse(service === "anthropic" && minItems !== undefined && minItems !== 0 && minItems !== 1, "minItems");
  for (const literal of [...((schema["enum"] ?? []) as readonly Json[]), schema["const"] ?? null])
    refuse(typeof literal === "object" && literal !== null, "a literal that is no primitive");
  const annotations = ["description", "title", "$defs", "definitions"];
  const isAlone = (word: string): boolean =>
    Object.keys(schema).every((key) => key === word || annotations.includes(key));
  refuse("$ref" in schema && !isAlone("$ref"), "constraints beside a reference");
  refuse(service === "openai" && "anyOf" in schema && !isAlone("anyOf"), "constraints beside anyOf");
  refuse("anyOf" in schema && "allOf" in schema, "two lists");
  refuse(
    ((schema["allOf"] ?? []) as readonly Json[]).some((part) => isObject(part) && "$ref" in part),
    "allOf of a reference",
  );
  return faults;
}
