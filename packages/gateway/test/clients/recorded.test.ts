import type { AssistantMessage, Json, JsonObject, Part, Protocol, ProtocolId } from "@rolecall/core";
import { callArgumentsText, convertStream, loadProtocol, withoutWire } from "@rolecall/core";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { recordedStreams } from "../../../core/test/stream/recordings/recorded.ts";
import { events } from "../service.ts";
import { start } from "../start.ts";
import { anthropicClients, googleClients, openaiClients, responsesClients } from "./sdk.ts";

type Ask = (gateway: string, body: object, stream: boolean) => Promise<unknown>;

/** Reads an answer as a client has it. */
type Read = (protocol: Protocol, answer: unknown) => Promise<AssistantMessage>;

const asWhole: Read = async (protocol, answer) => protocol.decodeResponse(plain(answer)).value;
/** The chunks are all that a client of Gemini has; how they came over HTTP stands in none of them. */
const asChunks: Read = async (protocol, chunks) => {
  const frames = (plain(chunks) as JsonObject[]).map(({ sdkHttpResponse: _http, ...chunk }) => chunk);
  return (await protocol.decodeStream(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`))).value;
};
const plain = (answer: unknown): Json => JSON.parse(JSON.stringify(answer)) as Json;

const question = { role: "user", content: "q" };
const sets: readonly {
  readonly to: ProtocolId;
  readonly clients: { readonly [version: string]: Ask };
  readonly body: object;
  readonly read: Read;
}[] = [
  {
    to: "openai-chat",
    clients: openaiClients,
    body: { model: "m", max_tokens: 10, messages: [question] },
    read: asWhole,
  },
  { to: "openai-responses", clients: responsesClients, body: { model: "m", input: "q" }, read: asWhole },
  {
    to: "anthropic-messages",
    clients: anthropicClients,
    body: { model: "m", max_tokens: 10, messages: [question] },
    read: asWhole,
  },
  { to: "gemini-generate-content", clients: googleClients, body: { model: "m", contents: "q" }, read: asChunks },
];
const rows = sets.flatMap(({ clients, ...set }) =>
  Object.entries(clients).flatMap(([name, ask]) =>
    sets.filter(({ to }) => to !== set.to).map(({ to: from }) => ({ name, ask, from, ...set })),
  ),
);

/** What of an answer arrives in every protocol, whatever its losses: a text, and calls with their arguments. */
function essence({ content }: AssistantMessage) {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = content.flatMap((part: Part) => {
    if (part.type !== "toolCall") return [];
    const input = callArgumentsText(part);
    // An answer that ended at its limit may be cut in the middle of arguments; for Gemini, their text is wrapped in an object then.
    const whole = part.argumentsError === undefined ? JSON.parse(input || "{}") : input;
    return [{ id: part.id, name: part.name, input: whole._raw_arguments ?? whole }];
  });
  return { text, calls };
}

/**
 * The first versions of Anthropic's client take the tokens of the prompt from the head, and know neither reasoning nor details. Google's clients
 * have a list of the fields that they hand on.
 */
function asOld(message: AssistantMessage) {
  const { stopReason, rawStopReason, responseModel, usage } = message;
  return { ...essence(message), stopReason, rawStopReason, responseModel, output: usage.output };
}

/**
 * Google's client keeps the message of an end to itself, which is where a refusal stands; a completion of Chat has its calls apart from its
 * text.
 */
function heard(message: AssistantMessage, protocol: ProtocolId): readonly Part[] {
  const { content } = withoutWire(message);
  if (protocol === "gemini-generate-content") return content.filter(({ type }) => type !== "refusal");
  const isCall = ({ type }: Part): number => (type === "toolCall" ? 1 : 0);
  return protocol === "openai-chat" ? [...content].sort((left, right) => isCall(left) - isCall(right)) : content;
}

describeWithCorpus("recorded streams through the gateway", (folder) => {
  test.each(rows)("$name reads $from", { timeout: 120_000 }, async ({ name, ask, from, to, body, read }) => {
    let recording = "";
    const { url } = await start({ protocol: from, answer: (_request, response) => events(response, [recording]) });
    const [service, client] = await Promise.all([loadProtocol(from), loadProtocol(to)]);
    // Where the service tells no time, the gateway tells its own.
    const seen = (message: AssistantMessage) => {
      // The first helper for Responses knows no end but a complete one.
      if (name === "openai 4, responses") return essence(message);
      if (name.endsWith(" 0") || name.endsWith("genai 1")) return asOld(message);
      return { ...withoutWire(message), content: heard(message, to), timestamp: 0 };
    };
    let count = 0;
    for (const { name: file, text } of recordedStreams(folder, from)) {
      recording = text;
      const { value: source } = await service.decodeStream(text);
      if (source.error !== undefined) {
        await expect(ask(url, body, true), file).rejects.toThrow();
        continue;
      }
      const answer = await ask(url, body, true).catch((error: Error) => {
        throw new Error(`${file}: ${error.message}`);
      });
      const message = await read(client, answer);
      const stream = convertStream(text, { from, to });
      const { value: written } = await client.decodeStream(stream);
      expect(seen(message), file).toEqual(seen(written));
      expect(essence(message), file).toEqual(essence(source));
      count++;
    }
    expect(count).toBeGreaterThan(90);
  });
});
