import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { objectSchema } from "../json.ts";
import type { Fields } from "../shape.ts";
import { few, mostly, oneWord, shape } from "../shape.ts";
import { arbitraryText, count, number, objectKey, plainText } from "../text.ts";
import { contents, textPart } from "./content.ts";
import { openApiSchema, toolFields } from "./tools.ts";

const config: Fields = {
  candidateCount: mostly(fc.constant(1), fc.constant(2)),
  maxOutputTokens: count,
  temperature: number,
  topP: number,
  topK: number,
  seed: number,
  presencePenalty: number,
  frequencyPenalty: number,
  stopSequences: fc.array(arbitraryText(), { maxLength: 5 }),
  responseMimeType: oneWord("text/plain", "application/json", "text/x.enum"),
  responseLogprobs: fc.boolean(),
  logprobs: fc.nat(20),
  responseModalities: few(oneWord("TEXT"), 1),
  mediaResolution: oneWord("MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_HIGH"),
  enableEnhancedCivicAnswers: fc.boolean(),
  // The API refuses a budget beside a level.
  thinkingConfig: mostly(
    shape({}, { includeThoughts: fc.boolean(), thinkingBudget: mostly(count, fc.constantFrom(-1, 0)) }, 1),
    shape({}, { includeThoughts: fc.boolean(), thinkingLevel: oneWord("LOW", "HIGH", "MINIMAL") }, 1),
  ),
};

/** A schema comes with the type that it is of, in one of two dialects. */
const generationConfig: Arbitrary<JsonObject> = fc
  .tuple(
    shape({}, config, 4),
    mostly(
      fc.constant({}),
      shape({ responseMimeType: oneWord("application/json"), responseSchema: openApiSchema }),
      shape({ responseMimeType: oneWord("application/json"), responseJsonSchema: objectSchema }),
    ),
  )
  .map(([fields, format]) => ({ ...fields, ...format }) as JsonObject);

const safetySetting: Arbitrary<JsonObject> = shape({
  category: oneWord("HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH"),
  threshold: oneWord("BLOCK_NONE", "BLOCK_ONLY_HIGH"),
});

/** Bodies of generateContent requests. */
export const requestBody: Arbitrary<JsonObject> = fc
  .tuple(
    shape(
      { contents },
      {
        systemInstruction: shape({ parts: few(textPart, 2) }, { role: oneWord("user", "system") }),
        generationConfig,
        safetySettings: few(safetySetting, 2),
        labels: fc.dictionary(objectKey, plainText, { maxKeys: 2, noNullPrototype: true }),
        serviceTier: oneWord("standard", "flex", "priority"),
      },
      2,
    ),
    toolFields,
  )
  .map(([body, tools]) => ({ ...body, ...tools }));
