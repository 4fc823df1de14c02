import type { Pointer } from "../../ir/index.ts";
import type { LossCode, LossValues } from "../../loss/index.ts";
import type { KeywordChange } from "./lower.ts";

/** Keywords of JSON Schema that a report may name. Any other could be a text of the client's. */
const namedKeywords: ReadonlySet<string> = new Set([
  ...["$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$schema", "$vocabulary", "additionalItems"],
  ...["additionalProperties", "allOf", "anyOf", "const", "contains", "contentEncoding", "contentMediaType"],
  ...["contentSchema", "default", "dependencies", "dependentRequired", "dependentSchemas", "deprecated", "else"],
  ...["enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems"],
  ...["maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum"],
  ...["multipleOf", "not", "nullable", "oneOf", "pattern", "patternProperties", "prefixItems", "propertyNames"],
  ...["readOnly", "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly"],
]);

const codes: { readonly [K in KeywordChange]: LossCode } = {
  told: "tool.schema",
  closed: "schema.closed",
  anyOf: "schema.one_of",
};

/** The loss of a keyword of a schema: its code, its field below `field`, and its values. */
export function keywordLoss(
  field: string,
  keyword: string,
  pointer: Pointer,
  change: KeywordChange,
): readonly [code: LossCode, field: string, values: LossValues] {
  const named = namedKeywords.has(keyword) ? keyword : "a keyword";
  return [codes[change], `${field}${pointer}`, { keyword: named }];
}
