import Anthropic from "@anthropic-ai/sdk";
import type { ContentListUnion, Part } from "@google/genai";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { rolecallFetch } from "../src/index.ts";
import { askedFor, families } from "./families/index.ts";
import type { Answer } from "./service.ts";
import { chatEvents, chatText, events } from "./service.ts";
import { serviceKey, start } from "./start.ts";

const parameters = { type: "object" as const, properties: { path: { type: "string" } }, required: ["path"] };

/** Calls the tool, then tells the text, in whichever protocol it is asked. */
const answer: Answer = (request, response) => {
  const { family } = askedFor(request);
  const isDone = request.text.includes("hello");
  const whole = isDone ? family.text("It says hello, wörld 🎉.") : family.call("read_file", { path: "ä.txt" });
  events(response, family.events(whole));
};

async function anthropicTask(client: Anthropic) {
  const tools = [{ name: "read_file", description: "Reads", input_schema: parameters }];
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "What does it say?" }];
  const first = await client.messages.stream({ model: "m", max_tokens: 100, tools, messages }).finalMessage();
  expect(first.stop_reason).toBe("tool_use");
  const call = first.content.find((block) => block.type === "tool_use")!;
  expect(call).toMatchObject({ name: "read_file", input: { path: "ä.txt" } });
  messages.push(
    { role: "assistant", content: first.content as never },
    { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "hello" }] },
  );
  const second = await client.messages.stream({ model: "m", max_tokens: 100, tools, messages }).finalMessage();
  expect(second).toMatchObject({
    stop_reason: "end_turn",
    content: [{ type: "text", text: "It says hello, wörld 🎉." }],
  });
  expect(second.usage).toMatchObject({ output_tokens: 7 });
}

async function openaiTask(client: OpenAI) {
  const tools = [{ type: "function" as const, function: { name: "read_file", parameters } }];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "What does it say?" }];
  const first = (await client.chat.completions.stream({ model: "m", tools, messages }).finalChatCompletion())
    .choices[0]!;
  expect(first.finish_reason).toBe("tool_calls");
  const call = first.message.tool_calls![0]!;
  expect(JSON.parse((call as { function: { arguments: string } }).function.arguments)).toEqual({ path: "ä.txt" });
  messages.push(first.message, { role: "tool", tool_call_id: call.id, content: "hello" });
  const second = (await client.chat.completions.stream({ model: "m", tools, messages }).finalChatCompletion())
    .choices[0]!;
  expect(second).toMatchObject({ finish_reason: "stop", message: { content: "It says hello, wörld 🎉." } });
}

async function googleTask({ models }: GoogleGenAI) {
  const tools = [
    { functionDeclarations: [{ name: "read_file", description: "Reads", parametersJsonSchema: parameters }] },
  ];
  const contents = [{ role: "user", parts: [{ text: "What does it say?" }] }];
  const ask = async (): Promise<Part[]> => {
    const request = { model: "m", contents: contents as ContentListUnion, config: { tools } };
    const parts: Part[] = [];
    for await (const { candidates } of await models.generateContentStream(request))
      parts.push(...(candidates?.[0]?.content?.parts ?? []));
    return parts;
  };
  const first = await ask();
  const { functionCall } = first.find((part) => part.functionCall !== undefined)!;
  expect(functionCall).toMatchObject({ name: "read_file", args: { path: "ä.txt" } });
  const functionResponse = { ...functionCall, args: undefined, response: { output: "hello" } };
  contents.push({ role: "model", parts: first as never }, { role: "user", parts: [{ functionResponse }] as never });
  expect((await ask()).map(({ text }) => text ?? "").join("")).toBe("It says hello, wörld 🎉.");
}

const protocols = families.map(({ protocol }) => protocol);

describe.each(protocols)("official clients, streaming from %s", (protocol) => {
  test("Google", async () => {
    const { url, records } = await start({ protocol, answer });
    await googleTask(new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } }));
    // What passes as bytes is not read.
    const counts = [1, 3].map((messages) => (protocol === "gemini-generate-content" ? {} : { messages, tools: 1 }));
    expect(records).toMatchObject(
      counts.map((count) => ({ outcome: "complete", stream: true, client: "google-sdk", ...count })),
    );
  });

  test("Anthropic", async () => {
    const { url, records } = await start({ protocol, answer });
    await anthropicTask(new Anthropic({ baseURL: url, apiKey: "x", maxRetries: 0 }));
    expect(records.map(({ outcome, stream }) => [outcome, stream])).toEqual([
      ["complete", true],
      ["complete", true],
    ]);
  });

  test("OpenAI", async () => {
    const { url, records } = await start({ protocol, answer });
    await openaiTask(new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 }));
    expect(records).toMatchObject([{ outcome: "complete", firstByteMs: expect.any(Number) }, { outcome: "complete" }]);
  });

  test("in the same process, without a port", async () => {
    const { service } = await start({ protocol, answer });
    const options = {
      to: protocol.startsWith("openai-") ? `${service.origin}/v1` : service.origin,
      protocol,
      key: serviceKey,
    };
    const fetch = rolecallFetch(options);
    await anthropicTask(new Anthropic({ apiKey: "x", maxRetries: 0, fetch }));
    await openaiTask(new OpenAI({ apiKey: "x", maxRetries: 0, fetch }));
    await googleTask(new GoogleGenAI({ apiKey: "x", httpOptions: { fetch } }));
    await googleTask(new GoogleGenAI({ apiKey: "x", apiVersion: "v1beta", httpOptions: { fetch } }));
    expect(service.received).toHaveLength(8);
  });
});

test("rolecallFetch cancels with its signal", async () => {
  const { service } = await start({
    protocol: "openai-chat",
    answer: (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chatEvents(chatText("hello"))[0]);
    },
  });
  const client = new Anthropic({
    apiKey: "x",
    maxRetries: 0,
    fetch: rolecallFetch({ to: `${service.origin}/v1`, protocol: "openai-chat", key: serviceKey }),
  });
  const stream = client.messages.stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "a" }] });
  await expect.poll(() => service.received.length).toBe(1);
  setTimeout(() => stream.abort(), 50);
  await expect(stream.finalMessage()).rejects.toThrow();
  await expect.poll(() => service.cancelled).toBe(1);
});

test("a stream's own losses complete the report under the same id", async () => {
  const { url, records } = await start({
    protocol: "openai-chat",
    answer: (_request, response) => {
      const list = chatEvents(chatText("ok"));
      list[1] = list[1]!.replace('"index":0', '"index":0,"strange":1');
      events(response, list);
    },
  });
  const answered = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 10, stream: true, messages: [{ role: "user", content: "a" }] }),
  });
  const id = /report="(\w+)"/.exec(answered.headers.get("rolecall-losses")!)![1];
  expect(await answered.text()).toContain(": rolecall-losses worst=");
  const report = (await (await fetch(`${url}/rolecall/reports/${id}`)).json()) as {
    losses: { path: string }[];
    outcome: string;
  };
  expect(report.outcome).toBe("complete");
  expect(report.losses.filter(({ path }) => path.startsWith("/events/")).length).toBeGreaterThan(0);
  expect(records[0]!.id).toBe(id);
});
