import type { JsonObject, Loss } from "@rolecall/core";
import { convertRequest, valueAt } from "@rolecall/core";
import { describe, expect, test } from "vitest";

interface Outcome {
  readonly source: JsonObject;
  readonly value: JsonObject;
  readonly losses: readonly Loss[];
  readonly places: readonly string[];
}

const model = "claude-sonnet-4-5";

async function convert(more: JsonObject): Promise<Outcome> {
  const source: JsonObject = { model, max_tokens: 9, messages: [{ role: "user", content: "q" }], ...more };
  const { value, losses } = await convertRequest(source, { from: "openai-chat", to: "anthropic-messages" });
  const places = losses.map(({ code, path, targetPath }) => `${code} ${path === "" ? `made ${targetPath}` : path}`);
  return { source, value: value as unknown as JsonObject, losses, places };
}

const withTool = (parameters: JsonObject, strict = true): Promise<Outcome> =>
  convert({ tools: [{ type: "function", function: { name: "f", parameters, ...(strict && { strict }) } }] });

const withFormat = (schema: JsonObject): Promise<Outcome> =>
  convert({ response_format: { type: "json_schema", json_schema: { name: "n", schema } } });

const toolOf = ({ value }: Outcome): JsonObject => (value["tools"] as readonly JsonObject[])[0] ?? {};
const place = "/tools/0/function";
const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "number" };
const closed = (properties: JsonObject): JsonObject => ({ type: "object", properties, additionalProperties: false });

