import Anthropic from "@anthropic-ai/sdk";
import type { ProtocolId } from "@rolecall/core";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { anthropicCall, anthropicEvents, chatCall, chatEvents, chatText, events, json } from "./service.ts";
import { post, start } from "./start.ts";

const messages = [{ role: "user" as const, content: "What does a.txt say?" }];
const answers = {
  "openai-chat": { whole: chatCall("read_file", { path: "ä.txt" }), stream: chatEvents },
  "anthropic-messages": { whole: anthropicCall("read_file", { path: "ä.txt" }), stream: anthropicEvents },
};
const paths: Record<string, string> = { "openai-chat": "/v1/chat/completions", "anthropic-messages": "/v1/messages" };
const other: Record<string, "openai-chat" | "anthropic-messages"> = {
  "openai-chat": "anthropic-messages",
  "anthropic-messages": "openai-chat",
};

/** A gateway before a service that always answers as a whole, or always with a stream. */
const gateway = (protocol: "openai-chat" | "anthropic-messages", form: "whole" | "stream") =>
  start({
    protocol,
    answer: (_request, response) => {
      const { whole, stream } = answers[protocol];
      if (form === "whole") json(response, 200, whole, { "x-request-id": "req_1" });
      else events(response, stream(whole as never), { "x-request-id": "req_1" });
    },
  });

describe("a service that answers as a whole where a stream was asked for", () => {
  test("Anthropic's client gets a stream", async () => {
    const { url, records } = await gateway("openai-chat", "whole");
    const client = new Anthropic({ baseURL: url, apiKey: "x", maxRetries: 0 });
    const message = await client.messages.stream({ model: "m", max_tokens: 9, messages }).finalMessage();
    expect(message).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "read_file", input: { path: "ä.txt" } }],
      usage: { input_tokens: 12, output_tokens: 7 },
    });
    expect(records).toMatchObject([{ outcome: "complete", status: 200, stream: true }]);
  });

  test("OpenAI's client gets a stream", async () => {
    const { url, records } = await gateway("anthropic-messages", "whole");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    const options = { include_usage: true };
    const stream = client.chat.completions.stream({ model: "m", messages, stream_options: options });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "read_file", arguments: '{"path":"ä.txt"}' } }] },
    });
    expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 7 });
    expect(records).toMatchObject([{ outcome: "complete", status: 200, stream: true }]);
  });
});

describe("a service that streams where none was asked for", () => {
  test("Anthropic's client gets a whole answer", async () => {
    const { url, records } = await gateway("openai-chat", "stream");
    const client = new Anthropic({ baseURL: url, apiKey: "x", maxRetries: 0 });
    const message = await client.messages.create({ model: "m", max_tokens: 9, messages });
    expect(message).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "read_file", input: { path: "ä.txt" } }],
      usage: { input_tokens: 12, output_tokens: 7 },
    });
    expect(records).toMatchObject([{ outcome: "complete", status: 200, stream: false }]);
  });

  test("OpenAI's client gets a whole answer", async () => {
    const { url, records } = await gateway("anthropic-messages", "stream");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    const { choices, usage, created } = await client.chat.completions.create({ model: "m", messages });
    expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "read_file", arguments: '{"path":"ä.txt"}' } }] },
    });
    expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 7 });
    expect(records).toMatchObject([{ outcome: "complete", status: 200, stream: false }]);
  });

  test("that fails is an error with a status, not half an answer", async () => {
    const { url, records } = await start({
      protocol: "openai-chat",
      answer: (_request, response) =>
        events(response, [
          chatEvents(chatText("half"))[0]!,
          `data: ${JSON.stringify({ error: { message: "slow down", type: "rate_limit_error" } })}\n\n`,
        ]),
    });
    const answer = await post(url, "/v1/messages", { model: "m", max_tokens: 9, messages });
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect(records).toMatchObject([{ outcome: "failed", status: 429 }]);
  });

  test("that is cut is an error", async () => {
    const { url } = await start({
      protocol: "openai-chat",
      answer: (_request, response) => events(response, chatEvents(chatText("half")).slice(0, 2)),
    });
    expect((await post(url, "/v1/messages", { model: "m", max_tokens: 9, messages })).status).toBe(502);
  });
});

describe.each(Object.keys(paths) as ProtocolId[])("%s", (protocol) => {
  test.each([
    ["whole", true],
    ["stream", false],
  ] as const)("an answer in the form %s, stream %s: nothing is lost that the form has", async (form, stream) => {
    const service = other[protocol]!;
    const losses = async (asked: boolean, given: "whole" | "stream") => {
      const { url, records } = await gateway(service, given);
      const more = protocol === "openai-chat" && asked ? { stream_options: { include_usage: true } } : {};
      await (await post(url, paths[protocol]!, { model: "m", max_tokens: 9, messages, stream: asked, ...more })).text();
      const told = records[0]!.losses.filter(({ effect }) => effect !== "form");
      return told.map(({ code }) => code).sort();
    };
    expect(await losses(stream, form)).toEqual(await losses(stream, stream ? "stream" : "whole"));
  });

  test.each(["whole", "stream"] as const)(
    "between equal protocols the form %s goes through as it came",
    async (form) => {
      const { url } = await gateway(protocol as "openai-chat", form);
      const answer = await post(url, paths[protocol]!, {
        model: "m",
        max_tokens: 9,
        messages,
        stream: form === "whole",
      });
      const { whole, stream } = answers[protocol as "openai-chat"];
      expect(await answer.text()).toBe(form === "whole" ? JSON.stringify(whole) : stream(whole).join(""));
    },
  );
});
