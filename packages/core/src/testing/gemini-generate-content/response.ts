import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { few, maybe, mostly, oneWord, shape, weighted } from "../shape.ts";
import { arbitraryText, count, identifier, plainText, url } from "../text.ts";
import { answerParts, callPart } from "./content.ts";

const parts: Arbitrary<JsonObject[]> = fc
  .tuple(answerParts, maybe(few(callPart), 1))
  .map(([said, calls]) => [...said, ...(calls ?? [])]);

const grounding: Arbitrary<JsonObject> = shape(
  {
    groundingChunks: few(shape({ web: shape({ uri: url }, { title: plainText, domain: plainText }, 1) }), 2),
    groundingSupports: few(
      shape({
        segment: shape({ endIndex: fc.nat(9) }, { startIndex: fc.nat(4), text: plainText, partIndex: fc.nat(2) }),
        groundingChunkIndices: few(fc.nat(2), 2),
      }),
      2,
    ),
  },
  { webSearchQueries: few(plainText, 2), searchEntryPoint: shape({ renderedContent: plainText }) },
);

const rating: Arbitrary<JsonObject> = shape(
  { category: oneWord("HARM_CATEGORY_HARASSMENT"), probability: oneWord("NEGLIGIBLE", "HIGH") },
  { blocked: fc.boolean() },
);

const candidate: Arbitrary<JsonObject> = shape(
  {
    content: shape({ parts, role: oneWord("model") }),
    finishReason: mostly(
      oneWord("STOP"),
      oneWord("MAX_TOKENS", "SAFETY", "RECITATION", "MALFORMED_FUNCTION_CALL", "OTHER", "LANGUAGE"),
    ),
  },
  {
    finishMessage: plainText,
    safetyRatings: few(rating, 2),
    citationMetadata: shape({
      citationSources: few(shape({ startIndex: fc.nat(4), endIndex: fc.nat(9), uri: url }, { license: plainText }), 2),
    }),
    groundingMetadata: grounding,
    avgLogprobs: fc.constantFrom(-0.25, -3.5),
    tokenCount: count,
  },
  5,
);

const detail: Arbitrary<JsonObject> = shape({ modality: oneWord("TEXT", "IMAGE"), tokenCount: count });

const usageMetadata: Arbitrary<JsonObject> = fc
  .tuple(
    count,
    count,
    shape({}, { cachedContentTokenCount: count, toolUsePromptTokenCount: count, promptTokensDetails: few(detail, 2) }),
    maybe(count),
    maybe(count, 9),
  )
  .map(([prompt, answer, more, thoughts, total]) => ({
    promptTokenCount: prompt,
    candidatesTokenCount: answer,
    totalTokenCount: total ?? prompt + answer + (thoughts ?? 0),
    ...(thoughts !== undefined && { thoughtsTokenCount: thoughts }),
    ...more,
  }));

const head = {
  usageMetadata,
  modelVersion: oneWord("gemini-2.5-flash"),
  responseId: identifier,
  createTime: oneWord("2026-01-02T03:04:05.678901Z"),
};

const blocked: Arbitrary<JsonObject> = shape(
  {
    promptFeedback: shape(
      { blockReason: oneWord("SAFETY", "OTHER", "BLOCKLIST") },
      { blockReasonMessage: arbitraryText(), safetyRatings: few(rating, 2) },
    ),
  },
  head,
  1,
);

const answered: Arbitrary<JsonObject> = fc
  .tuple(shape({}, head, 1), weighted([9, few(candidate, 1)], [2, few(candidate, 3)]))
  .map(([rest, candidates]) => ({
    candidates: candidates.map((entry, index) => ({ ...entry, ...(candidates.length > 1 && { index }) })),
    ...rest,
  }));

/** Bodies of generateContent responses. */
export const responseBody: Arbitrary<JsonObject> = weighted([9, answered], [1, blocked]);
