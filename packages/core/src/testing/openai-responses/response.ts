import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { few, maybe, mostly, oneWord, shape } from "../shape.ts";
import { callId, count, identifier, number, plainText } from "../text.ts";
import { hosted, openCall, outputMessage, reasoning } from "./messages.ts";
import { toolFields } from "./tools.ts";

const nullOr = <T>(value: Arbitrary<T>): Arbitrary<T | null> => mostly<T | null>(value, fc.constant(null));

const output: Arbitrary<JsonObject[]> = fc
  .tuple(few(mostly(outputMessage, reasoning, hosted), 4, 0), maybe(few(fc.tuple(callId, openCall)), 1))
  .map(([items, calls = []]) => [
    ...items,
    ...calls.map(([id, call], index): JsonObject => ({ call_id: `${id}${index || ""}`, ...call })),
  ]);

const usage: Arbitrary<JsonObject> = fc
  .tuple(
    count,
    count,
    shape(
      { cached_tokens: count },
      {
        cache_write_tokens: count,
        cache_write_tokens_details: shape({ ttl_30m_tokens: count, ttl_12h_tokens: count }),
        text_tokens: count,
      },
    ),
    shape({ reasoning_tokens: count }, { text_tokens: count }),
    maybe(count, 9),
  )
  .map(([input, said, inputDetails, outputDetails, total]) => ({
    input_tokens: input,
    input_tokens_details: inputDetails,
    output_tokens: said,
    output_tokens_details: outputDetails,
    total_tokens: total ?? input + said,
  }));

/** Status and reason belong together. */
const ending: Arbitrary<JsonObject> = mostly<JsonObject>(
  fc.constant({ status: "completed", incomplete_details: null }),
  oneWord("max_output_tokens", "content_filter", "steered").map((reason) => ({
    status: "incomplete",
    incomplete_details: { reason },
  })),
  fc.constant({ status: "in_progress", incomplete_details: null }),
);

/** Bodies of Responses responses. */
export const responseBody: Arbitrary<JsonObject> = fc
  .tuple(
    shape<JsonObject>(
      {
        id: identifier.map((id) => `resp_${id}`),
        object: oneWord("response"),
        created_at: fc.integer({ min: 0, max: 2000000000 }),
        error: fc.constant(null),
        model: oneWord("gpt-5.6"),
        output,
        instructions: nullOr(plainText),
        metadata: shape({}, { team: plainText }),
        temperature: nullOr(number),
        top_p: nullOr(number),
      },
      {
        usage,
        background: fc.boolean(),
        completed_at: nullOr(count),
        previous_response_id: fc.constant(null),
        reasoning: shape({ effort: nullOr(oneWord("low")), summary: fc.constant(null) }),
        service_tier: oneWord("default", "priority"),
        store: fc.boolean(),
        text: shape({ format: fc.constant({ type: "text" } as Json) }),
        tool_usage: shape({ web_search: shape({ num_requests: count }) }),
        input_transformations: few(shape({ reason: oneWord("model_mismatch") }), 1),
      },
      1,
    ),
    ending,
    toolFields,
  )
  .map(([body, end, tools]) => ({
    ...body,
    ...end,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    ...tools,
  }));
