import type { AssistantMessage, Json, Part } from "@rolecall/core";
import { callArgumentsText, convertStream, loadProtocol, withoutWire } from "@rolecall/core";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { recordedStreams } from "../../../core/test/stream/recordings/recorded.ts";
import { events } from "../service.ts";
import { start } from "../start.ts";
import { anthropicClients, openaiClients } from "./sdk.ts";

const chat = "openai-chat" as const;
const anthropic = "anthropic-messages" as const;
const rows = [
  ...Object.entries(openaiClients).map(([name, ask]) => ({ name, ask, from: anthropic, to: chat })),
  ...Object.entries(anthropicClients).map(([name, ask]) => ({ name, ask, from: chat, to: anthropic })),
];
const body = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "q" }] };

/** What of an answer arrives in every protocol, whatever its losses: a text, and calls with their arguments. */
function essence({ content }: AssistantMessage) {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = content.flatMap((part: Part) => {
    if (part.type !== "toolCall") return [];
    const input = callArgumentsText(part);
    // An answer that ended at its limit may be cut in the middle of arguments.
    return [
      { id: part.id, name: part.name, input: part.argumentsError === undefined ? JSON.parse(input || "{}") : input },
    ];
  });
  return { text, calls };
}

/** The first versions of Anthropic's client take the tokens of the prompt from the head, and know neither reasoning nor details. */
function asOld(message: AssistantMessage) {
  const { stopReason, rawStopReason, responseModel, usage } = message;
  return { ...essence(message), stopReason, rawStopReason, responseModel, output: usage.output };
}

describeWithCorpus("recorded streams through the gateway", (folder) => {
  test.each(rows)("$name reads $from", { timeout: 120_000 }, async ({ name, ask, from, to }) => {
    let recording = "";
    const { url } = await start({ protocol: from, answer: (_request, response) => events(response, [recording]) });
    const [service, client] = await Promise.all([loadProtocol(from), loadProtocol(to)]);
    // Where the service tells no time, the gateway tells its own.
    const seen = (message: AssistantMessage) =>
      name.endsWith(" 0") ? asOld(message) : { ...withoutWire(message), timestamp: 0 };
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
      const message = client.decodeResponse(JSON.parse(JSON.stringify(answer)) as Json).value;
      const stream = convertStream(text, { from, to });
      const { value: written } = await client.decodeStream(stream);
      expect(seen(message), file).toEqual(seen(written));
      expect(essence(message), file).toEqual(essence(source));
      count++;
    }
    expect(count).toBeGreaterThan(100);
  });
});
