import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { tool as defineTool, generateText, jsonSchema, stepCountIs, streamText } from "ai";
import type { Client, Outcome } from "./task.ts";
import { task, tool } from "./task.ts";

async function run(model: LanguageModel, stream: boolean): Promise<Outcome> {
  const read: string[] = [];
  const options = {
    model,
    prompt: task.prompt,
    maxRetries: 0,
    maxOutputTokens: 100,
    // Otherwise it names what it was told by an id, under which only its own service has it.
    providerOptions: { openai: { store: false } },
    stopWhen: stepCountIs(3),
    tools: {
      [tool.name]: defineTool({
        description: tool.description,
        inputSchema: jsonSchema<{ path: string }>(tool.schema as never),
        execute: ({ path }) => {
          read.push(path);
          return task.content;
        },
      }),
    },
  };
  const result = stream ? streamText({ ...options, onError: () => {} }) : await generateText(options);
  const [text, usage] = await Promise.all([result.text, result.usage]);
  return { read, text, tokens: { input: usage.inputTokens, output: usage.outputTokens } };
}

export const aiSdk: readonly Client[] = [
  {
    name: "@ai-sdk/openai",
    protocol: "openai-chat",
    run: (url, stream) => run(createOpenAI({ baseURL: `${url}/v1`, apiKey: "x" }).chat("some-model"), stream),
  },
  {
    name: "@ai-sdk/openai, responses",
    protocol: "openai-responses",
    run: (url, stream) => run(createOpenAI({ baseURL: `${url}/v1`, apiKey: "x" }).responses("some-model"), stream),
  },
  {
    name: "@ai-sdk/google",
    protocol: "gemini-generate-content",
    run: (url, stream) =>
      run(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: "x" })("some-model"), stream),
  },
  {
    name: "@ai-sdk/openai-compatible",
    protocol: "openai-chat",
    run: (url, stream) => {
      const provider = createOpenAICompatible({
        name: "rolecall",
        baseURL: `${url}/v1`,
        apiKey: "x",
        includeUsage: true,
      });
      return run(provider("some-model"), stream);
    },
  },
  {
    name: "@ai-sdk/anthropic",
    protocol: "anthropic-messages",
    run: (url, stream) => run(createAnthropic({ baseURL: `${url}/v1`, apiKey: "x" })("some-model"), stream),
  },
];
