import type { WireRequest } from "../protocol.ts";

type Target = NonNullable<WireRequest["url"]>;

const modelPath =
  /\/((?:tunedModels|endpoints)\/[^/?#]+|models\/([^?#]+)):(?:(stream)?generateContent|countTokens)(?:\?([^#]*))?(?:#|$)/i;
/** Names of models that say themselves where the model stands. */
const standing = /^(?:models|tunedModels|endpoints|publishers|projects)\//;

/**
 * Model, stream and `alt` of a URL or its path, as in `/v1beta/models/{model}:streamGenerateContent?alt=sse`; undefined for other URLs. The
 * name of a model may hold slashes. What stands before it (version, project, location, publisher) is of the service that is asked.
 */
export function readModelPath(path: string): Target | undefined {
  const found = modelPath.exec(path);
  if (found === null) return undefined;
  const alt = new URLSearchParams(found[4] ?? "").get("alt");
  return {
    model: decoded(found[2] ?? (found[1] as string)),
    ...(found[3] !== undefined && { stream: true }),
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

/** The end of a URL for a request: `/models/{model}:generateContent`, or its like for a stream, which is one of server-sent events unless `alt` says otherwise. */
export function writeModelPath({ model = "", stream, alt }: Target): string {
  const place = standing.test(model)
    ? model.split("/").map(encodeURIComponent).join("/")
    : `models/${encodeURIComponent(model)}`;
  const method = stream === true ? "streamGenerateContent" : "generateContent";
  const query = alt ?? (stream === true ? "sse" : undefined);
  return `/${place}:${method}${query === undefined ? "" : `?alt=${encodeURIComponent(query)}`}`;
}
