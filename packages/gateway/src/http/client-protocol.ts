import type { ProtocolId } from "@rolecall/core";
import type { Call } from "./sink.ts";

/**
 * A path at Gemini that asks a model, at Vertex AI behind a project: the method stands behind a colon, which names of models may hold as well.
 */
export const modelMethod: RegExp =
  /^\/v1(?:alpha|beta)?\d*\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?(?:models|tunedModels|endpoints)\/.+:(generateContent|streamGenerateContent|countTokens)$/;

/** The protocol of a client, for the envelope of an error and the shape of a list: by the path, else by the headers that its SDKs send. */
export function clientProtocol({ path, query, headers }: Call): ProtocolId {
  if (path.startsWith("/v1/messages")) return "anthropic-messages";
  if (path.startsWith("/v1/chat/")) return "openai-chat";
  if (path.startsWith("/v1/responses")) return "openai-responses";
  if (/^\/v1(?:alpha|beta)\//.test(path) || modelMethod.test(path)) return "gemini-generate-content";
  if (headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined || hasKey(query))
    return "gemini-generate-content";
  return headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined
    ? "anthropic-messages"
    : "openai-chat";
}

/** Gemini alone takes a key in the query. */
function hasKey(query: string): boolean {
  return query !== "" && new URLSearchParams(query).has("key");
}
