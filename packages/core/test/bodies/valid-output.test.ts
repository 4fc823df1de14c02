import type { Json, Profile, Protocol, ProtocolId, WireRequest } from "@rolecall/core";
import { createConverter, DecodeError, EncodeError, UnsupportedError } from "@rolecall/core";
import { lintRequest } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { pairs, protocols } from "../protocols.ts";
import type { Operation } from "../vendor-schema.ts";
import { schemaFindings } from "../vendor-schema.ts";
import { readCorpus } from "./bodies.ts";
import { parallelFixtures } from "./parallel-fixtures.ts";

/** Servers that are asked: what is sent depends on them. */
const targets: { readonly [protocol: string]: readonly (Profile & { readonly name: string })[] } = {
  "openai-chat": [
    { name: "openai" },
    { name: "openrouter", provider: "openrouter" },
    { name: "llama.cpp", provider: "llama.cpp" },
    { name: "mistral", provider: "mistral" },
  ],
  "anthropic-messages": [
    { name: "2026-10-21" },
    { name: "2023-06-01", apiVersion: "2023-06-01" },
    { name: "opus 4.8", model: "claude-opus-4-8" },
    { name: "haiku 3.5", apiVersion: "2023-06-01", model: "claude-3-5-haiku-latest" },
  ],
};

/** The ways out that the refusals offer. */
const fallbacks = { media: "drop", n: "first" };

/** Azure, Bedrock and Vertex have the model in the URL. */
function withModel(body: Json): Json {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { model: "example-model", ...body } : body;
}

interface Outcome {
  readonly findings: readonly string[];
  readonly refused?: string;
}

/** The rules of the protocol that the service would refuse the body for. */
function lintErrors(protocol: ProtocolId, body: Json, profile: Profile): string[] {
  return (
    lintRequest(body as object, { protocol, profile })
      // Most models of Gemini go on with a started answer; where the profile says that one does not, it is not sent.
      .filter(({ severity, rule }) => severity === "error" && rule !== "G1b")
      .map(({ rule, path, message }) => `${rule} ${path}: ${message}`)
  );
}

/** Converts a body and checks what comes out by the schema of the vendor and the rules of its service. */
function outcome(source: Protocol, to: Protocol, operation: Operation, wire: WireRequest, target: Profile): Outcome {
  try {
    const value =
      operation === "request"
        ? createConverter(source, to).convertRequest({ ...wire, body: withModel(wire.body) }, { target }).value.body
        : createConverter(to, source).convertResponse(wire.body as object, { target });
    const body = operation === "request" ? (value as Json) : (value as { readonly value: Json }).value;
    const broken = operation === "request" ? lintErrors(to.id, body, target) : [];
    return { findings: [...schemaFindings(to.id, operation, body, target), ...broken] };
  } catch (error) {
    if (error instanceof UnsupportedError) return { findings: [], refused: error.feature };
    if (error instanceof DecodeError || error instanceof EncodeError) return { findings: [], refused: error.code };
    throw error;
  }
}

const pydantic = "pydantic__pydantic-ai/test_openai_responses__test_";
/** Requests that name what their service stores. */
const stored: readonly (readonly [path: string, error: string])[] = [
  ["DataDog__dd-trace-js/dd-trace__openai__openai_responses_post_366d3599", "prompt"],
  ["DataDog__dd-trace-js/dd-trace__openai__openai_responses_post_a18222ed", "prompt"],
  ["DataDog__dd-trace-py/openai__response_with_file_inputs", "prompt"],
  ["DataDog__dd-trace-py/openai__response_with_mixed_prompt_url_preserved", "prompt"],
  ["Arize-ai__openinference/agent-framework__test_processor__test_agent_with_tool_calls", "previousResponseId"],
  ["alexrudall__ruby-openai/responses_create_with_followup", "previousResponseId"],
  ["braintrustdata__braintrust-sdk-ruby/openai__responses_with_previous_response_id", "previousResponseId"],
  [`${pydantic}openai_previous_response_id.01`, "previousResponseId"],
  ...["01", "02", "03"].map(
    (number) =>
      [
        `${pydantic}openai_previous_response_id_seed_auto_chains_through_retries.${number}`,
        "previousResponseId",
      ] as const,
  ),
  [`${pydantic}openai_conversation_id_preserves_mismatched_history`, "conversation"],
  [`${pydantic}openai_conversation_id_streaming_provider_details`, "conversation"],
  [`${pydantic}openai_conversation_id_tool_call_continuation.01`, "conversation"],
  [`${pydantic}openai_conversation_id_tool_call_continuation.02`, "conversation"],
];

