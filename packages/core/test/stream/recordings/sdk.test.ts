import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../../test/corpus.ts";
import type { AssistantMessage, ProtocolId } from "../../../src/index.ts";
import { convertStream } from "../../../src/index.ts";
import { callsOf, textIn } from "../fault.ts";
import type { Body } from "../wire.ts";
import {
  anthropic,
  block,
  call,
  chat,
  chunk,
  data,
  decoded,
  done,
  end,
  events,
  finish,
  framesOf,
  json,
  responses,
  start,
  stop,
  text,
} from "../wire.ts";
import { recordedStreams } from "./recorded.ts";

/** The stream that the server converts for the next request. */
let next: { readonly source: string; readonly from: ProtocolId; readonly to: ProtocolId };
const server = createServer(async (request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const piece of convertStream(next.source, next)) response.write(piece);
  response.end();
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function readAsAnthropic(source: string, from: ProtocolId): Promise<Body> {
  next = { source, from, to: anthropic };
  const client = new Anthropic({ apiKey: "key", baseURL: base, maxRetries: 0 });
  return client.messages
    .stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "q" }] })
    .finalMessage();
}

async function readAsChat(source: string, from: ProtocolId): Promise<Body> {
  next = { source, from, to: chat };
  const client = new OpenAI({ apiKey: "key", baseURL: `${base}/v1`, maxRetries: 0 });
  return client.chat.completions
    .stream({ model: "m", messages: [{ role: "user", content: "q" }], stream_options: { include_usage: true } })
    .finalChatCompletion();
}

async function readAsResponses(source: string, from: ProtocolId): Promise<Body> {
  next = { source, from, to: responses };
  const client = new OpenAI({ apiKey: "key", baseURL: `${base}/v1`, maxRetries: 0 });
  return client.responses.stream({ model: "m", input: "q" }).finalResponse();
}

const responsesCalls = (response: Body): Body[] =>
  response.output.flatMap((item: Body) =>
    item.type === "function_call"
      ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments || "{}") }]
      : [],
  );
const anthropicText = (message: Body): string =>
  message.content.flatMap((part: Body) => (part.type === "text" ? [part.text] : [])).join("");
const anthropicCalls = (message: Body): Body[] =>
  message.content.flatMap((part: Body) =>
    part.type === "tool_use" ? [{ id: part.id, name: part.name, input: part.input }] : [],
  );
const chatCallsOf = (message: Body): Body[] =>
  (message.tool_calls ?? []).map((item: Body) => ({
    id: item.id,
    name: item.function.name,
    input: JSON.parse(item.function.arguments || "{}"),
  }));

