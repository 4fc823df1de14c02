import type { Transform } from "node:stream";
import type { UpstreamHeaders } from "./upstream.ts";
import { zlib } from "./zlib.ts";

/** Whether a body is a stream of events that can be read: one in an encoding that nobody knows cannot. */
export function isEventStream(headers: UpstreamHeaders): boolean {
  return /^text\/event-stream/i.test(String(headers["content-type"] ?? "")) && encodingOf(headers) === "identity";
}

function encodingOf(headers: UpstreamHeaders): string {
  const encoding = headers["content-encoding"];
  return encoding === undefined ? "identity" : String(encoding).trim().toLowerCase() || "identity";
}

/**
 * We ask for plain bodies; some servers compress anyway. Undefined for a body that is no stream of events: it is expanded as a whole, or passes
 * as it is.
 */
export function createExpander(headers: UpstreamHeaders): Transform | undefined {
  if (!/^text\/event-stream/i.test(String(headers["content-type"] ?? ""))) return undefined;
  const encoding = encodingOf(headers);
  if (encoding === "identity") return undefined;
  const { constants, createBrotliDecompress, createGunzip, createInflate } = zlib();
  // What is there already is an event that somebody waits for.
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip({ flush: constants.Z_SYNC_FLUSH });
    case "deflate":
      return createInflate({ flush: constants.Z_SYNC_FLUSH });
    case "br":
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** The headers of the body as it is when it was expanded. */
export function expandedHeaders(headers: UpstreamHeaders): UpstreamHeaders {
  const { "content-encoding": _encoding, "content-length": _length, ...others } = headers;
  return others;
}