describe("the schema of a strict tool", () => {
  test("is closed where it says nothing of further properties; the loss names the object, and the model reads what was left open", async () => {
    const outcome = await withTool({ type: "object", properties: { a: { type: "object", properties: { b: text } } } });
    const description = "{additionalProperties: not stated}";
    expect(toolOf(outcome)["input_schema"]).toEqual({
      ...closed({ a: { ...closed({ b: text }), description } }),
      description,
    });
    expect(outcome.places).toEqual([
      `schema.closed ${place}/parameters/properties/a`,
      `schema.closed ${place}/parameters`,
    ]);
  });

  test("is not enforced without its type, which would admit more than objects", async () => {
    const outcome = await withTool({ properties: { a: text }, additionalProperties: false });
    expect(toolOf(outcome)["strict"]).toBeUndefined();
    expect(toolOf(outcome)["input_schema"]).toEqual({ $comment: "type added", ...closed({ a: text }) });
    expect(outcome.places.filter((entry) => entry.startsWith("schema."))).toEqual([
      "schema.unenforceable /tools/0/function/strict",
    ]);
  });

  test.each<[why: string, parameters: JsonObject]>([
    ["a map", { type: "object", additionalProperties: number }],
    ["an object of anything", { type: "object" }],
    ["open beside its properties", { type: "object", properties: { a: text }, additionalProperties: true }],
    ["names by pattern", { ...closed({}), patternProperties: { "^x": number } }],
    ["a map inside of a list", closed({ a: { type: "array", items: { type: "object" } } })],
    ["a map or null", closed({ a: { type: ["object", "null"] } })],
    ["an object in two parts", closed({ a: { allOf: [closed({ b: text }), closed({ c: text })] } })],
    ["an object with alternatives of more", { ...closed({ a: text }), anyOf: [closed({ b: text })] }],
    [
      "parts by reference",
      {
        ...closed({ a: { allOf: [{ $ref: "#/$defs/p" }, { $ref: "#/$defs/q" }] } }),
        $defs: { p: closed({ b: text }), q: closed({ c: text }) },
      },
    ],
    [
      "a part beside a reference",
      { ...closed({ a: { $ref: "#/$defs/p", ...closed({ c: text }) } }), $defs: { p: closed({ b: text }) } },
    ],
    [
      "a choice within parts",
      closed({ a: { allOf: [closed({ b: text }), { anyOf: [closed({ c: text }), closed({ d: text })] }] } }),
    ],
    [
      "lists of objects in two parts",
      closed({
        a: { type: "array", items: closed({ b: text }), allOf: [{ type: "array", items: closed({ c: text }) }] },
      }),
    ],
    ["a condition that names more", { ...closed({ a: text }), if: closed({ a: text }), else: { required: ["b"] } }],
    ["open but for what is evaluated", { type: "object", properties: { a: text }, unevaluatedProperties: number }],
    ["a property that is required and not named", { type: "object", properties: { a: text }, required: ["a", "b"] }],
    ["an id inside", closed({ a: { $id: "https://example.org/a", ...text } })],
    ["recursion", closed({ a: { type: "array", items: { $ref: "#" } } })],
    ["a reference that leads out", closed({ a: { $ref: "https://example.org/schema.json" } })],
    ["a reference to no schema", closed({ a: { enum: ["b"] }, b: { $ref: "#/properties/a/enum" } })],
    ["constraints beside a reference", { ...closed({ a: { $ref: "#/$defs/p", enum: ["b"] } }), $defs: { p: text } }],
    ["allOf of a reference", { ...closed({ a: { allOf: [{ $ref: "#/$defs/p" }] } }), $defs: { p: text } }],
    ["a property of anything", closed({ a: {} })],
    ["a property that is a boolean", closed({ a: true })],
    ["literals that are objects, without a type", closed({ a: { enum: [{ b: 1 }] } })],
    ["no alternative", closed({ a: { anyOf: [] } })],
    ["an unknown type", closed({ a: { type: "any" } })],
    ["an anchor", { ...closed({ a: { $ref: "#node" } }), $defs: { n: { $anchor: "node" } } }],
    ["a reference to a keyword that goes", closed({ a: { $ref: "#/properties/b/not" }, b: { not: text } })],
  ])("is not enforced where that would forbid what it allows: %s", async (_why, parameters) => {
    const outcome = await withTool(parameters);
    expect(toolOf(outcome)).toEqual({ name: "f", input_schema: parameters });
    expect(outcome.places).toEqual([`schema.unenforceable ${place}/strict`]);
  });

  test("without anything is not enforced, and keeps the comment on its type", async () => {
    const outcome = await withTool({});
    expect(toolOf(outcome)).toEqual({ name: "f", input_schema: { type: "object", $comment: "type added" } });
    expect(outcome.places).toEqual([
      "tool.parameters made /tools/0/input_schema/type",
      `schema.unenforceable ${place}/strict`,
    ]);
  });

  test("says oneOf as anyOf, reports it as that, and references follow", async () => {
    const outcome = await withTool(
      closed({
        oneOf: { oneOf: [text, number] },
        b: { $ref: "#/properties/oneOf/oneOf/0" },
        "x/y": { anyOf: [{ oneOf: [text] }] },
        c: { $ref: "#/properties/x~1y/anyOf/0/oneOf/0" },
      }),
    );
    expect(toolOf(outcome)["input_schema"]).toEqual(
      closed({
        oneOf: { anyOf: [text, number] },
        b: { $ref: "#/properties/oneOf/anyOf/0" },
        "x/y": { anyOf: [{ anyOf: [text] }] },
        c: { $ref: "#/properties/x~1y/anyOf/0/anyOf/0" },
      }),
    );
    expect(outcome.places).toEqual([
      `schema.one_of ${place}/parameters/properties/oneOf/oneOf`,
      `schema.one_of ${place}/parameters/properties/x~1y/anyOf/0/oneOf`,
    ]);
    expect(outcome.losses[0]?.detail).toBe("oneOf of a schema sent as anyOf");
  });

  test("tells oneOf beside anyOf in the description, as it is reported", async () => {
    const outcome = await withTool(closed({ a: { anyOf: [text], oneOf: [number] } }));
    expect(toolOf(outcome)["input_schema"]).toEqual(
      closed({ a: { anyOf: [text], description: '{oneOf: [{"type":"number"}]}' } }),
    );
    expect(outcome.places).toEqual([`tool.schema ${place}/parameters/properties/a/oneOf`]);
  });

  test("tells tuples and literals that are objects in the description, which forbids nothing", async () => {
    const items: JsonObject[] = [text, number];
    const outcome = await withTool(
      closed({
        a: { type: "array", prefixItems: items, items: false },
        b: { type: "array", items },
        c: { type: "array", const: [1] },
      }),
    );
    expect(toolOf(outcome)["strict"]).toBe(true);
    expect(toolOf(outcome)["input_schema"]).toEqual(
      closed({
        a: { type: "array", description: `{prefixItems: ${JSON.stringify(items)}, items: false}` },
        b: { type: "array", description: `{items: ${JSON.stringify(items)}}` },
        c: { type: "array", description: "{const: [1]}" },
      }),
    );
    const below = `${place}/parameters/properties`;
    expect(outcome.places).toEqual(
      ["a/prefixItems", "a/items", "b/items", "c/const"].map((keyword) => `tool.schema ${below}/${keyword}`),
    );
  });

  test("is enforced where a reference, a choice or a condition takes nothing from what it admits", async () => {
    const parameters = {
      ...closed({
        a: { $ref: "#/$defs/p", description: "D" },
        b: { anyOf: [{ $ref: "#/$defs/p" }, { type: "null" }] },
      }),
      if: { required: ["a"] },
      else: { required: ["b"] },
      $defs: { p: closed({ c: text }) },
    };
    const outcome = await withTool(parameters);
    expect(toolOf(outcome)["strict"]).toBe(true);
    expect(outcome.places).toEqual([`tool.schema ${place}/parameters/if`, `tool.schema ${place}/parameters/else`]);
  });

  test("names known keywords only: another could be content", async () => {
    const { losses } = await withTool(closed({ a: { ...text, "my-secret-key": 1, minLength: 2 } }));
    expect(losses.map(({ detail }) => detail)).toEqual([
      "a keyword of a schema not enforced; told in the description",
      "minLength of a schema not enforced; told in the description",
    ]);
  });

  test("that was made up is closed, as strict demands", async () => {
    const outcome = await convert({ tools: [{ type: "function", function: { name: "f", strict: true } }] });
    expect(toolOf(outcome)).toEqual({ name: "f", input_schema: closed({}), strict: true });
  });
});

