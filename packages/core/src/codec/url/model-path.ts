import type { WireRequest } from "../protocol.ts";

type Target = NonNullable<WireRequest["url"]>;

/** Model, stream and `alt` of a URL or its path, as in `/v1beta/models/{model}:streamGenerateContent?alt=sse`; undefined for other URLs. */
export function readModelPath(path: string): Target | undefined {
  const found = /\/models\/([^/?#]+):(stream)?generateContent(?:\?([^#]*))?(?:#|$)/i.exec(path);
  if (found === null) return undefined;
  const alt = new URLSearchParams(found[3] ?? "").get("alt");
  return {
    model: decoded(found[1] as string),
    ...(found[2] !== undefined && { stream: true }),
    ...(alt !== null && { alt }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The end of a URL for a request: `/models/{model}:generateContent`, or its like for a stream. */
export function writeModelPath({ model = "", stream, alt }: Target): string {
  const method = stream === true ? "streamGenerateContent" : "generateContent";
  const query = alt ?? (stream === true ? "sse" : undefined);
  return `/models/${encodeURIComponent(model)}:${method}${query === undefined ? "" : `?alt=${encodeURIComponent(query)}`}`;
}