describe("official clients", () => {
  const chatStream =
    chunk({ role: "assistant", reasoning_content: "hm" }) +
    chunk({ content: "Hi " }) +
    chunk({ content: "🌍" }) +
    chunk({ tool_calls: [call(0, "a", "f", '{"x":')] }) +
    chunk({ tool_calls: [call(1, "b", "g", '{"y":')] }) +
    chunk({ tool_calls: [call(1, undefined, undefined, "2}"), call(0, undefined, undefined, "1}")] }) +
    chunk({}, "tool_calls") +
    data({ id: "c1", choices: [], usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } }) +
    done;
  const anthropicStream = events(
    start(),
    { type: "ping" },
    block(0, { type: "thinking", thinking: "", signature: "" }),
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
    stop(0),
    block(1, { type: "text", text: "" }),
    text(1, "Hi "),
    text(1, "🌍"),
    stop(1),
    block(2, { type: "tool_use", id: "t1", name: "f", input: {} }),
    json(2, ""),
    json(2, '{"x":1}'),
    stop(2),
    finish("tool_use"),
    end,
  );

  test("Anthropic reads a converted stream of Chat", async () => {
    const message = await readAsAnthropic(chatStream, chat);
    expect(message.content.map((part: Body) => part.type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect(anthropicText(message)).toBe("Hi 🌍");
    expect(anthropicCalls(message)).toEqual([
      { id: "a", name: "f", input: { x: 1 } },
      { id: "b", name: "g", input: { y: 2 } },
    ]);
    expect(message).toMatchObject({ stop_reason: "tool_use", usage: { input_tokens: 4, output_tokens: 2 } });
  });

  test.each([chat, anthropic])("OpenAI reads a converted stream of %s as one of Responses", async (from) => {
    const response = await readAsResponses(from === chat ? chatStream : anthropicStream, from);
    const types = response.output.map((item: Body) => item.type);
    expect(types.slice(0, 3)).toEqual(["reasoning", "message", "function_call"]);
    expect(response.output[0].summary).toEqual([{ type: "summary_text", text: "hm" }]);
    expect(response.output_text).toBe("Hi 🌍");
    expect(responsesCalls(response)).toEqual(
      from === chat
        ? [
            { id: "a", name: "f", input: { x: 1 } },
            { id: "b", name: "g", input: { y: 2 } },
          ]
        : [{ id: "t1", name: "f", input: { x: 1 } }],
    );
    expect(response).toMatchObject({ status: "completed", usage: { output_tokens: from === chat ? 2 : 9 } });
  });

  test("OpenAI reads a converted stream of Anthropic", async () => {
    const completion = await readAsChat(anthropicStream, anthropic);
    const [choice] = completion.choices;
    expect(choice.message.content).toBe("Hi 🌍");
    expect(chatCallsOf(choice.message)).toEqual([{ id: "t1", name: "f", input: { x: 1 } }]);
    expect(choice.finish_reason).toBe("tool_calls");
    expect(completion.usage).toMatchObject({ prompt_tokens: 1, completion_tokens: 9 });
  });

  test("OpenAI keeps the citations of every text", async () => {
    const cited = (index: number, words: string, url: string): Body[] => [
      block(index, { type: "text", text: "", citations: [] }),
      text(index, words),
      {
        type: "content_block_delta",
        index,
        delta: {
          type: "citations_delta",
          citation: { type: "web_search_result_location", url, title: "T", cited_text: "c", encrypted_index: "e" },
        },
      },
      stop(index),
    ];
    const source = events(
      start(),
      ...cited(0, "One.", "https://a.test/"),
      ...cited(1, "Two.", "https://b.test/"),
      finish("end_turn"),
      end,
    );
    const { annotations } = (await readAsChat(source, anthropic)).choices[0].message;
    expect(annotations.map((item: Body) => item.url_citation.url)).toEqual(["https://a.test/", "https://b.test/"]);
  });

  test("each reads its own protocol through us", async () => {
    expect(anthropicText(await readAsAnthropic(anthropicStream, anthropic))).toBe("Hi 🌍");
    expect((await readAsChat(chatStream, chat)).choices[0].message.content).toBe("Hi 🌍");
  });

  test("both throw where the answer failed, however it failed", async () => {
    const failures: readonly [string, ProtocolId][] = [
      [chunk({ content: "a" }) + data({ error: { message: "boom", type: "server_error" } }), chat],
      [chunk({ content: "a" }), chat],
      [events(start(), { type: "error", error: { type: "overloaded_error", message: "boom" } }), anthropic],
      [events(start(), block(0, { type: "text", text: "" }), text(0, "a")), anthropic],
      ["", chat],
    ];
    for (const [source, from] of failures) {
      await expect(readAsAnthropic(source, from)).rejects.toThrow();
      await expect(readAsChat(source, from)).rejects.toThrow();
    }
  });
});

/** An answer that a client can be expected to read: whole, and of one candidate. */
const isWhole = (message: AssistantMessage): boolean =>
  message.stopReason !== "error" &&
  message.stopReason !== "pending" &&
  message.alternatives === undefined &&
  !message.content.some((part) => part.type === "toolCall" && part.argumentsError !== undefined);

/** Some files hold the answers of a whole loop, one after another; the client refuses the second. */
const isSeveral = (source: string): boolean =>
  framesOf(source).filter(({ data: value }) => value.type === "message_start").length > 1;

describeWithCorpus("official clients on recorded streams", (folder) => {
  for (const from of [chat, responses, anthropic]) {
    test(`OpenAI reads ${from} as Responses`, { timeout: 60_000 }, async () => {
      for (const { name, text: source } of recordedStreams(folder, from)) {
        const { value } = await decoded(source, from);
        if (!isWhole(value) || isSeveral(source) || from === responses) continue;
        const response = await readAsResponses(source, from);
        expect(response.output_text, name).toBe(textIn(value));
        expect(responsesCalls(response), name).toEqual(callsOf(value));
      }
    });

    test(`Anthropic reads ${from}`, { timeout: 60_000 }, async () => {
      for (const { name, text: source } of recordedStreams(folder, from)) {
        const { value } = await decoded(source, from);
        if (!isWhole(value) || isSeveral(source)) continue;
        const message = await readAsAnthropic(source, from);
        expect(anthropicText(message), name).toBe(textIn(value));
        expect(anthropicCalls(message), name).toEqual(callsOf(value));
      }
    });

    test(`OpenAI reads ${from}`, { timeout: 60_000 }, async () => {
      for (const { name, text: source } of recordedStreams(folder, from)) {
        const { value } = await decoded(source, from);
        // The client refuses chunks of some servers that repeat calls, or that say no role or reason: those are as they came.
        if (!isWhole(value) || from === chat) continue;
        const [choice] = (await readAsChat(source, from)).choices;
        expect(choice.message.content ?? "", name).toBe(textIn(value));
        expect(chatCallsOf(choice.message), name).toEqual(callsOf(value));
      }
    });
  }
});
