import type { ProtocolId, StreamSource } from "@rolecall/core";
import { convertStream, createSseParser } from "@rolecall/core";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { start } from "../start.ts";
import type { Body } from "./fault.ts";
import { reportedCases } from "./fault.ts";

const paths: Record<string, string> = { "openai-chat": "/v1/chat/completions", "anthropic-messages": "/v1/messages" };
const body = {
  model: "m",
  max_tokens: 9,
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: "user", content: "hi" }],
};

const chunksOf = (input: Body): readonly Uint8Array[] =>
  typeof input === "string" ? [Buffer.from(input)] : input.chunks.map((chunk: string) => Buffer.from(chunk, "base64"));

async function textOf(source: StreamSource, from: ProtocolId, to: ProtocolId, receivedAt: number): Promise<string> {
  let text = "";
  for await (const piece of convertStream(source, { from, to, receivedAt })) text += piece;
  return text;
}

/** The gateway says in its own words that a stream broke off. */
const brokeOff = /the service: the stream ended before it was complete/;

function framesOf(text: string) {
  const parser = createSseParser();
  const frames = [...parser.push(text), ...parser.finish()];
  return frames.map(({ event, data }) => ({
    event,
    data: data.replace(brokeOff, "the stream ended before the answer was complete"),
  }));
}

describeWithCorpus("reported streams, as a service sends them chunk by chunk", (folder) => {
  const known = Object.keys(paths);
  const cases = reportedCases(folder)
    .filter(({ mode, from }) => mode === "stream" && known.includes(from))
    .map((entry) => ({
      ...entry,
      from: entry.from as ProtocolId,
      other: known.find((id) => id !== entry.from) as ProtocolId,
    }));

  test.each(cases)("$id $kind", async ({ from, other, input }) => {
    const chunks = chunksOf(input);
    const { url } = await start({
      protocol: from,
      answer: async (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const chunk of chunks) {
          response.write(chunk);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        response.end();
      },
    });
    const answer = await fetch(url + paths[other]!, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    const receivedAt = Number(/"created":(\d+)/.exec(text)?.[1] ?? 0) * 1000;
    const [given, expected] = [text, await textOf(chunks, from, other, receivedAt)].map(framesOf);
    expect(given!.length).toBeGreaterThan(0);
    expect(given).toEqual(expected);
  });
});
