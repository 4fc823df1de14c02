import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ExchangeRecord } from "../src/index.ts";
import { createGateway } from "../src/index.ts";
import { post } from "./start.ts";

async function scripted() {
  const records: ExchangeRecord[] = [];
  const gateway = await createGateway({ onExchange: (record) => records.push(record) });
  const { url } = await gateway.listen();
  onTestFinished(() => gateway.close());
  return {
    url,
    records,
    google: new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } }),
    openai: new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 }),
  };
}

const parameters = {
  type: "object" as const,
  properties: { path: { type: "string" }, mode: { enum: ["text", "binary"] }, note: { type: "string" } },
  required: ["path", "mode"],
};

describe("the scripted model", () => {
  test("echoes, says what it is, and counts", async () => {
    const { openai, anthropic, records, url } = await scripted();
    const chat = await openai.chat.completions.create({
      model: "any",
      messages: [{ role: "user", content: "Hello!" }],
    });
    expect(chat.model).toBe("scripted");
    expect(chat.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "[scripted, not a language model] You said: Hello!" },
    });
    expect(chat.usage!.total_tokens).toBe(chat.usage!.prompt_tokens + chat.usage!.completion_tokens);
    const message = await anthropic.messages.create({
      model: "any",
      max_tokens: 100,
      messages: [{ role: "user", content: "Hello!" }],
    });
    expect(message).toMatchObject({ model: "scripted", stop_reason: "end_turn" });
    expect(message.usage.output_tokens).toBe(chat.usage!.completion_tokens);
    expect(records).toMatchObject([{ service: "scripted", outcome: "complete" }, { service: "scripted" }]);
    const answer = await post(url, "/v1/messages", {
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "a" }],
    });
    expect(answer.headers.get("rolecall-model")).toBe("scripted");
  });

  test("calls a fitting tool and sums its result up, in both protocols and in streams", async () => {
    const { openai, anthropic } = await scripted();
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read notes/a.txt please" }];
    const tools = [
      { name: "bash", input_schema: { type: "object" as const } },
      { name: "read_file", input_schema: parameters },
    ];
    const stream = anthropic.messages.stream({ model: "any", max_tokens: 500, tools, messages });
    const deltas: string[] = [];
    stream.on("text", (text) => deltas.push(text));
    const first = await stream.finalMessage();
    expect(deltas.length).toBeGreaterThan(2);
    expect(first.stop_reason).toBe("tool_use");
    const call = first.content.find((block) => block.type === "tool_use")!;
    expect(call).toMatchObject({ name: "read_file", input: { path: "notes/a.txt", mode: "text" } });
    messages.push(
      { role: "assistant", content: first.content as never },
      { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "the content" }] },
    );
    const second = await anthropic.messages.stream({ model: "any", max_tokens: 500, tools, messages }).finalMessage();
    expect(second.content[0]).toMatchObject({ type: "text" });
    expect((second.content[0] as { text: string }).text).toContain("read_file gave 11 characters: the content");

    const runner = openai.chat.completions.stream({
      model: "any",
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: 'call read_file with {"path":"b.txt","mode":"binary"}' }],
      tools: [{ type: "function", function: { name: "read_file", parameters } }],
    });
    const completion = await runner.finalChatCompletion();
    expect(completion.choices[0]!.finish_reason).toBe("tool_calls");
    const chatCall = completion.choices[0]!.message.tool_calls![0]!;
    expect(chatCall).toMatchObject({ function: { name: "read_file" } });
    expect(JSON.parse((chatCall as { function: { arguments: string } }).function.arguments)).toEqual({
      path: "b.txt",
      mode: "binary",
    });
    expect(completion.usage!.completion_tokens).toBeGreaterThan(0);
  });

  test("answers Google's client, as a whole and in streams", async () => {
    const { google, records, url } = await scripted();
    const tools = [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: parameters }] }];
    const request = { model: "any", contents: "Read notes/a.txt please", config: { tools } };
    const whole = await google.models.generateContent(request);
    expect(whole).toMatchObject({
      modelVersion: "scripted",
      functionCalls: [{ name: "read_file", args: { path: "notes/a.txt", mode: "text" } }],
    });
    expect(whole.usageMetadata!.candidatesTokenCount).toBeGreaterThan(0);
    const chunks = [];
    for await (const chunk of await google.models.generateContentStream(request)) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toMatchObject([{ name: "read_file" }]);
    const list = await post(url, "/v1beta/models/any:streamGenerateContent", {
      contents: [{ parts: [{ text: "Hi" }] }],
    });
    const said = ((await list.json()) as { candidates: [{ content: { parts: [{ text: string }] } }] }[])
      .map(({ candidates }) => candidates[0].content.parts[0].text)
      .join("");
    expect(said).toBe("[scripted, not a language model] You said: Hi");
    expect(records.map(({ stream, outcome }) => [stream, outcome])).toEqual([
      [false, "complete"],
      [true, "complete"],
      [true, "complete"],
    ]);
  });

  test("takes the folder that the client works in for a path that must be absolute", async () => {
    const { openai } = await scripted();
    const path = { type: "string", description: "The absolute path" };
    const answer = await openai.chat.completions.create({
      model: "any",
      messages: [
        { role: "system", content: "Your current working directory is: /home/user/project.\nBe brief." },
        { role: "user", content: "<reminder>Now</reminder>" },
        { role: "user", content: "Read notes.txt" },
      ],
      tools: [{ type: "function", function: { name: "Read", parameters: { type: "object", properties: { path } } } }],
    });
    const call = answer.choices[0]!.message.tool_calls![0] as { function: { arguments: string } };
    expect(JSON.parse(call.function.arguments)).toEqual({ path: "/home/user/project/notes.txt" });
  });

  test("obeys tool_choice, formats and limits", async () => {
    const { openai } = await scripted();
    const tools = [{ type: "function" as const, function: { name: "zap", parameters } }];
    const ask = async (more: object) =>
      (
        await openai.chat.completions.create({
          model: "any",
          messages: [{ role: "user", content: "hm" }],
          tools,
          ...more,
        })
      ).choices[0]!;
    expect((await ask({ tool_choice: "required" })).finish_reason).toBe("tool_calls");
    expect((await ask({ tool_choice: "none" })).finish_reason).toBe("stop");
    expect((await ask({ max_tokens: 3 })).finish_reason).toBe("length");
    const schema = {
      type: "object",
      properties: { title: { type: "string" }, count: { type: "integer" } },
      required: ["title", "count"],
    };
    const formatted = await ask({ response_format: { type: "json_schema", json_schema: { name: "x", schema } } });
    expect(JSON.parse(formatted.message.content!)).toEqual({ title: "hm", count: 1 });
  });

  test("a body that no service would take gets its error", async () => {
    const { url } = await scripted();
    expect((await post(url, "/v1/chat/completions", '{"model"')).status).toBe(400);
    expect((await post(url, "/v1/messages", { model: "x", messages: 7 })).status).toBe(400);
  });
});
