import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { jsonObject, objectSchema } from "../json.ts";
import type { Fields } from "../shape.ts";
import { few, mostly, oneWord, shape, typed } from "../shape.ts";
import { arbitraryText, count, number, objectKey, plainText } from "../text.ts";

/** Null, which these fields take for absence. */
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => mostly<T | null>(value, fc.constant(null));

const responseFormat = mostly<JsonObject>(
  typed("json_schema", {
    json_schema: shape(
      { name: plainText },
      { schema: mostly(objectSchema, jsonObject), description: arbitraryText(), strict: nullable(fc.boolean()) },
      1,
    ),
  }),
  typed("text"),
  typed("json_object"),
);

const moderationMode = shape({ mode: oneWord("score", "block") });

/** The fields of a request beside messages and tools. */
export const settingFields: Fields = {
  audio: nullable(
    shape({
      format: oneWord("wav", "mp3", "pcm16"),
      voice: mostly<unknown>(oneWord("alloy", "verse"), shape({ id: plainText })),
    }),
  ),
  frequency_penalty: nullable(number),
  presence_penalty: nullable(number),
  logit_bias: nullable(fc.dictionary(objectKey, number, { maxKeys: 2, noNullPrototype: true })),
  logprobs: nullable(fc.boolean()),
  top_logprobs: nullable(fc.nat(20)),
  max_completion_tokens: nullable(count),
  max_tokens: nullable(count),
  metadata: nullable(fc.dictionary(objectKey, arbitraryText(), { maxKeys: 2, noNullPrototype: true })),
  modalities: nullable(few(oneWord("text", "audio"), 2, 0)),
  moderation: nullable(
    shape({ model: plainText }, { policy: nullable(shape({}, { input: moderationMode, output: moderationMode })) }),
  ),
  n: nullable(oneOf(1, 2)),
  prediction: nullable(
    typed("content", { content: mostly<unknown>(arbitraryText(), few(typed("text", { text: plainText }), 2)) }),
  ),
  prompt_cache_key: nullable(arbitraryText()),
  prompt_cache_options: shape({}, { mode: oneWord("implicit", "explicit"), ttl: oneWord("30m") }, 1),
  prompt_cache_retention: nullable(oneWord("in_memory", "24h")),
  reasoning_effort: nullable(oneWord("none", "minimal", "low", "medium", "high", "xhigh", "max")),
  response_format: responseFormat,
  safety_identifier: nullable(arbitraryText()),
  user: arbitraryText(),
  seed: nullable(number),
  random_seed: number,
  service_tier: nullable(oneWord("auto", "default", "flex", "scale", "priority", "fast")),
  stop: nullable(mostly<unknown>(arbitraryText(), fc.array(arbitraryText(), { maxLength: 5 }))),
  store: nullable(fc.boolean()),
  stream: nullable(fc.boolean()),
  stream_options: nullable(shape({}, { include_usage: fc.boolean(), include_obfuscation: fc.boolean() }, 1)),
  temperature: nullable(number),
  top_p: nullable(number),
  top_k: number,
  min_p: number,
  verbosity: nullable(oneWord("low", "medium", "high")),
  web_search_options: shape(
    {},
    {
      search_context_size: oneWord("low", "medium", "high"),
      user_location: nullable(
        typed("approximate", { approximate: shape({}, { city: plainText, country: plainText }) }),
      ),
    },
    1,
  ),
};

/** Mostly the first of some values. */
function oneOf<const T>(first: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return mostly<T>(fc.constant(first), ...others.map((value) => fc.constant(value)));
}
