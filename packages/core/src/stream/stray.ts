import type { StatedError } from "../codec/errors/envelope.ts";
import type { Json } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { SseFrame, SseParser } from "./sse.ts";

/** So much of an answer that is no error is quoted. */
const quoted = 200;

type FindError = (answer: Json) => StatedError | undefined;

/**
 * What a parser read that is no frame, as a frame that says so. In place of a stream an error body or a page of a proxy tells why it came;
 * behind the frames only an error says anything.
 */
export function strayFrame(
  { stray, rest }: Pick<SseParser, "stray" | "rest">,
  findError: FindError,
): SseFrame | undefined {
  if (stray !== undefined) return inPlace(stray, findError);
  return rest?.startsWith("{") && isError(rest, findError) ? { event: "error", data: rest } : undefined;
}

function inPlace(text: string, findError: FindError): SseFrame {
  const value = read(text);
  if (value === undefined || (isJsonObject(value) && findError(value) !== undefined))
    return { event: "error", data: text };
  const begun = text.slice(0, quoted).replace(/\s+/g, " ");
  return { event: "error", data: `not a stream of server-sent events, but ${begun}` };
}

function isError(text: string, findError: FindError): boolean {
  const value = read(text);
  return isJsonObject(value) && findError(value) !== undefined;
}

/** Undefined for a text that is no JSON. */
function read(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