describe("a schema of the answer", () => {
  test("is not sent where its enforcement would forbid what it allows", async () => {
    const outcome = await withFormat(closed({ scores: { type: "object", additionalProperties: number } }));
    expect(outcome.value).not.toHaveProperty("output_config");
    expect(outcome.places).toEqual(["format.unenforceable /response_format"]);
  });

  test("has losses at places that exist", async () => {
    const outcome = await withFormat({ type: "object", properties: { a: { oneOf: [{ ...text, minLength: 1 }] } } });
    const below = "/response_format/json_schema/schema";
    expect(outcome.places).toContain(`schema.closed ${below}`);
    expect(outcome.places).toContain(`schema.one_of ${below}/properties/a/oneOf`);
    expect(outcome.places).toContain(`tool.schema ${below}/properties/a/oneOf/0/minLength`);
    for (const { path } of outcome.losses) expect(valueAt(outcome.source, path)).toBeDefined();
  });
});

describe("Messages takes parameters of type object only", () => {
  test.each<[type: JsonObject[string]]>([[["object", "null"]], [["object"]], ["string"], [null]])(
    "%j becomes object, reported",
    async (type) => {
      const outcome = await withTool({ type, properties: { a: text } }, false);
      expect(toolOf(outcome)["input_schema"]).toEqual({ type: "object", properties: { a: text } });
      expect(outcome.places).toEqual([`schema.type ${place}/parameters/type`]);
    },
  );

  test("a comment of the source stays its own where the type is added", async () => {
    const outcome = await withTool({ $comment: "mine", properties: {} }, false);
    expect(toolOf(outcome)["input_schema"]).toEqual({ $comment: "mine", type: "object", properties: {} });
  });
});

test("a media type that is not a known one is not named in a report", async () => {
  const { losses } = await convert({
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "q" },
          { type: "file", file: { filename: "a", file_data: "data:application/x-SECRET;base64,AAAA" } },
          { type: "image_url", image_url: { url: "data:image/x-SECRET;base64,AAAA" } },
        ],
      },
    ],
  });
  expect(losses.filter(({ code }) => code === "media.unsupported")).toHaveLength(2);
  for (const { detail } of losses) expect(detail).not.toMatch(/secret/i);
});
