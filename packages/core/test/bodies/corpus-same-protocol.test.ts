import type { Decoded, Json, Protocol, WireRequest } from "@rolecall/core";
import { createConverter, DecodeError, jsonEqual } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { protocolOf, protocols } from "../protocols.ts";
import { readCorpus } from "./bodies.ts";
import { parallelFixtures } from "./parallel-fixtures.ts";

/** A body with the two ways to take it apart and put it together. */
interface Body {
  readonly path: string;
  readonly protocol: Protocol;
  readonly operation: "request" | "response";
  readonly wire: WireRequest;
}

/** Recorded bodies that are none of their protocol. An entry that decodes after all fails the test. */
const refused: readonly {
  readonly path: string;
  readonly operation: Body["operation"];
  readonly place: string;
  readonly reason: string;
}[] = [
  ...[
    "crmne__ruby_llm/chat_count_tokens_with_anthropic_claude-haiku-4-5_counts_requests_with_thinking_enabled.json",
    "crmne__ruby_llm/chat_count_tokens_with_anthropic_claude-haiku-4-5_counts_the_next_request_as_configured.json",
    "pydantic__pydantic-ai/test_anthropic__test_anthropic_count_tokens_keeps_memory_tool.json",
    "pydantic__pydantic-ai/test_anthropic__test_anthropic_count_tokens_with_tool_search_replay.json",
    "tidyverse__ellmer/anthropic-count-tokens.01.json",
    "tidyverse__ellmer/anthropic-count-tokens.03.json",
    "tidyverse__ellmer/anthropic-count-tokens.05.json",
  ].map((file) => ({
    path: `recordings/anthropic-messages/${file}`,
    operation: "response" as const,
    place: "/content",
    reason: "an answer of /messages/count_tokens: a number, no message",
  })),
  {
    path: "recordings/anthropic-messages/DataDog__dd-trace-py/anthropic__anthropic_completion_error.json",
    operation: "request",
    place: "/messages/0",
    reason: "a string for a message; the service answered 400",
  },
  {
    path: "recordings/gemini-generate-content/open-telemetry__opentelemetry-python-contrib/vertexai__test_generate_content_invalid_role.json",
    operation: "request",
    place: "/contents/0/role",
    reason: "a role that there is not; the service answered 400",
  },
  ...["03", "05"].map((number) => ({
    path: `recordings/gemini-generate-content/tidyverse__ellmer/google-count-tokens.${number}.json`,
    operation: "request" as const,
    place: "/contents",
    reason: "a request of :countTokens, which holds one of :generateContent",
  })),
  ...[
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-success-detailed-token-response.json",
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-success-no-billable-characters.json",
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-success-total-tokens.json",
    "crmne__ruby_llm/chat_count_tokens_with_vertexai_gemini-2_5-flash_counts_a_staged_message.json",
    "googleapis__js-genai/system__Client_Tests_countTokens_ML_Dev_should_count_tokens_with_specified_parameters.json",
    "googleapis__js-genai/system__Client_Tests_countTokens_Vertex_AI_should_count_tokens_with_specified_parameters.json",
    "pydantic__pydantic-ai/test_google__test_google_model_usage_limit_exceeded.json",
    "tidyverse__ellmer/google-count-tokens.03.json",
    "tidyverse__ellmer/google-count-tokens.05.json",
  ].map((file) => ({
    path: `recordings/gemini-generate-content/${file}`,
    operation: "response" as const,
    place: "/candidates",
    reason: "an answer of :countTokens: a number, no candidates",
  })),
  ...[
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-failure-invalid-response.json",
    "langchain-ai__langchainjs/langchain-google-common__data__chat-6a-mock.json",
    "prism-php__prism/gemini__use-cache-with-text-1.json",
  ].map((file) => ({
    path: `recordings/gemini-generate-content/${file}`,
    operation: "response" as const,
    place: "/candidates",
    reason: "no answer: garbage, an answer within that of a proxy, and a description of cached content",
  })),
  ...[
    "FirebaseExtended__vertexai-sdk-test-data/googleai__streaming-failure-image-rejected.json",
    "FirebaseExtended__vertexai-sdk-test-data/googleai__unary-failure-api-key.json",
    "FirebaseExtended__vertexai-sdk-test-data/googleai__unary-failure-generativelanguage-api-not-enabled.json",
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-failure-api-key.json",
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-failure-context-cache-not-found.json",
    "FirebaseExtended__vertexai-sdk-test-data/vertexai__unary-failure-image-rejected.json",
    "vercel__ai/google__google-429-retry-info.json",
  ].map((file) => ({
    path: `recordings/gemini-generate-content/${file}`,
    operation: "response" as const,
    place: "/candidates",
    reason: "an error whose status was not recorded",
  })),
  ...[
    "langchain-ai__langchainjs/langchain-google-common__data__chat-stream-thinking-mock.json",
    "langchain-ai__langchainjs/langchain-google-common__data__chat-stream-tool-mock.json",
    "langchain-ai__langchainjs/langchain-google-common__data__chat-stream-usage-cache-mock.json",
    "simonw__llm-gemini/test_gemini__test_nested_model_optional.json",
    "simonw__llm-gemini/test_gemini__test_prompt.json",
    "simonw__llm-gemini/test_gemini__test_resolved_model.json",
    "simonw__llm-gemini/test_gemini__test_tools_with_gemini_3_thought_signatures.00.json",
    "simonw__llm-gemini/test_gemini__test_tools_with_gemini_3_thought_signatures.01.json",
    "simonw__llm-gemini/test_gemini__test_tools_with_nested_pydantic_models.00.json",
    "simonw__llm-gemini/test_gemini__test_tools_with_nested_pydantic_models.01.json",
  ].map((file) => ({
    path: `recordings/gemini-generate-content/${file}`,
    operation: "response" as const,
    place: "",
    reason: "a stream as a list of its chunks",
  })),
  {
    path: "recordings/openai-chat/pydantic__pydantic-ai/test_openai__test_invalid_response.json",
    operation: "response",
    place: "/choices",
    reason: "an answer of a test server that describes the request",
  },
  {
    path: "recordings/openai-chat/vercel__ai/openai__chat__reasoning-model-legacy-parameter-error.json",
    operation: "response",
    place: "/choices",
    reason: "an error whose status was not recorded",
  },
  ...[
    "test_responses_count_tokens.json",
    "test_responses_count_tokens_with_tools.json",
    "test_responses_usage_limit_exceeded.json",
  ].map((file) => ({
    path: `recordings/openai-responses/pydantic__pydantic-ai/test_openai_responses__${file}`,
    operation: "response" as const,
    place: "/output",
    reason: "an answer of /responses/input_tokens: a number, no response",
  })),
  {
    path: "recordings/openai-responses/vercel__ai/azure__azure-deepseek-reasoning.1.json",
    operation: "response",
    place: "/output",
    reason: "an answer of Chat Completions",
  },
  {
    path: "recordings/openai-responses/vercel__ai/openai__responses__reasoning-model-temperature-error.json",
    operation: "response",
    place: "/output",
    reason: "an error whose status was not recorded",
  },
];

