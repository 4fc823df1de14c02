import { ChatAnthropic } from "@langchain/anthropic";
import type { AIMessageChunk, BaseMessageLike, UsageMetadata } from "@langchain/core/messages";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import type { Client, Outcome } from "./task.ts";
import { task, tool } from "./task.ts";

interface Model {
  invoke(messages: BaseMessageLike[]): Promise<AIMessageChunk>;
  stream(messages: BaseMessageLike[]): Promise<AsyncIterable<AIMessageChunk>>;
}

const tools = [
  { type: "function", function: { name: tool.name, description: tool.description, parameters: tool.schema } },
];

async function ask(model: Model, messages: BaseMessageLike[], stream: boolean): Promise<AIMessageChunk> {
  if (!stream) return model.invoke(messages);
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream(messages)) whole = whole === undefined ? chunk : whole.concat(chunk);
  if (whole === undefined) throw new Error("the stream was empty");
  return whole;
}

async function run(model: Model, stream: boolean): Promise<Outcome> {
  const messages: BaseMessageLike[] = [new HumanMessage(task.prompt)];
  const first = await ask(model, messages, stream);
  const calls = first.tool_calls ?? [];
  messages.push(first, ...calls.map(({ id = "" }) => new ToolMessage({ tool_call_id: id, content: task.content })));
  const last = await ask(model, messages, stream);
  const usage = last.usage_metadata as UsageMetadata | undefined;
  return {
    read: calls.map(({ args }) => String(args["path"])),
    text: last.text,
    tokens: { input: usage?.input_tokens, output: usage?.output_tokens },
  };
}

export const langchain: readonly Client[] = [
  ...[false, true].map(
    (useResponsesApi): Client => ({
      name: useResponsesApi ? "@langchain/openai, responses" : "@langchain/openai",
      protocol: useResponsesApi ? "openai-responses" : "openai-chat",
      run: (url, stream) => {
        const model = new ChatOpenAI({
          model: "some-model",
          apiKey: "x",
          maxRetries: 0,
          useResponsesApi,
          configuration: { baseURL: `${url}/v1` },
        });
        return run(model.bindTools(tools) as never, stream);
      },
    }),
  ),
  {
    name: "@langchain/anthropic",
    protocol: "anthropic-messages",
    countsEarly: true,
    run: (url, stream) => {
      const model = new ChatAnthropic({
        model: "some-model",
        apiKey: "x",
        maxRetries: 0,
        maxTokens: 100,
        anthropicApiUrl: url,
      });
      return run(model.bindTools(tools) as never, stream);
    },
  },
];
