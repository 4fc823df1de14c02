import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject, ProtocolId, RequestInput } from "@rolecall/core";
import { createConverter, jsonEqual } from "@rolecall/core";
import type { Finding } from "@rolecall/core/check";
import { lintRequest, lintRules } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { readCorpus, readExchanges } from "../bodies/bodies.ts";
import { hasCodec, protocolOf } from "../protocols.ts";

/** Bodies that were answered although they break a rule, each with the reason why the rule stands. */
const answered: { readonly [path: string]: { readonly rules: readonly string[]; readonly reason: string } } = {
  "recordings/anthropic-messages/DataDog__dd-trace-py/anthropic__anthropic_completion_tools_call_with_tool_result_stream_helper.json":
    {
      rules: ["A4a", "A4c"],
      reason:
        "claude-3-opus of 2024 did not compare the ids of calls and results; a refusal recorded later shows that the service does",
    },
};

const chat = "recordings/openai-chat/";
const anthropic = "recordings/anthropic-messages/";
const responses = "recordings/openai-responses/";
const gemini = "recordings/gemini-generate-content/";
const audio = "pydantic__pydantic-ai/test_multimodal_tool_returns__test_multimodal_tool_return_matrix-";

/** What was refused with 400, and the rule that says why. */
const refused: { readonly [path: string]: string } = {
  [`${chat}Mirascope__mirascope/strict-tool__openai_completions__handles-optional-properties-in-strict-mode.json`]:
    "C13",
  [`${chat}Mirascope__mirascope/test_call_with_params__openai_gpt_5_mini_completions.json`]: "C14a",
  [`${chat}crewAIInc__crewAI/crewai__test_llm_call_when_stop_is_unsupported.json`]: "C14a",
  [`${chat}envoyproxy__ai-gateway/internal__testopenai__chat-bad-request.json`]: "C14b",
  [`${chat}envoyproxy__ai-gateway/internal__testopenai__chat-no-messages.json`]: "C1a",
  [`${anthropic}DataDog__dd-trace-py/anthropic__anthropic_completion_error.json`]: "A2a",
  [`${anthropic}Mirascope__mirascope/empty-call__anthropic__handles-empty-string-content.json`]: "A6c",
  [`${anthropic}activeagents__activeagent/actions__structured_output__anthropic_json.json`]: "A7a",
  [`${anthropic}anthropics__anthropic-sdk-python/test_runners__TestSyncRunTools__f59a9391-643b-422c-96dc-1f28bc7ea4d7.json`]:
    "A4c",
  [`${anthropic}braintrustdata__braintrust-sdk-ruby/anthropic__beta_structured_outputs.json`]: "A18",
  [`${responses}DataDog__dd-trace-js/dd-trace__openai__openai_responses_post_c4a90328.json`]: "R17",
  [`${responses}pydantic__pydantic-ai/test_openai_responses__test_openai_responses_model_http_error.json`]: "R18",
  [`${responses}${audio}direc-6290faf7-nload-audio-openai_responses.json`]: "R22",
  [`${responses}${audio}direct-url-audio-openai_responses.json`]: "R22",
  [`${responses}${audio}tool_-27ebd07d-t-url-audio-openai_responses.json`]: "R22",
  [`${gemini}open-telemetry__opentelemetry-python-contrib/vertexai__test_generate_content_invalid_role.json`]: "G1a",
  [`${gemini}open-telemetry__opentelemetry-python-contrib/vertexai__test_generate_content_invalid_temperature.json`]:
    "G15",
};

/** What was refused with 400 for what no rule about bodies can know. */
const beyond: { readonly [path: string]: string } = {
  [`${chat}Arize-ai__openinference/openai__test_input_value_image_hiding__TestInputValueImageHiding.test_input_value_hides_regular_url_images.json`]:
    "the URL of an image leads nowhere",
  [`${chat}traceloop__openllmetry/openai__test_vision__test_vision.02.json`]: "the URL of an image leads nowhere",
  [`${chat}alexrudall__ruby-openai/gpt-3_5-turbo_streamed_chat_with_json_error_response.json`]: "a made-up answer",
  [`${chat}crmne__ruby_llm/chat_real_error_scenarios_ollama_cloud_gpt-oss_120b_handles_context_length_exceeded_errors.json`]:
    "too many tokens for the model",
  [`${chat}crmne__ruby_llm/chat_real_error_scenarios_openrouter_claude-haiku-4-5_handles_context_length_exceeded_errors.json`]:
    "too many tokens for the model",
  [`${anthropic}crmne__ruby_llm/chat_real_error_scenarios_anthropic_claude-haiku-4-5_handles_context_length_exceeded_errors.json`]:
    "too many tokens for the model",
  [`${chat}pydantic__pydantic-ai/test_groq__test_tool_use_failed_error_with_text.00.json`]:
    "the model did not call the tool that it had to call",
  [`${chat}${audio}direct-url-audio-openai_chat.json`]: "gpt-5-mini takes no audio",
  [`${chat}${audio}tool_return_content-url-audio-openai_chat.json`]: "gpt-5-mini takes no audio",
  [`${chat}pydantic__pydantic-ai/test_openai__test_openai_web_search_tool_model_not_supported.json`]:
    "gpt-4o searches no web",
  [`${responses}Mirascope__mirascope/stream__openai_responses__wraps-api-errors-on-stream-call.json`]:
    "an unknown model",
  [`${responses}open-telemetry__opentelemetry-python-contrib/openai-v2__test_responses_create_api_error-content_mode0.json`]:
    "an unknown model",
  [`${responses}pydantic__pydantic-ai/test_model_name_suggestions__test_inferred_model_name_suggestion.json`]:
    "an unknown model",
  [`${responses}Mirascope__mirascope/text-encoded-thoughts__openai_responses__encodes-thoughts-as-text-for-model-consumption.json`]:
    "o4-mini has no minimal effort",
  [`${responses}crmne__ruby_llm/chat_real_error_scenarios_openai_gpt-5-nano_handles_context_length_exceeded_errors.json`]:
    "too many tokens for the model",
  [`${gemini}Mirascope__mirascope/test_authentication_error__google_gemini_2_5_flash.json`]: "a wrong key",
  [`${gemini}crewAIInc__crewAI/crewai__google__test_google_streaming_returns_usage_metrics.json`]: "a wrong key",
  [`${gemini}crmne__ruby_llm/chat_error_handling_with_gemini_gemini-2_5-flash_raises_appropriate_auth_error.json`]:
    "a wrong key",
  [`${gemini}crmne__ruby_llm/chat_real_error_scenarios_vertexai_gemini-2_5-flash_handles_context_length_exceeded_errors.json`]:
    "too many tokens for the model",
  [`${gemini}pydantic__pydantic-ai/test_multimodal_tool_returns__test_model_sees_multiple_images-google_vertex.01.json`]:
    "the URL of an image may not be fetched",
  [`${gemini}${audio}tool_return_content-url-image-google_vertex.json`]: "the URL of an image may not be fetched",
};

const errorsOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ severity }) => severity === "error");

const listed = (path: string, findings: readonly Finding[]): string[] =>
  findings.map(({ rule, path: place }) => `${path}: ${rule} at ${place}`);

describeWithCorpus("rules judged by recorded answers", (folder) => {
  const [, ...rows] = readFileSync(join(folder, "recordings/INDEX.tsv"), "utf8").trim().split("\n");
  const providers = new Map(
    rows.map((row) => {
      const [path = "", , provider = ""] = row.split("\t");
      return [`recordings/${path}`, provider];
    }),
  );
  const recorded = readExchanges(folder).flatMap(({ path, protocol, request, response }) => {
    const body: Json | undefined = request?.body;
    if (Object.keys(lintRules[protocol] ?? []).length === 0 || typeof body !== "object" || body === null) return [];
    const model = /\/models\/([^:]+):/.exec(request?.path ?? "")?.[1];
    const input = {
      body,
      headers: request?.headers ?? {},
      ...(request?.path !== undefined && { path: request.path }),
      ...(model !== undefined && { url: { model } }),
    };
    const profile = { provider: providers.get(path) ?? "" };
    const lint = () => lintRequest(input as RequestInput, { protocol: protocol as ProtocolId, profile });
    return [{ path, protocol, input, profile, lint, status: response?.status ?? undefined }];
  });
  const good = recorded.filter(({ status = 0 }) => status >= 200 && status < 300);
  const bad = recorded.filter(({ status }) => status === 400);

  test(`${good.length} bodies that were answered have no errors`, () => {
    expect(good.length).toBeGreaterThan(1900);
    const found = good.flatMap(({ path, lint }) => {
      const errors = errorsOf(lint());
      return errors.length === 0 ? [] : [{ path, rules: [...new Set(errors.map(({ rule }) => rule))].sort() }];
    });
    expect(found).toEqual(Object.entries(answered).map(([path, { rules }]) => ({ path, rules })));
  });

  test.each(bad.map((exchange) => [exchange.path, exchange] as const))("%s", (path, { lint }) => {
    const rules = errorsOf(lint()).map(({ rule }) => rule);
    if (beyond[path] === undefined) expect(rules).toContain(refused[path]);
    else expect(rules).toEqual([]);
  });

  test("every refusal that is named was recorded", () => {
    const paths = new Set(bad.map(({ path }) => path));
    expect([...Object.keys(refused), ...Object.keys(beyond)].filter((path) => !paths.has(path))).toEqual([]);
  });

  test("bodies without findings are not mended", () => {
    const clean = recorded.filter(
      ({ protocol, input, lint }) =>
        hasCodec(protocol) &&
        (protocol !== "gemini-generate-content" || Array.isArray((input.body as JsonObject)["contents"])) &&
        lint().length === 0,
    );
    expect(clean.length).toBeGreaterThan(1000);
    const changed = clean.filter(({ protocol, input, profile }) => {
      const { convertRequest } = createConverter(protocolOf(protocol), protocolOf(protocol));
      const { model } = input.body as { readonly model?: string };
      const target = { ...profile, ...(model !== undefined && { model }) };
      const plain = convertRequest(input, { source: profile, target: profile });
      const mended = convertRequest(input, { source: profile, target, mend: true });
      return mended.losses.length !== plain.losses.length || !jsonEqual(mended.value, plain.value);
    });
    expect(changed.map(({ path }) => path)).toEqual([]);
  });

  test("requests of clients have no errors", () => {
    const captures = readCorpus(folder).requests.filter(({ path }) => path.startsWith("captures/"));
    const found = captures.flatMap(({ path, protocol, wire, url }) =>
      listed(path, errorsOf(lintRequest({ ...wire, path: url } as never, { protocol }))),
    );
    expect(captures.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
  });
});

describe("exceptions", () => {
  test("each have a reason", () => {
    expect(Object.values(answered).every(({ reason }) => reason.length > 20)).toBe(true);
  });
});
