import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { convertRequest, convertResponse, convertStream, createConverter } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as geminiGenerateContent } from "@rolecall/core/protocols/gemini-generate-content";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { describe, expect, test } from "vitest";

const request = {
  model: "m",
  input: [{ role: "user", content: "x" }],
  tools: [
    {
      type: "namespace",
      name: "functions",
      description: "",
      tools: [
        { type: "custom", name: "exec" },
        { type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false },
      ],
    },
  ],
  tool_choice: "required",
  parallel_tool_calls: false,
};

/** Answers with a call of each tool, under the names that the service was told. */
const answers: { readonly [to: string]: JsonObject } = {
  "openai-chat": {
    id: "a",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "c1", type: "function", function: { name: "functions__f", arguments: "{}" } },
            { id: "c2", type: "custom", custom: { name: "functions__exec", input: "ls" } },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
  },
  "anthropic-messages": {
    id: "a",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "tool_use", id: "c1", name: "functions__f", input: {} },
      { type: "tool_use", id: "c2", name: "functions__exec", input: { input: "ls" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  "gemini-generate-content": {
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { functionCall: { name: "functions__f", args: {} } },
            { functionCall: { name: "functions__exec", args: { input: "ls" } } },
          ],
        },
        finishReason: "STOP",
      },
    ],
  },
};

const called = (output: Json | undefined): unknown =>
  (output as readonly JsonObject[]).map(({ type, namespace, name, input = null }) => ({
    type,
    namespace,
    name,
    input,
  }));
const expected = [
  { type: "function_call", namespace: "functions", name: "f", input: null },
  { type: "custom_tool_call", namespace: "functions", name: "exec", input: "ls" },
];

describe.each([openaiChat, anthropicMessages, geminiGenerateContent])("tools of a namespace at $id", (service) => {
  const to: ProtocolId = service.id;
  const answer = answers[to] as JsonObject;

  test("count as declared", async () => {
    const { losses } = await convertRequest(request, { from: "openai-responses", to });
    expect(losses.map(({ code }) => code).filter((code) => code.startsWith("tool_choice"))).toEqual([]);
  });

  test("are called under the client's own names, also after a restart", async () => {
    const { exchange } = await convertRequest(request, { from: "openai-responses", to });
    const kept = JSON.parse(JSON.stringify(exchange));
    const { value } = await convertResponse(answer, { from: to, to: "openai-responses", exchange: kept });
    expect(called((value as JsonObject)["output"])).toEqual(expected);
  });

  test("and in a stream", async () => {
    const { exchange } = await convertRequest(request, { from: "openai-responses", to });
    const { value: stream } = createConverter(service, service).streamResponse(answer);
    let text = "";
    for await (const piece of convertStream(stream, { from: to, to: "openai-responses", exchange })) text += piece;
    const last = text.split("\n").find((line) => line.startsWith('data: {"type":"response.completed"')) ?? "";
    expect(called(JSON.parse(last.slice(6)).response.output)).toEqual(expected);
  });
});
