/** Keywords of JSON Schema that a report may name. Any other could be a text of the client's. */
const namedKeywords = new Set([
    ...["$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$schema", "$vocabulary", "additionalItems"],
    ...["additionalProperties", "allOf", "anyOf", "const", "contains", "contentEncoding", "contentMediaType"],
    ...["contentSchema", "default", "dependencies", "dependentRequired", "dependentSchemas", "deprecated", "else"],
    ...["enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems"],
    ...["maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum"],
    ...["multipleOf", "not", "nullable", "oneOf", "pattern", "patternProperties", "prefixItems", "propertyNames"],
    ...["readOnly", "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly"],
]);
const codes = {
    told: "tool.schema",
    closed: "schema.closed",
    anyOf: "schema.one_of",
};
/** The loss of a keyword of a schema: its code, its field below `field`, and its values. */
export function keywordLoss(field, keyword, pointer, change) {
    const named = namedKeywords.has(keyword) ? keyword : "a keyword";
    return [codes[change], `${field}${pointer}`, { keyword: named }];
}
//# sourceMappingURL=losses.js.map