/** What came back is not what went in, or something was reported. */
function faults({ path, protocol, operation, wire }: Body): string[] {
  const through = (decoded: Decoded<never>, label: string): string[] => {
    const encoded =
      operation === "request" ? protocol.encodeRequest(decoded.value) : protocol.encodeResponse(decoded.value);
    const body = operation === "request" ? (encoded.value as WireRequest).body : encoded.value;
    return [
      ...(jsonEqual(body, wire.body) ? [] : [`${path}: ${label} differs`]),
      ...[...decoded.losses, ...encoded.losses].map(({ code }) => `${path}: ${label} reports ${code}`),
    ];
  };
  const decoded = (
    operation === "request" ? protocol.decodeRequest(wire) : protocol.decodeResponse(wire.body)
  ) as Decoded<never>;
  const stored = JSON.parse(JSON.stringify(decoded.value)) as never;
  return [...through(decoded, "the value"), ...through({ ...decoded, value: stored }, "the value after JSON")];
}

function textFaults({ path, protocol, operation, wire }: Body): string[] {
  const text = JSON.stringify(wire.body);
  const converter = createConverter(protocol, protocol);
  const { value, losses } = operation === "request" ? converter.convertRequest(text) : converter.convertResponse(text);
  return jsonEqual(JSON.parse(value), wire.body) && losses.length === 0 ? [] : [`${path}: the text differs`];
}

/** Where decoding refuses a body; undefined where it takes it. */
function refusedAt({ protocol, operation, wire }: Body): string | undefined {
  try {
    if (operation === "request") protocol.decodeRequest(wire);
    else protocol.decodeResponse(wire.body);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.path;
    throw error;
  }
}

describe.each(protocols.map((protocol) => ({ name: protocol.id, protocol })))("$name to itself", ({ protocol }) => {
  test.each(parallelFixtures)("gives $name back as it was", ({ name, operation, body }) => {
    const fixture: Body = { path: name, protocol, operation, wire: body(protocol.id) };
    expect([...faults(fixture), ...textFaults(fixture)]).toEqual([]);
  });
});

describeWithCorpus("to the same protocol, over the corpus", (folder) => {
  const { requests, responses } = readCorpus(folder);
  const bodies: Body[] = [
    ...requests.map(({ path, protocol, wire }) => ({
      path,
      protocol: protocolOf(protocol),
      operation: "request" as const,
      wire,
    })),
    ...responses.map(
      ({ path, protocol, body }: { readonly path: string; readonly protocol: string; readonly body: Json }) => ({
        path,
        protocol: protocolOf(protocol),
        operation: "response" as const,
        wire: { body },
      }),
    ),
  ];
  const accepted = bodies.filter((body) => refusedAt(body) === undefined);

  test(`all ${bodies.length} bodies are accepted, but for those listed`, () => {
    const found = bodies.flatMap((body) => {
      const place = refusedAt(body);
      return place === undefined ? [] : [`${body.operation} ${body.path} ${place}`];
    });
    expect(found.sort()).toEqual(refused.map(({ path, operation, place }) => `${operation} ${path} ${place}`).sort());
  });

  test(`${accepted.length} bodies come back with the same value and no losses, also after JSON`, () => {
    expect(accepted.flatMap(faults)).toEqual([]);
  });

  test(`${accepted.length} texts come back with the same value`, () => {
    expect(accepted.flatMap(textFaults)).toEqual([]);
  });
});
