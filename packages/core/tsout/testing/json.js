import fc from "fast-check";
import { few, mostly, oneWord, shape, weighted } from "./shape.js";
import { arbitraryText, number, objectKey, plainText } from "./text.js";
const scalar = weighted([1, fc.constant(null)], [1, fc.boolean()], [1, number], [1, arbitraryText()]);
const tied = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, { weight: 3, arbitrary: scalar }, tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    object: fc.dictionary(objectKey, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));
const value = tied.value;
/** Any JSON value, with odd keys and texts. */
export function arbitraryJson() {
    return value;
}
/** Any JSON object. */
export const jsonObject = tied.object;
const schemaLeaf = weighted([
    1,
    shape({ type: oneWord("string") }, { description: plainText, enum: few(plainText), format: oneWord("date", "color") }),
], [1, shape({ type: oneWord("integer", "number") }, { minimum: number, description: plainText, default: number })], [1, shape({ type: oneWord("boolean", "null") })], [1, shape({ const: scalar })], [1, shape({ $ref: oneWord("#/$defs/node") })], [1, fc.constant({})]);
const schemas = fc.letrec((tie) => ({
    schema: fc.oneof({ maxDepth: 2, withCrossShrink: true }, { weight: 3, arbitrary: schemaLeaf }, { weight: 2, arbitrary: tie("object") }, shape({ type: oneWord("array"), items: tie("schema") }, { minItems: fc.nat(3) }), shape({ anyOf: few(tie("schema"), 2) }), shape({ oneOf: few(tie("schema"), 2) })),
    object: shape({
        type: oneWord("object"),
        properties: fc.dictionary(objectKey, tie("schema"), { maxKeys: 3, noNullPrototype: true }),
    }, {
        required: few(objectKey, 2),
        additionalProperties: fc.oneof(fc.constant(false), fc.constant(true), tie("schema")),
        description: plainText,
        $defs: shape({ node: tie("schema") }),
        patternProperties: shape({ "^x-": tie("schema") }),
    }, 3),
}));
/** A JSON Schema of an object, as tools and output formats have them; now and then with keywords that services do not enforce. */
export const objectSchema = schemas.object;
/** A schema of which nothing is sure but that it is an object. */
export const anySchema = mostly(objectSchema, schemas.schema, jsonObject);
/** The arguments of a call as an object. */
export const argumentObject = mostly(shape({}, { city: plainText, unit: oneWord("celsius", "kelvin"), days: number }, 1), jsonObject);
const oddArguments = [
    "",
    "{}",
    ' {\n  "city": "Lisbon" } ',
    '{"city":',
    "not JSON",
    "[1,2]",
    "null",
    '"text"',
    '{"id":12345678901234567890,"b":1.0}',
    '{"a":1,"a":2}',
    '{"a":1e400}',
    '{"a":"\\ud800"}',
    '{"__proto__":{"polluted":true}}',
    '{"a":"\\u0041\\/"}',
];
/** The arguments of a call as text: JSON, and now and then text that is none, is cut, or says what a double cannot hold. */
export const argumentText = mostly(argumentObject.map((value) => JSON.stringify(value)), fc.constantFrom(...oddArguments), arbitraryText());
//# sourceMappingURL=json.js.map