import type { Json, JsonObject } from "@rolecall/core";
import * as fc from "fast-check";

/** A schema with a value that it admits and that has no property but those that the schema speaks of. */
export interface Sample {
  readonly schema: Json;
  readonly value: Json;
  readonly definitions: JsonObject;
}

type Samples = fc.Arbitrary<Sample>;
interface Entry {
  readonly sample: Sample;
  readonly isRequired: boolean;
  readonly isPresent: boolean;
}

const sampleOf = (schema: Json, value: Json, ...parts: readonly Sample[]): Sample => ({
  schema,
  value,
  definitions: Object.assign({}, ...parts.map(({ definitions }) => definitions)) as JsonObject,
});

const leaves: readonly (readonly [schema: Json, value: Json])[] = [
  [{ type: "string" }, "a"],
  [{ type: "string", minLength: 1, format: "date" }, "2020-01-01"],
  [{ type: "string", format: "uri", description: "Where." }, "https://example.org"],
  [{ type: "integer", minimum: 1 }, 2],
  [{ type: ["number", "null"] }, null],
  [{ type: "boolean", default: true }, false],
  [{ enum: ["a", 1, null] }, 1],
  [{ type: "string", enum: ["a", "b"] }, "b"],
  [{ const: "c" }, "c"],
  [{ enum: [{ x: 1 }, [2]] }, [2]],
  [{ const: { x: 1 } }, { x: 1 }],
  [{ type: "array" }, [1, "a"]],
  [{ type: "object" }, { any: 1 }],
  [{ type: "object", additionalProperties: { type: "number" } }, { any: 1 }],
  [{}, 1],
  [true, "a"],
];

const names = ["a", "b", "c", "items", "oneOf", "$ref", "x/y~z", "p%q"];
// What is enforced is closed and requires all; half of the objects are like that, so that enough schemas are.
const tidy = fc.boolean();
const openings: readonly JsonObject[] = [
  { additionalProperties: false },
  {},
  {},
  { additionalProperties: true },
  { patternProperties: { "^z": { type: "string" } } },
  { unevaluatedProperties: { type: "string" } },
];

/** Both services enforce them. */
const simple: Samples = fc
  .constantFrom<readonly [JsonObject, Json]>(
    [{ type: "string" }, "a"],
    [{ type: ["number", "null"] }, null],
    [{ type: "string", enum: ["a", "b"], description: "D" }, "b"],
    [{ type: "boolean", title: "T" }, false],
  )
  .map((leaf) => sampleOf(...leaf));

const key = fc.integer({ min: 0, max: 1e9 }).map((number) => `d${number}`);

const recursion: Samples = key.map((name) => {
  const reference: JsonObject = { $ref: `#/$defs/${name}` };
  const node: JsonObject = {
    type: "object",
    properties: { next: { anyOf: [reference, { type: "null" }] } },
    required: ["next"],
    additionalProperties: false,
  };
  return { schema: reference, value: { next: { next: null } }, definitions: { [name]: node } };
});

function objectOf(entries: readonly (readonly [name: string, entry: Entry])[], more: JsonObject): Sample {
  const map = new Map(entries);
  const pick = (from: (entry: Entry) => Json): JsonObject =>
    Object.fromEntries([...map].map(([name, entry]) => [name, from(entry)]));
  const required = [...map].filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const present = [...map].filter(([, { isRequired, isPresent }]) => isRequired || isPresent);
  return sampleOf(
    {
      type: "object",
      properties: pick(({ sample }) => sample.schema),
      required,
      ...more,
    },
    Object.fromEntries(present.map(([name, { sample }]) => [name, sample.value])),
    ...[...map.values()].map(({ sample }) => sample),
  );
}

function object(inner: Samples, from: readonly string[]): Samples {
  const entry = fc.record({ sample: inner, isRequired: fc.boolean(), isPresent: fc.boolean() });
  return fc
    .tuple(fc.array(fc.tuple(fc.constantFrom(...from), entry), { maxLength: 3 }), fc.constantFrom(...openings))
    .map(([entries, opening]) => objectOf(entries, opening));
}

function closedObject(inner: Samples, from: readonly string[]): Samples {
  return fc
    .tuple(fc.array(fc.tuple(fc.constantFrom(...from), inner), { maxLength: 3 }), tidy)
    .map(([entries, isStated]) =>
      objectOf(
        entries.map(([name, sample]) => [name, { sample, isRequired: true, isPresent: true }]),
        isStated ? { additionalProperties: false } : {},
      ),
    );
}

const withKeys = (sample: Sample, schema: JsonObject, value: JsonObject = {}): Sample =>
  sampleOf({ ...(sample.schema as JsonObject), ...schema }, { ...(sample.value as JsonObject), ...value }, sample);

/** It requires a property that it does not describe. */
const requiringMore = (sample: Sample): Sample => withKeys(sample, { required: ["zz"] }, { zz: 1 });

// Written so, because linters take an object with such a key for a promise.
const consequence = "then";

const withCondition = (sample: Sample): Sample =>
  withKeys(
    sample,
    { if: { required: [] }, [consequence]: { properties: { late: { type: "number" } }, required: ["late"] } },
    { late: 1 },
  );

