import type { Json, JsonObject, SchemaTarget } from "@rolecall/core";
import { lowerSchema } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { isEnforceable } from "../../src/codec/schema/subset.ts";

function lowered(
  schema: JsonObject,
  target: SchemaTarget = "anthropic-strict",
): { schema: JsonObject; told: string[] } {
  const told: string[] = [];
  const result = lowerSchema(schema, target, (keyword, pointer) => told.push(`${keyword} ${pointer}`));
  return { schema: result, told };
}

describe("a schema is lowered to what the service enforces", () => {
  test("keywords inside of the subset stay as they are", () => {
    const schema = {
      type: "object",
      title: "T",
      description: "D",
      properties: { a: { type: "string", enum: ["x"] }, b: { $ref: "#/$defs/n" } },
      required: ["a"],
      additionalProperties: false,
      $defs: { n: { anyOf: [{ type: "integer" }, { type: "null" }] } },
    };
    expect(lowered(schema)).toEqual({ schema, told: [] });
  });

  test("keywords outside of it move into the description, where the model reads them", () => {
    const { schema, told } = lowered({ type: "string", minLength: 2, pattern: "^a", description: "A name." });
    expect(schema).toEqual({ type: "string", description: 'A name.\n\n{minLength: 2, pattern: "^a"}' });
    expect(told).toEqual(["minLength /minLength", "pattern /pattern"]);
  });

  test("objects are closed; that they were open is told", () => {
    const { schema, told } = lowered({ type: "object", properties: {}, additionalProperties: { type: "string" } });
    expect(schema).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
      description: '{additionalProperties: {"type":"string"}}',
    });
    expect(told).toEqual(["additionalProperties /additionalProperties"]);
  });

  test("oneOf becomes anyOf, which enforces less", () => {
    const { schema, told } = lowered({ oneOf: [{ type: "string" }, { type: "null" }] });
    expect(schema).toEqual({ anyOf: [{ type: "string" }, { type: "null" }] });
    expect(told).toEqual(["oneOf /oneOf"]);
  });

  test("pointers lead into lists and escape names", () => {
    const { told } = lowered({
      type: "array",
      items: {
        anyOf: [
          { type: "object", properties: { "a/b~": { type: "number", minimum: 1 } }, additionalProperties: false },
        ],
      },
    });
    expect(told).toEqual(["minimum /items/anyOf/0/properties/a~1b~0/minimum"]);
  });

  test("properties may be called like keywords, or like insides of objects", () => {
    const properties = JSON.parse('{"minLength": {"type": "string"}, "__proto__": {"type": "string"}}') as JsonObject;
    const { schema, told } = lowered({ type: "object", properties, additionalProperties: false });
    expect(Object.keys(schema["properties"] as object)).toEqual(["minLength", "__proto__"]);
    expect(told).toEqual([]);
  });

  test.each<[keyword: string, schema: JsonObject, target: SchemaTarget, kept: boolean]>([
    ["minItems 1", { type: "array", minItems: 1 }, "anthropic-strict", true],
    ["minItems 2", { type: "array", minItems: 2 }, "anthropic-strict", false],
    ["minItems 2", { type: "array", minItems: 2 }, "openai-strict", true],
    ["pattern", { type: "string", pattern: "a" }, "openai-strict", true],
    ["format date", { type: "string", format: "date" }, "anthropic-strict", true],
    ["format color", { type: "string", format: "color" }, "openai-strict", false],
  ])("%s: %j for %s: kept %s", (_keyword, schema, target, kept) => {
    expect(lowered(schema, target).told.length === 0).toBe(kept);
  });

  test("the schema itself is not changed", () => {
    const schema = Object.freeze({ type: "string", minLength: 2 });
    lowered(schema);
    expect(schema).toEqual({ type: "string", minLength: 2 });
  });
});

describe("strict mode of OpenAI takes", () => {
  const object = (more: JsonObject): JsonObject => ({ type: "object", properties: { a: { type: "string" } }, ...more });
  const of = (a: Json): JsonObject => ({
    ...object({ required: ["a"], additionalProperties: false }),
    properties: { a },
  });
  test.each<[schema: JsonObject, accepted: boolean, why: string]>([
    [object({ required: ["a"], additionalProperties: false }), true, "closed, all required"],
    [object({ required: ["a"] }), false, "open"],
    [object({ additionalProperties: false }), false, "an optional property"],
    [{ type: "object", additionalProperties: false }, true, "no properties"],
    [{ type: "string" }, false, "no object at the root"],
    [
      object({ required: ["a"], additionalProperties: false, minProperties: 1 }),
      false,
      "a keyword outside of the subset",
    ],
    [
      { type: "object", properties: { a: object({}) }, required: ["a"], additionalProperties: false },
      false,
      "an open object inside",
    ],
    [
      {
        type: "object",
        properties: { a: { type: "array", items: { oneOf: [] } } },
        required: ["a"],
        additionalProperties: false,
      },
      false,
      "oneOf",
    ],
    [of({ type: "array" }), false, "a list of anything"],
    [of({ type: ["array", "null"], items: { type: "string" } }), true, "a list or null"],
    [of({ type: "array", items: [{ type: "string" }] }), false, "a tuple"],
    [of({ $ref: "https://example.org/schema.json" }), false, "a reference that leads out"],
    [of({ $ref: "#/$defs/x" }), false, "a reference that leads nowhere"],
    [{ ...of({ $ref: "#/$defs/x" }), $defs: { x: { $ref: "#/$defs/x" } } }, false, "a reference to itself"],
    [of({ anyOf: [{ $ref: "#", description: "D" }, { type: "null" }] }), true, "recursion by a property"],
    [of({ $ref: "#", enum: [1] }), false, "constraints beside a reference"],
    [of({ type: ["string", "null"], anyOf: [{ type: "null" }] }), false, "constraints beside anyOf"],
    [of({}), false, "a property of anything"],
    [of(true), false, "a boolean"],
    [of({ enum: ["b"] }), false, "a choice of values without a type"],
    [of({ type: "string", enum: ["b"] }), true, "a choice of values"],
    [of({ type: "string", format: "uri" }), false, "the format uri"],
    [of({ type: "string", default: "b" }), false, "a default"],
    [of({ allOf: [{ type: "string" }] }), false, "allOf"],
    [{ ...of({ type: "string" }), required: ["a", "b"] }, false, "a required property without a name"],
    [{ ...of({ type: "string" }), anyOf: [of({ type: "string" })] }, false, "a choice at the root"],
  ])("%j: %s, %s", (schema, accepted) => {
    expect(isEnforceable(schema, "openai-strict")).toBe(accepted);
  });
});
