import type { Json, ProtocolId } from "@rolecall/core";
import { createSseParser, isJsonObject, valueAt } from "@rolecall/core";

/** A stream as its service sends it: Responses and Messages name each event, Chat tells its end. */
export function writeFrames(body: Json, protocol: ProtocolId): string {
  const events = valueAt(body, "/events");
  const isNamed = protocol === "openai-responses" || protocol === "anthropic-messages";
  const frames = (Array.isArray(events) ? (events as readonly Json[]) : []).map((frame) => {
    const type = isNamed && isJsonObject(frame) ? frame["type"] : undefined;
    return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(frame)}\n\n`;
  });
  return frames.join("") + (protocol === "openai-chat" ? "data: [DONE]\n\n" : "");
}

/** What the frames of a stream say, in their order. */
export function framesOf(text: string): Json {
  const parser = createSseParser();
  return [...parser.push(text), ...parser.finish()].map(({ event, data }) => [event ?? null, readData(data)]);
}

function readData(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
