import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Flow, Upstream, UpstreamHeaders, UpstreamRequest } from "./upstream.ts";
import { UpstreamFailure } from "./upstream.ts";

export interface WholeAnswer {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly body: Buffer;
}

/** Headers with one value each. */
export function singleHeaders(headers: UpstreamHeaders): { readonly [name: string]: string } {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return single;
}

/** Gathers the pieces of a body. */
export interface Collector {
  /** Throws an UpstreamFailure for a body that is too large. */
  push(chunk: Buffer | undefined): void;
  /** As it was before the service compressed it. */
  body(headers: UpstreamHeaders): Buffer;
}

export function createCollector(limit: number): Collector {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push(chunk) {
      if (chunk === undefined) return;
      size += chunk.length;
      if (size > limit) throw new UpstreamFailure("answer", `its answer is larger than ${limit} bytes`);
      chunks.push(chunk);
    },
    body: (headers) =>
      expand(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), headers["content-encoding"], limit),
  };
}

/** We ask for plain bodies; some servers compress anyway. */
function expand(body: Buffer, encoding: string | string[] | undefined, limit: number): Buffer {
  const options = { maxOutputLength: limit };
  try {
    switch (
      String(encoding ?? "")
        .trim()
        .toLowerCase()
    ) {
      case "":
      case "identity":
        return body;
      case "gzip":
      case "x-gzip":
        return gunzipSync(body, options);
      case "deflate":
        return inflateSync(body, options);
      case "br":
        return brotliDecompressSync(body, options);
    }
  } catch (cause) {
    throw new UpstreamFailure("answer", "its answer cannot be decompressed", cause);
  }
  throw new UpstreamFailure("answer", "its answer has an unknown content-encoding");
}

/** Sends a request and gathers the whole answer. `onFlow` gets the means to give it up. */
export function sendWhole(
  upstream: Upstream,
  request: UpstreamRequest,
  limit: number,
  onFlow: (flow: Flow) => void,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(limit);
    let status = 0;
    let headers: UpstreamHeaders = {};
    const flow = upstream.send(request, {
      onHead(code, received) {
        status = code;
        headers = received;
      },
      onData(bytes) {
        flow.progress();
        collector.push(bytes);
        return true;
      },
      onEnd(rest) {
        collector.push(rest);
        resolve({ status, headers, body: collector.body(headers) });
      },
      onError: reject,
    });
    onFlow(flow);
  });
}
