import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../../test/corpus.ts";
import type { AssistantMessage, Json, ProtocolId } from "../../../src/index.ts";
import { convertError, convertResponse, convertStream, loadProtocol } from "../../../src/index.ts";
import { readCorpus } from "../../bodies/bodies.ts";
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
  gemini,
  json,
  start,
  stop,
  text,
} from "../wire.ts";
import { recordedStreams } from "./recorded.ts";

/** What the server answers next: a body, or a stream that it converts. */
let next: { readonly status?: number; readonly body: Body } | { readonly source: string; readonly from: ProtocolId };
const server = createServer(async (request, response) => {
  request.resume();
  if ("body" in next) {
    response.writeHead(next.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(next.body));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const piece of convertStream(next.source, { from: next.from, to: gemini })) response.write(piece);
  response.end();
});
let client: GoogleGenAI;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl } });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const asked = { model: "m", contents: "q" };

/** The answer that the client reads from a stream: its parts one after another, and the last that is said of the rest. */
async function readStream(source: string, from: ProtocolId): Promise<Body> {
  next = { source, from };
  const read: Body = { parts: [] };
  for await (const { candidates, usageMetadata } of await client.models.generateContentStream(asked)) {
    const candidate = candidates?.find(({ index = 0 }) => index === 0);
    read.parts.push(...(candidate?.content?.parts ?? []));
    if (candidate?.finishReason !== undefined) read.reason = candidate.finishReason;
    if (usageMetadata !== undefined) read.usage = usageMetadata;
  }
  return read;
}

const textOf = (parts: readonly Body[]): string =>
  parts.flatMap((part) => (part.thought === true ? [] : [part.text ?? ""])).join("");
const callsIn = (parts: readonly Body[]): Body[] =>
  parts.flatMap(({ functionCall }) =>
    functionCall === undefined ? [] : [{ name: functionCall.name, input: functionCall.args ?? {} }],
  );
const callsWithoutIds = (message: AssistantMessage): Body[] =>
  callsOf(message).map(({ name, input }) => ({ name, input }));

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
  block(0, { type: "text", text: "" }),
  text(0, "Hi "),
  text(0, "🌍"),
  stop(0),
  block(1, { type: "tool_use", id: "t1", name: "f", input: {} }),
  json(1, '{"x":'),
  json(1, "1}"),
  stop(1),
  finish("tool_use"),
  end,
);

describe("the client of Gemini", () => {
  test("reads converted streams", async () => {
    const fromChat = await readStream(chatStream, chat);
    expect(fromChat.parts[0]).toEqual({ text: "hm", thought: true });
    expect(textOf(fromChat.parts)).toBe("Hi 🌍");
    expect(callsIn(fromChat.parts)).toEqual([
      { name: "f", input: { x: 1 } },
      { name: "g", input: { y: 2 } },
    ]);
    expect(fromChat).toMatchObject({ reason: "STOP", usage: { promptTokenCount: 4, totalTokenCount: 6 } });
    const fromAnthropic = await readStream(anthropicStream, anthropic);
    expect(textOf(fromAnthropic.parts)).toBe("Hi 🌍");
    expect(callsIn(fromAnthropic.parts)).toEqual([{ name: "f", input: { x: 1 } }]);
  });

  test("throws where the answer failed, however it failed", async () => {
    const failures: readonly [string, ProtocolId][] = [
      [chunk({ content: "a" }) + data({ error: { message: "boom", type: "server_error" } }), chat],
      [chunk({ content: "a" }), chat],
      [events(start(), { type: "error", error: { type: "overloaded_error", message: "boom" } }), anthropic],
      ["", anthropic],
      [data({ candidates: [{ content: { role: "model", parts: [{ text: "a" }] } }] }), gemini],
      ["[", gemini],
    ];
    for (const [source, from] of failures) await expect(readStream(source, from)).rejects.toThrow();
  });

  test("reads converted errors", async () => {
    const error = { type: "error", error: { type: "rate_limit_error", message: "slow down" } };
    const { value } = await convertError({ status: 429, headers: {}, body: error }, { from: anthropic, to: gemini });
    next = { status: value.status, body: value.body };
    await expect(client.models.generateContent(asked)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining("RESOURCE_EXHAUSTED"),
    });
  });

  test("reads a converted answer by its own shortcuts", async () => {
    const body = {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "Hi",
            tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
          },
        },
      ],
    };
    next = { body: (await convertResponse(body, { from: chat, to: gemini })).value };
    const answer = await client.models.generateContent(asked);
    expect(answer.text).toBe("Hi");
    expect(answer.functionCalls).toMatchObject([{ name: "f", args: { x: 1 } }]);
    expect(answer).toMatchObject({ responseId: "c1", modelVersion: "m" });
  });
});

const isWhole = (message: AssistantMessage): boolean =>
  message.stopReason !== "error" &&
  message.stopReason !== "pending" &&
  !message.content.some((part) => part.type === "toolCall" && part.argumentsError !== undefined);

describeWithCorpus("the client of Gemini on recordings", (folder) => {
  test.each([chat, anthropic, gemini] as const)("reads streams of %s", { timeout: 60_000 }, async (from) => {
    for (const { name, text: source } of recordedStreams(folder, from)) {
      const { value } = await decoded(source, from);
      if (!isWhole(value)) continue;
      const { parts } = await readStream(source, from);
      expect(textOf(parts), name).toBe(textIn(value));
      // Pieces of arguments are put together by whoever asked for them.
      if (!source.includes("partialArgs")) expect(callsIn(parts), name).toEqual(callsWithoutIds(value));
    }
  });

  test.each([chat, anthropic, gemini] as const)("reads answers of %s", { timeout: 60_000 }, async (from) => {
    const protocol = await loadProtocol(from);
    let answers = 0;
    for (const { path: name, protocol: own, body } of readCorpus(folder).responses) {
      if (own !== from) continue;
      let message: AssistantMessage;
      try {
        message = protocol.decodeResponse(body as Json).value;
      } catch {
        continue;
      }
      if (!isWhole(message)) continue;
      answers++;
      next = { body: (await convertResponse(body as object, { from, to: gemini })).value };
      const answer = await client.models.generateContent(asked);
      const parts = answer.candidates?.[0]?.content?.parts ?? [];
      expect(textOf(parts), name).toBe(textIn(message));
      expect(callsIn(parts), name).toEqual(callsWithoutIds(message));
    }
    expect(answers).toBeGreaterThan(100);
  });
});