/** What is refused although the fallbacks are asked for, by path and operation. Everything else must go. */
const refusals: readonly {
  readonly place: string;
  readonly error: string;
  /** The targets that refuse it; all where none is stated. */
  readonly to?: readonly ProtocolId[];
  readonly reason: string;
}[] = [
  ...["797109e5", "a0ea5208"].map((id) => ({
    place: `request recordings/openai-chat/DataDog__dd-trace-js/dd-trace__openai__openai_chat_completions_post_${id}.json`,
    error: "modalities",
    to: ["anthropic-messages", "openai-responses"] as const,
    reason: "asks for a spoken answer",
  })),
  {
    place: "request recordings/openai-chat/envoyproxy__ai-gateway/internal__testopenai__chat-text-to-audio.json",
    error: "modalities",
    to: ["anthropic-messages", "openai-responses"] as const,
    reason: "asks for a spoken answer",
  },
  {
    place:
      "request recordings/openai-chat/Mirascope__mirascope/empty-call__openai_completions__handles-empty-string-content.json",
    error: "encode",
    to: ["anthropic-messages"],
    reason: "its only message is empty",
  },
  {
    place:
      "request recordings/gemini-generate-content/crmne__ruby_llm/speech_basic_functionality_gemini_gemini-2_5-flash-preview-tts_can_speak.json",
    error: "modalities",
    to: ["anthropic-messages", "openai-responses"],
    reason: "asks for a spoken answer",
  },
  ...[
    "crmne__ruby_llm/image_basic_functionality_gemini_gemini-3_1-flash-lite-image_can_paint_images.json",
    "crmne__ruby_llm/image_basic_functionality_vertexai_gemini-3_1-flash-lite-image_can_paint_images.json",
    "googleapis__js-genai/system__Client_Tests_generateContentStream_Vertex_AI_should_stream_generate_content_with_image_output.json",
    "pydantic__pydantic-ai/test_capabilities__TestImageGenerationCapability.test_image_generation_local_fallback_google.json",
    "pydantic__pydantic-ai/test_google__test_google_image_generation_with_text.json",
    "pydantic__pydantic-ai/test_google__test_google_vertexai_image_generation.json",
    "pydantic__pydantic-ai/test_google__test_google_vertexai_image_generation_with_output_format.json",
  ].map((file) => ({
    place: `request recordings/gemini-generate-content/${file}`,
    error: "modalities",
    reason: "asks for a picture",
  })),
  ...[
    "crmne__ruby_llm/cachedcontent_explicit_caching_round-trip_gemini_gemini-2_5-flash_creates_uses_extends_and_deletes_a_cache.json",
    "crmne__ruby_llm/cachedcontent_explicit_caching_round-trip_vertexai_gemini-2_5-flash_creates_uses_and_deletes_a_cache.json",
    "pydantic__pydantic-ai/google__test_cache__test_google_model_cached_content.json",
  ].map((file) => ({
    place: `request recordings/gemini-generate-content/${file}`,
    error: "cachedContent",
    reason: "begins with what only its own service has stored",
  })),
  {
    place:
      "request recordings/gemini-generate-content/pydantic__pydantic-ai/test_google__test_google_instructions_only_with_tool_calls.00.json",
    error: "encode",
    to: ["anthropic-messages"],
    reason: "its only message is empty",
  },
  ...stored.map(([path, error]) => ({
    place: `request recordings/openai-responses/${path}.json`,
    error,
    reason: "a part of the conversation is stored at its service",
  })),
  ...[
    "Mirascope__mirascope/empty-call__openai_responses__handles-empty-string-content",
    `${pydantic}responses_count_tokens`,
  ].map((path) => ({
    place: `request recordings/openai-responses/${path}.json`,
    error: "encode",
    to: ["anthropic-messages"] as const,
    reason: "its only message is empty",
  })),
  ...["chat-bad-request", "chat-no-messages"].map((name) => ({
    place: `request recordings/openai-chat/envoyproxy__ai-gateway/internal__testopenai__${name}.json`,
    error: "encode",
    reason: "has no message",
  })),
];

const named = pairs.map(([source, to]) => ({ name: `${source.id} to ${to.id}`, source, to }));

describe.each(named)("$name gives valid bodies", ({ source, to }) => {
  describe.each(targets[to.id] ?? [{ name: "any" }])("for $name", ({ name: _name, ...target }) => {
    test.each(parallelFixtures)("$name", ({ operation, body }) => {
      const { findings } = outcome(source, to, operation, body(source.id), { ...target, fallbacks });
      expect(findings).toEqual([]);
    });
  });
});

describe("bodies of the fixtures", () => {
  describe.each(protocols.map(({ id }) => ({ id })))("$id", ({ id }) => {
    test.each(parallelFixtures)("$name is valid", ({ operation, body }) => {
      const target = { apiVersion: "2023-06-01", provider: "compatible" };
      expect(schemaFindings(id, operation, body(id).body, target)).toEqual([]);
      if (operation === "request") expect(lintErrors(id, body(id).body, target)).toEqual([]);
    });
  });
});

describeWithCorpus("valid bodies over the corpus", (folder) => {
  const { requests, responses } = readCorpus(folder);
  const bodies: { path: string; protocol: ProtocolId; operation: Operation; wire: WireRequest }[] = [
    ...requests.map(({ path, protocol, wire }) => ({ path, protocol, operation: "request" as const, wire })),
    ...responses.map(({ path, protocol, body }) => ({
      path,
      protocol,
      operation: "response" as const,
      wire: { body },
    })),
  ];

  describe.each(named)("$name", ({ source, to }) => {
    const own = bodies.filter(({ protocol }) => protocol === source.id);
    test.each(targets[to.id] ?? [{ name: "any" }])(`${own.length} bodies for $name`, ({ name: _name, ...target }) => {
      const outcomes = own.map((body) => ({
        ...body,
        ...outcome(source, to, body.operation, body.wire, { ...target, fallbacks }),
      }));
      expect(
        outcomes.flatMap(({ path, operation, findings }) =>
          findings.length > 0 ? [`${operation} ${path}: ${findings.join("; ")}`] : [],
        ),
      ).toEqual([]);
      // Bodies that are none are listed where bodies go to their own protocol.
      const refused = outcomes.flatMap(({ path, operation, refused: error }) =>
        error === undefined || error === "decode" ? [] : [`${operation} ${path}: ${error}`],
      );
      const expected = refusals.filter(
        ({ place, to: refusing = [to.id] }) =>
          refusing.includes(to.id) && own.some(({ path, operation }) => place === `${operation} ${path}`),
      );
      expect(refused.sort()).toEqual(expected.map(({ place, error }) => `${place}: ${error}`).sort());
    });
  });
});
