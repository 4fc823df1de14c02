import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OldAnthropic from "anthropic-old";
import { GoogleGenAI as NewGoogleGenAI } from "genai-new";
import { GoogleGenAI as OldGoogleGenAI } from "genai-old";
import OpenAI from "openai";
import OldOpenAI from "openai-old";
import type { Client, Outcome } from "./task.ts";
import { task, tool } from "./task.ts";

/** What the task needs of a completion; the same in all versions. */
interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}

interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string | null;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

interface ResponseItem {
  readonly type: string;
  readonly call_id?: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly text?: string }[];
}

interface ModelResponse {
  readonly output: readonly ResponseItem[];
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number } | null;
}

interface Generated {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly GeneratedPart[] } }[];
  readonly usageMetadata?: { readonly promptTokenCount?: number; readonly candidatesTokenCount?: number };
}

interface GeneratedPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: Record<string, unknown> };
}

/** Asks by way of a gateway, and puts the stream together as the client does it. */
type Complete = (gateway: string, body: object, stream: boolean) => Promise<Completion>;
type Answer = (gateway: string, body: object, stream: boolean) => Promise<Message>;
type Respond = (gateway: string, body: object, stream: boolean) => Promise<ModelResponse>;
/** The chunks of a stream, or the whole answer as one. */
type Generate = (gateway: string, body: object, stream: boolean) => Promise<readonly Generated[]>;

const counted = { stream_options: { include_usage: true } };

/** The SDKs themselves; the old one has what is used of the new one. */
export const openaiSdks: { readonly [version: string]: (baseURL: string) => OpenAI } = {
  "openai 6": (baseURL) => new OpenAI({ baseURL, apiKey: "x", maxRetries: 0 }),
  "openai 4": (baseURL) => new OldOpenAI({ baseURL, apiKey: "x", maxRetries: 0 }) as unknown as OpenAI,
};

export const openaiClients: { readonly [version: string]: Complete } = {
  "openai 6": async (url, body, stream) => {
    const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 }).chat;
    if (stream) return (await completions.stream({ ...body, ...counted } as never).finalChatCompletion()) as Completion;
    return (await completions.create(body as never)) as Completion;
  },
  "openai 4": async (url, body, stream) => {
    const { chat, beta } = new OldOpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    if (stream) return beta.chat.completions.stream({ ...body, ...counted } as never).finalChatCompletion();
    return (await chat.completions.create(body as never)) as Completion;
  },
};

export const responsesClients: { readonly [version: string]: Respond } = {
  "openai 6, responses": async (url, body, stream) => {
    const { responses } = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    return (await (stream
      ? responses.stream(body as never).finalResponse()
      : responses.create(body as never))) as unknown as ModelResponse;
  },
  "openai 4, responses": async (url, body, stream) => {
    const { responses } = new OldOpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    return (await (stream
      ? responses.stream(body as never).finalResponse()
      : responses.create(body as never))) as unknown as ModelResponse;
  },
};

export const anthropicClients: { readonly [version: string]: Answer } = {
  "@anthropic-ai/sdk 1": async (url, body, stream) => {
    const { messages } = new Anthropic({ baseURL: url, apiKey: "x", maxRetries: 0 });
    return (
      stream ? messages.stream(body as never).finalMessage() : messages.create(body as never)
    ) as Promise<Message>;
  },
  "@anthropic-ai/sdk 0": async (url, body, stream) => {
    const { messages } = new OldAnthropic({ baseURL: url, apiKey: "x", maxRetries: 0 });
    return (
      stream ? messages.stream(body as never).finalMessage() : messages.create(body as never)
    ) as Promise<Message>;
  },
};

async function chunksOf(stream: AsyncIterable<unknown>): Promise<Generated[]> {
  const chunks: Generated[] = [];
  for await (const chunk of stream) chunks.push(chunk as Generated);
  return chunks;
}

export const googleClients: { readonly [version: string]: Generate } = {
  "@google/genai 3": async (url, body, stream) => {
    const { models } = new NewGoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } });
    if (stream) return chunksOf(await models.generateContentStream(body as never));
    return [(await models.generateContent(body as never)) as Generated];
  },
  "@google/genai 2": async (url, body, stream) => {
    const { models } = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } });
    if (stream) return chunksOf(await models.generateContentStream(body as never));
    return [(await models.generateContent(body as never)) as Generated];
  },
  "@google/genai 1": async (url, body, stream) => {
    const { models } = new OldGoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } });
    if (stream) return chunksOf(await models.generateContentStream(body as never));
    return [(await models.generateContent(body as never)) as Generated];
  },
};

