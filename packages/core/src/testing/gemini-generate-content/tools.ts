import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { anySchema } from "../json.ts";
import { maybe, mostly, oneWord, pick, shape, weighted } from "../shape.ts";
import { arbitraryText, toolName } from "../text.ts";

const leaf: Arbitrary<JsonObject> = mostly(
  shape({ type: oneWord("STRING") }, { description: arbitraryText(), nullable: fc.boolean() }),
  shape({ type: oneWord("INTEGER", "NUMBER", "BOOLEAN") }, { minimum: fc.nat(9), format: oneWord("int32") }),
  shape({ type: oneWord("ARRAY"), items: shape({ type: oneWord("STRING") }) }, { minItems: oneWord("1") }),
);

/** A schema in the dialect of Gemini. */
export const openApiSchema: Arbitrary<JsonObject> = shape(
  { type: oneWord("OBJECT"), properties: shape({}, { city: leaf, days: leaf, unit: leaf }, 1) },
  { required: fc.constant(["city"]), propertyOrdering: fc.constant(["days", "city"]), description: arbitraryText() },
  5,
);

const declaration: Arbitrary<JsonObject> = mostly(
  shape({ name: toolName }, { description: arbitraryText(), parameters: openApiSchema }, 1),
  shape({ name: toolName }, { description: arbitraryText(), parametersJsonSchema: anySchema }, 1),
  shape({ name: toolName }, { response: openApiSchema, behavior: oneWord("BLOCKING", "NON_BLOCKING") }, 1),
);

const declarations: Arbitrary<JsonObject[]> = fc.uniqueArray(declaration, {
  maxLength: 3,
  selector: (entry) => entry["name"],
});

const served: Arbitrary<JsonObject> = weighted<JsonObject>(
  [2, fc.constant({ googleSearch: {} })],
  [1, fc.constant({ codeExecution: {} })],
  [1, fc.constant({ urlContext: {} })],
  [
    1,
    fc.constant({ googleSearchRetrieval: { dynamicRetrievalConfig: { mode: "MODE_DYNAMIC", dynamicThreshold: 0.5 } } }),
  ],
);

interface Choice {
  readonly mode: string;
  readonly index: number;
  readonly isNamed: boolean;
}

const choice: Arbitrary<Choice> = shape<Choice>({
  mode: oneWord("AUTO", "ANY", "NONE", "VALIDATED"),
  index: fc.nat(9),
  isNamed: fc.boolean(),
});

/** The fields of a request that are about tools. */
export const toolFields: Arbitrary<JsonObject> = fc
  .tuple(maybe(declarations, 1), maybe(served, 5), maybe(choice))
  .map(([list, server, chosen]) => {
    const name = pick(list ?? [], chosen?.index ?? 0)?.["name"];
    const tools = [
      ...(list === undefined ? [] : [{ functionDeclarations: list }]),
      ...(server === undefined ? [] : [server]),
    ];
    return {
      ...(tools.length > 0 && { tools }),
      ...(chosen !== undefined && {
        toolConfig: {
          functionCallingConfig: {
            mode: chosen.mode,
            ...(chosen.isNamed && typeof name === "string" && { allowedFunctionNames: [name] }),
          },
        },
      }),
    };
  });
