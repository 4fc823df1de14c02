import type { ProtocolId, StreamSource } from "@rolecall/core";
import { convertRequest, convertStream, createSseParser, protocolIds } from "@rolecall/core";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { families } from "../families/index.ts";
import { post, start } from "../start.ts";
import type { Body } from "./fault.ts";
import { reportedCases } from "./fault.ts";

const chunksOf = (input: Body): readonly Uint8Array[] =>
  typeof input === "string" ? [Buffer.from(input)] : input.chunks.map((chunk: string) => Buffer.from(chunk, "base64"));

async function textOf(source: StreamSource, options: Parameters<typeof convertStream>[1]): Promise<string> {
  let text = "";
  for await (const piece of convertStream(source, options)) text += piece;
  return text;
}

/** When the gateway says that an answer came, as a client is told it; whole seconds in each protocol. */
function toldTime(text: string): number {
  const seconds = /"created(?:_at)?":(\d+)/.exec(text)?.[1];
  const time = /"createTime":"([^"]+)"/.exec(text)?.[1];
  return seconds === undefined ? Date.parse(time ?? "1970-01-01") : Number(seconds) * 1000;
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
  const known: readonly string[] = protocolIds;
  const cases = reportedCases(folder)
    .filter(({ mode, from }) => mode === "stream" && known.includes(from))
    .flatMap((entry) =>
      families
        .filter(({ protocol }) => protocol !== entry.from)
        .map((client) => ({ ...entry, from: entry.from as ProtocolId, client, to: client.protocol })),
    );

  test.each(cases)("$id $kind for a client of $to", async ({ from, client, to, input }) => {
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
    const body = {
      ...client.body("hi", true),
      ...(to === "openai-chat" && { stream_options: { include_usage: true } }),
    };
    const answer = await post(url, client.path(true), body);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    const { exchange } = await convertRequest({ body, path: client.path(true) }, { from: to, to: from });
    const options = { from, to, exchange, receivedAt: toldTime(text) };
    const [given, expected] = [text, await textOf(chunks, options)].map(framesOf);
    expect(given!.length).toBeGreaterThan(0);
    expect(given).toEqual(expected);
  });
});