async function completeTask(complete: Complete, url: string, stream: boolean): Promise<Outcome> {
  const { name, description, schema: parameters } = tool;
  const tools = [{ type: "function", function: { name, description, parameters } }];
  const messages: object[] = [{ role: "user", content: task.prompt }];
  const first = (await complete(url, { model: "some-model", tools, messages }, stream)).choices[0]?.message;
  const calls = first?.tool_calls ?? [];
  messages.push({ ...first }, ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: task.content })));
  const { choices, usage } = await complete(url, { model: "some-model", tools, messages }, stream);
  return {
    read: calls.map((call) => JSON.parse(call.function.arguments).path),
    text: choices[0]?.message.content ?? "",
    tokens: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
  };
}

async function answerTask(answer: Answer, url: string, stream: boolean): Promise<Outcome> {
  const { name, description, schema } = tool;
  const base = { model: "some-model", max_tokens: 100, tools: [{ name, description, input_schema: schema }] };
  const messages: object[] = [{ role: "user", content: task.prompt }];
  const { content } = await answer(url, { ...base, messages }, stream);
  const calls = content.filter(({ type }) => type === "tool_use");
  const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: task.content }));
  messages.push({ role: "assistant", content }, { role: "user", content: results });
  const { content: last, usage } = await answer(url, { ...base, messages }, stream);
  return {
    read: calls.map(({ input }) => (input as { path: string }).path),
    text: last.map(({ text }) => text ?? "").join(""),
    tokens: { input: usage.input_tokens, output: usage.output_tokens },
  };
}

async function generateTask(generate: Generate, url: string, stream: boolean): Promise<Outcome> {
  const { name, description, schema } = tool;
  const parameters = { type: "OBJECT", properties: { path: { type: "STRING" } }, required: schema.required };
  const base = {
    model: "some-model",
    config: { tools: [{ functionDeclarations: [{ name, description, parameters }] }] },
  };
  const contents: object[] = [{ role: "user", parts: [{ text: task.prompt }] }];
  const partsOf = (chunks: readonly Generated[]) =>
    chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const first = partsOf(await generate(url, { ...base, contents }, stream));
  const calls = first.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
  const results = calls.map((call) => ({
    functionResponse: { id: call.id, name: call.name, response: { output: task.content } },
  }));
  contents.push({ role: "model", parts: first }, { role: "user", parts: results });
  const chunks = await generate(url, { ...base, contents }, stream);
  const usage = chunks.at(-1)?.usageMetadata;
  return {
    read: calls.map(({ args }) => String(args?.["path"])),
    text: partsOf(chunks)
      .map(({ text }) => text ?? "")
      .join(""),
    tokens: { input: usage?.promptTokenCount, output: usage?.candidatesTokenCount },
  };
}

async function respondTask(respond: Respond, url: string, stream: boolean): Promise<Outcome> {
  const { name, description, schema: parameters } = tool;
  const base = { model: "some-model", tools: [{ type: "function", name, description, parameters, strict: false }] };
  const input: object[] = [{ role: "user", content: task.prompt }];
  const { output } = await respond(url, { ...base, input }, stream);
  const calls = output.filter(({ type }) => type === "function_call");
  const results = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: task.content }));
  input.push(...output, ...results);
  const { output: last, usage } = await respond(url, { ...base, input }, stream);
  return {
    read: calls.map((call) => JSON.parse(call.arguments ?? "{}").path),
    text: last.flatMap(({ content = [] }) => content.map(({ text }) => text ?? "")).join(""),
    tokens: { input: usage?.input_tokens, output: usage?.output_tokens },
  };
}

export const sdks: readonly Client[] = [
  ...Object.entries(responsesClients).map(
    ([name, respond]): Client => ({
      name,
      protocol: "openai-responses",
      run: (url, stream) => respondTask(respond, url, stream),
    }),
  ),
  ...Object.entries(googleClients).map(
    ([name, generate]): Client => ({
      name,
      protocol: "gemini-generate-content",
      run: (url, stream) => generateTask(generate, url, stream),
    }),
  ),
  ...Object.entries(openaiClients).map(
    ([name, complete]): Client => ({
      name,
      protocol: "openai-chat",
      run: (url, stream) => completeTask(complete, url, stream),
    }),
  ),
  ...Object.entries(anthropicClients).map(
    ([name, answer]): Client => ({
      name,
      protocol: "anthropic-messages",
      ...(name.endsWith(" 0") && { countsEarly: true }),
      run: (url, stream) => answerTask(answer, url, stream),
    }),
  ),
];