/** One object in two parts: as parts of `allOf`, one beside the other, by reference, in a choice. */
function inParts(first: Samples, second: Samples): Samples {
  const asParts: readonly ((one: JsonObject, two: JsonObject) => JsonObject)[] = [
    (one, two) => ({ allOf: [one, two] }),
    (one, two) => ({ ...one, allOf: [two] }),
    (one, two) => ({ ...one, anyOf: [two, { ...two, minProperties: 9 }] }),
    (one, two) => ({ ...one, ...two, properties: one["properties"] ?? {}, allOf: [two] }),
    (one, two) => ({ anyOf: [one], oneOf: [two] }),
    (one, two) => ({ allOf: [one, { anyOf: [two, { type: "null" }] }] }),
    (one, two) => ({ type: "object", allOf: [{ oneOf: [one, { type: "null" }] }, { allOf: [two] }] }),
  ];
  const join = (one: Sample, two: Sample, as: (typeof asParts)[number]): Sample =>
    sampleOf(
      as(one.schema as JsonObject, two.schema as JsonObject),
      { ...(one.value as JsonObject), ...(two.value as JsonObject) },
      one,
      two,
    );
  return fc.oneof(
    fc.tuple(first, second, fc.constantFrom(...asParts)).map((parts) => join(...parts)),
    fc.tuple(referenceTo(first), referenceTo(second), fc.constantFrom(...asParts)).map((parts) => join(...parts)),
    fc.tuple(first, referenceTo(second), fc.constantFrom(...asParts)).map((parts) => join(...parts)),
  );
}

function referenceTo(sample: Samples): Samples {
  return fc
    .tuple(key, sample, fc.constantFrom<JsonObject>({}, {}, { description: "D" }, { minLength: 0 }, { type: "string" }))
    .map(([name, one, beside]) => ({
      schema: { $ref: `#/$defs/${name}`, ...beside },
      value: one.value,
      definitions: { ...one.definitions, [name]: one.schema },
    }));
}

export const { value: anySample } = fc.letrec<{ value: Sample; object: Sample }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    { arbitrary: simple, weight: 12 },
    { arbitrary: fc.constantFrom(...leaves).map((leaf) => sampleOf(...leaf)), weight: 2 },
    { arbitrary: tie("object"), weight: 6 },
    tie("value").map((one) => sampleOf({ type: "array", items: one.schema }, [one.value, one.value], one)),
    fc
      .tuple(tie("value"), tie("value"), fc.constantFrom<JsonObject>({}, { items: false }, { items: { type: "null" } }))
      .map(([one, two, rest]) =>
        sampleOf({ type: "array", prefixItems: [one.schema, two.schema], ...rest }, [one.value, two.value], one, two),
      ),
    fc
      .tuple(tie("value"), tie("value"))
      .map(([one, two]) =>
        sampleOf({ type: "array", items: [one.schema, two.schema] }, [one.value, two.value], one, two),
      ),
    fc
      .tuple(fc.constantFrom("anyOf", "oneOf"), tie("value"), tie("value"))
      .map(([key, one, two]) => sampleOf({ [key]: [one.schema, two.schema] }, two.value, one, two)),
    tie("value").map((one) => sampleOf({ allOf: [one.schema] }, one.value, one)),
    tie("value").map((one) =>
      sampleOf({ anyOf: [one.schema], allOf: [{ type: ["string", "number", "boolean", "null"] }] }, one.value, one),
    ),
    tie("value").map((one) => sampleOf({ type: ["object", "null"], anyOf: [one.schema] }, one.value, one)),
    referenceTo(tie("value")),
    recursion,
  ),
  object: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    { arbitrary: closedObject(tie("value"), names), weight: 4 },
    object(tie("value"), names),
    object(tie("value"), names.slice(0, 2)).map(requiringMore),
    {
      arbitrary: inParts(closedObject(tie("value"), names.slice(0, 4)), closedObject(tie("value"), names.slice(4))),
      weight: 3,
    },
    object(tie("value"), names).map(withCondition),
  ),
}));

/** Samples whose schema is one of an object. */
export const objectSample: Samples = fc
  .array(fc.tuple(fc.constantFrom(...names), anySample), { minLength: 1, maxLength: 2 })
  .map((entries) =>
    objectOf(
      entries.map(([name, sample]) => [name, { sample, isRequired: true, isPresent: true }]),
      { additionalProperties: false },
    ),
  );

const references = [
  ...[
    "#",
    "#/properties",
    "#/properties/a",
    "#/properties/oneOf/oneOf/0",
    "#/properties/b/items",
    "#/properties/c/prefixItems/0",
  ],
  ...["#/$defs/none", "#anchor", "https://example.org/schema.json", "#/properties/a/enum", "#/properties/p%25q"],
];

/** The whole schema of a sample: with its definitions, and at times with a reference to an odd place that the value does not need. */
export function wholeOf(samples: Samples): fc.Arbitrary<{ readonly schema: JsonObject; readonly value: Json }> {
  const odd = fc.option(fc.constantFrom(...references), { freq: 4 });
  return fc
    .tuple(samples, odd)
    .filter(([{ schema }]) => typeof schema === "object" && schema !== null)
    .map(([{ schema, value, definitions }, reference]) => {
      const root = schema as JsonObject;
      const properties = root["properties"] as JsonObject | undefined;
      return {
        schema: {
          ...root,
          ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
          ...(reference !== null &&
            properties !== undefined && { properties: { ...properties, odd: { $ref: reference } } }),
        },
        value,
      };
    });
}
