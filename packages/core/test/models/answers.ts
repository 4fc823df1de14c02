import type { ProtocolId } from "../../src/index.ts";
import type { Provider, ProviderOptions } from "../../src/models/index.ts";
import { anthropicProvider } from "../../src/providers/anthropic.ts";
import { googleProvider } from "../../src/providers/google.ts";
import { openaiProvider } from "../../src/providers/openai.ts";

/** One answer in each protocol: thinking where it is told, two texts, a call; 12 tokens in and 7 out. As a stream, and as a whole. */
export interface Sample {
  readonly api: ProtocolId;
  readonly provider: (options: ProviderOptions) => Provider;
  /** Behind the origin of a service, the base URL. */
  readonly base: string;
  readonly path: RegExp;
  readonly stream: readonly (object | string)[];
  readonly whole: object;
  readonly error: object;
  readonly raw: string;
}

const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
const chunk = (delta: object, finish: string | null = null) => ({
  id: "chatcmpl_1",
  object: "chat.completion.chunk",
  created: 1_764_000_000,
  model: "m-2026",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = { index: 0, id: "call_1", type: "function", function: { name: "read", arguments: "" } };
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1_764_000_000,
  status: "completed",
  model: "m-2026",
  output: [
    {
      id: "msg_1",
      type: "message",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "Hello there", annotations: [] }],
    },
    {
      id: "fc_1",
      type: "function_call",
      status: "completed",
      call_id: "call_1",
      name: "read",
      arguments: '{"path":"a"}',
    },
  ],
  usage: { input_tokens: 12, output_tokens: 7, total_tokens: 19 },
};
const [message, functionCall] = response.output as [object, object];
const item = { output_index: 0, item_id: "msg_1", content_index: 0 };

export const samples: readonly Sample[] = [
  {
    api: "openai-chat",
    provider: (options) => openaiProvider({ ...options, api: "openai-chat" }),
    base: "/v1",
    path: /^\/v1\/chat\/completions$/,
    stream: [
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Hello" }),
      chunk({ content: " there" }),
      chunk({ tool_calls: [call] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
      chunk({}, "tool_calls"),
      { ...chunk({}), choices: [], usage },
      "[DONE]",
    ],
    whole: {
      id: "chatcmpl_1",
      object: "chat.completion",
      created: 1_764_000_000,
      model: "m-2026",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Hello there",
            tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage,
    },
    error: { error: { message: "slow down", type: "rate_limit_error", code: null, param: null } },
    raw: "tool_calls",
  },
  {
    api: "openai-responses",
    provider: openaiProvider,
    base: "/v1",
    path: /^\/v1\/responses$/,
    stream: [
      {
        type: "response.created",
        sequence_number: 0,
        response: { ...response, status: "in_progress", output: [], usage: null },
      },
      {
        type: "response.output_item.added",
        sequence_number: 1,
        output_index: 0,
        item: { ...message, status: "in_progress", content: [] },
      },
      {
        type: "response.content_part.added",
        sequence_number: 2,
        ...item,
        part: { type: "output_text", text: "", annotations: [] },
      },
      { type: "response.output_text.delta", sequence_number: 3, ...item, delta: "Hello" },
      { type: "response.output_text.delta", sequence_number: 4, ...item, delta: " there" },
      { type: "response.output_text.done", sequence_number: 5, ...item, text: "Hello there" },
      {
        type: "response.content_part.done",
        sequence_number: 6,
        ...item,
        part: { type: "output_text", text: "Hello there", annotations: [] },
      },
      { type: "response.output_item.done", sequence_number: 7, output_index: 0, item: message },
      {
        type: "response.output_item.added",
        sequence_number: 8,
        output_index: 1,
        item: { ...functionCall, status: "in_progress", arguments: "" },
      },
      {
        type: "response.function_call_arguments.delta",
        sequence_number: 9,
        output_index: 1,
        item_id: "fc_1",
        delta: '{"path":',
      },
      {
        type: "response.function_call_arguments.delta",
        sequence_number: 10,
        output_index: 1,
        item_id: "fc_1",
        delta: '"a"}',
      },
      {
        type: "response.function_call_arguments.done",
        sequence_number: 11,
        output_index: 1,
        item_id: "fc_1",
        arguments: '{"path":"a"}',
      },
      { type: "response.output_item.done", sequence_number: 12, output_index: 1, item: functionCall },
      { type: "response.completed", sequence_number: 13, response },
    ],
    whole: response,
    error: { error: { message: "slow down", type: "rate_limit_error", code: null, param: null } },
    raw: "completed",
  },
  {
    api: "anthropic-messages",
    provider: anthropicProvider,
    base: "",
    path: /^\/v1\/messages$/,
    stream: [
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m-2026",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 12, output_tokens: 1 },
        },
      },
      { type: "ping" },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " there" } },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "call_1", name: "read", input: {} },
      },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"path":' } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"a"}' } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 7 } },
      { type: "message_stop" },
    ],
    whole: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m-2026",
      content: [
        { type: "text", text: "Hello there" },
        { type: "tool_use", id: "call_1", name: "read", input: { path: "a" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 7 },
    },
    error: { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
    raw: "tool_use",
  },
  {
    api: "gemini-generate-content",
    provider: googleProvider,
    base: "/v1beta",
    path: /^\/v1beta\/models\/m:(?:streamGenerateContent\?alt=sse|generateContent)$/,
    stream: ["Hello", " there"]
      .map((text): object => ({
        candidates: [{ index: 0, content: { role: "model", parts: [{ text }] } }],
        modelVersion: "m-2026",
        responseId: "r_1",
      }))
      .concat([
        {
          candidates: [
            {
              index: 0,
              content: {
                role: "model",
                parts: [{ functionCall: { id: "call_1", name: "read", args: { path: "a" } } }],
              },
              finishReason: "STOP",
            },
          ],
          usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 },
          modelVersion: "m-2026",
          responseId: "r_1",
        },
      ]),
    whole: {
      candidates: [
        {
          index: 0,
          content: {
            role: "model",
            parts: [{ text: "Hello there" }, { functionCall: { id: "call_1", name: "read", args: { path: "a" } } }],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 },
      modelVersion: "m-2026",
      responseId: "r_1",
    },
    error: { error: { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" } },
    raw: "STOP",
  },
];
