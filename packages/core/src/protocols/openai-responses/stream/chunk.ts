import type { Json, JsonObject } from "../../../ir/index.ts";
import type { StreamFailure } from "../../../stream/events.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import { responseCode } from "../errors.ts";

/** The number of the next event of a stream. */
export interface Counter {
  next: number;
}

/** An event under its name, with its number. */
export function frameOf(counter: Counter, type: string, fields: JsonObject): StreamFrame {
  return { event: type, data: JSON.stringify({ type, sequence_number: counter.next++, ...fields }) };
}

/** Where an event belongs. */
export interface ItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}

/** Most frames of a stream are these, so their JSON is not built anew each time. */
export function deltaFrame(
  counter: Counter,
  type: string,
  { item_id: id, output_index: output }: ItemPlace,
  text: string,
  more: string,
): StreamFrame {
  const data = `{"type":"${type}","sequence_number":${counter.next++},"item_id":${JSON.stringify(id)},"output_index":${output},${more}"delta":${JSON.stringify(text)}}`;
  return { event: type, data };
}

/** How a stream ends that failed: its error, and the response that it made of the answer. */
export function failureFrames(counter: Counter, failure: StreamFailure, response: JsonObject): readonly StreamFrame[] {
  const code = responseCode(failure.kind, failure.providerCode);
  const { message, param } = failure;
  const error = frameOf(counter, "error", { code, message, param: param ?? null });
  const failed: JsonObject = { ...response, status: "failed", error: { code, message }, incomplete_details: null };
  return [error, frameOf(counter, "response.failed", { response: failed })].map((frame) => ({
    ...frame,
    terminal: true as const,
  }));
}

/** A response as its stream begins with it. */
export function openingResponse(response: JsonObject): JsonObject {
  const { output_text: _text, ...rest } = response as { readonly [key: string]: Json };
  return { ...rest, status: "in_progress", incomplete_details: null, error: null, output: [], usage: null };
}
