import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { anthropicCall, anthropicText, chatCall, chatText, json } from "./service.ts";
import { start } from "./start.ts";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;

test("an Anthropic client reads a file by way of a Chat service", async () => {
  const { service, url } = await start({
    protocol: "openai-chat",
    answer: (request, response) => {
      const done = request.body.messages.some((message: { role: string }) => message.role === "tool");
      json(response, 200, done ? chatText("The file says hello.") : chatCall("read_file", { path: "a.txt" }));
    },
  });
  const client = new Anthropic({ baseURL: url, apiKey: "client-key-1234", maxRetries: 0 });
  const tools = [
    { name: "read_file", description: "Reads a file", input_schema: { ...parameters, required: ["path"] } },
  ];
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "What does a.txt say?" }];
  const first = await client.messages.create({
    model: "claude-x",
    max_tokens: 100,
    system: "Be brief.",
    tools,
    messages,
  });
  expect(first.stop_reason).toBe("tool_use");
  const call = first.content.find((block) => block.type === "tool_use")!;
  expect(call).toMatchObject({ name: "read_file", input: { path: "a.txt" } });
  messages.push(
    { role: "assistant", content: first.content as never },
    { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "hello" }] },
  );
  const second = await client.messages.create({
    model: "claude-x",
    max_tokens: 100,
    system: "Be brief.",
    tools,
    messages,
  });
  expect(second.content).toMatchObject([{ type: "text", text: "The file says hello." }]);
  expect(service.received.map(({ url }) => url)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
  expect(service.received[1]!.body.messages.map(({ role }: { role: string }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
  ]);
});

test("an OpenAI client reads a file by way of a Messages service", async () => {
  const { service, url } = await start({
    protocol: "anthropic-messages",
    answer: (request, response) => {
      const done = JSON.stringify(request.body.messages).includes("tool_result");
      json(response, 200, done ? anthropicText("The file says hello.") : anthropicCall("read_file", { path: "a.txt" }));
    },
  });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "client-key-1234", maxRetries: 0 });
  const tools = [{ type: "function", function: { name: "read_file", parameters } }] as never;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "What does a.txt say?" }];
  const first = await client.chat.completions.create({ model: "gpt-x", tools, messages });
  const { message, finish_reason: reason } = first.choices[0]!;
  expect(reason).toBe("tool_calls");
  const call = message.tool_calls![0]!;
  messages.push(message, { role: "tool", tool_call_id: call.id, content: "hello" });
  const second = await client.chat.completions.create({ model: "gpt-x", tools, messages });
  expect(second.choices[0]!.message.content).toBe("The file says hello.");
  expect(service.received.map(({ url }) => url)).toEqual(["/v1/messages", "/v1/messages"]);
});
