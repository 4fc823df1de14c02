import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { jsonObject, objectSchema } from "../json.ts";
import type { Fields } from "../shape.ts";
import { few, mostly, oneWord, shape, typed } from "../shape.ts";
import { arbitraryText, count, number, objectKey, plainText } from "../text.ts";

/** Null, which these fields take for absence. */
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => mostly<T | null>(value, fc.constant(null));

const format = mostly<JsonObject>(
  typed(
    "json_schema",
    { name: plainText, schema: mostly(objectSchema, jsonObject) },
    { description: arbitraryText(), strict: nullable(fc.boolean()) },
    1,
  ),
  typed("text"),
  typed("json_object"),
);

/** The fields of a request beside its input and tools. */
export const settingFields: Fields = {
  background: nullable(fc.boolean()),
  context_management: few(typed("compaction", { compact_threshold: count }), 1),
  frequency_penalty: nullable(number),
  include: nullable(
    few(oneWord("reasoning.encrypted_content", "message.output_text.logprobs", "file_search_call.results"), 3, 0),
  ),
  instructions: nullable(arbitraryText()),
  max_output_tokens: nullable(count),
  max_tool_calls: nullable(count),
  metadata: nullable(fc.dictionary(objectKey, arbitraryText(), { maxKeys: 2, noNullPrototype: true })),
  moderation: nullable(shape({ model: plainText })),
  presence_penalty: nullable(number),
  prompt_cache_key: nullable(arbitraryText()),
  prompt_cache_options: shape({}, { mode: oneWord("implicit", "explicit"), ttl: oneWord("30m") }, 1),
  prompt_cache_retention: nullable(oneWord("in_memory", "24h")),
  reasoning: nullable(
    shape(
      {},
      {
        effort: nullable(oneWord("none", "minimal", "low", "medium", "high", "xhigh", "max")),
        summary: nullable(oneWord("auto", "concise", "detailed")),
        generate_summary: oneWord("auto", "concise"),
        context: oneWord("auto", "all_turns"),
        mode: oneWord("pro"),
      },
      1,
    ),
  ),
  safety_identifier: nullable(arbitraryText()),
  service_tier: nullable(oneWord("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")),
  store: nullable(fc.boolean()),
  stream: nullable(fc.boolean()),
  stream_options: nullable(shape({}, { include_obfuscation: fc.boolean() }, 1)),
  temperature: nullable(number),
  text: shape({}, { format, verbosity: nullable(oneWord("low", "medium", "high")) }, 1),
  top_logprobs: nullable(fc.nat(20)),
  top_p: nullable(number),
  truncation: nullable(oneWord("auto", "disabled")),
  user: arbitraryText(),
};
