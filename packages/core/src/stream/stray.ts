import type { StatedError } from "../codec/errors/envelope.ts";
import type { Json } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { SseFrame } from "./sse.ts";

/** So much of an answer that is no error is quoted. */
const quoted = 200;

/** What came in place of a stream, as a frame that says so: an error body or a page of a proxy tells why it came. */
export function strayFrame(text: string, findError: (answer: Json) => StatedError | undefined): SseFrame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { event: "error", data: text };
  }
  if (isJsonObject(value) && findError(value) !== undefined) return { event: "error", data: text };
  const begun = text.slice(0, quoted).replace(/\s+/g, " ");
  return { event: "error", data: `not a stream of server-sent events, but ${begun}` };
}
