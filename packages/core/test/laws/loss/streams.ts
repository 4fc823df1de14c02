import type { Json, JsonObject } from "@rolecall/core";
import { createSseParser, valueAt, writeSse } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { arbitraryResponseBody } from "@rolecall/core/testing";
import type fc from "fast-check";
import { attempt, converterOf } from "../conversion.ts";

/** A stream as losses count it: its frames that hold JSON, and below them what they say. */
export type Stream = JsonObject & { readonly events: readonly Json[] };

export function streamOf(text: string): Stream {
  const parser = createSseParser();
  const frames = [...parser.push(text), ...parser.finish()];
  return { events: frames.flatMap(({ data }) => (data === "[DONE]" ? [] : [JSON.parse(data) as Json])) };
}

export function textOf({ events }: Stream, protocol: BodyProtocol): string {
  const isNamed = protocol === "anthropic-messages";
  const frames = events.map((data) => {
    const event = valueAt(data, "/type");
    return writeSse({ data: JSON.stringify(data), ...(isNamed && typeof event === "string" && { event }) });
  });
  return frames.join("") + (isNamed ? "" : writeSse({ data: "[DONE]" }));
}

/** Streams as a server of the protocol writes them. */
export function streamsOf(protocol: BodyProtocol): fc.Arbitrary<Stream> {
  return arbitraryResponseBody(protocol)
    .map((body) => attempt(() => converterOf(protocol, protocol).streamResponse(body).value))
    .filter((result) => "value" in result)
    .map(({ value }) => streamOf(value))
    .filter(({ events }) => events.length > 0);
}
