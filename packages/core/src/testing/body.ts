import type { Arbitrary } from "fast-check";
import type { JsonObject } from "../ir/index.ts";
import { requestBody as anthropicRequest } from "./anthropic-messages/request.ts";
import { responseBody as anthropicResponse } from "./anthropic-messages/response.ts";
import { requestBody as geminiRequest } from "./gemini-generate-content/request.ts";
import { responseBody as geminiResponse } from "./gemini-generate-content/response.ts";
import { requestBody as chatRequest } from "./openai-chat/request.ts";
import { responseBody as chatResponse } from "./openai-chat/response.ts";
import { requestBody as responsesRequest } from "./openai-responses/request.ts";
import { responseBody as responsesResponse } from "./openai-responses/response.ts";

/** The protocols of which bodies can be made. */
export type BodyProtocol = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini-generate-content";

const requests: { readonly [P in BodyProtocol]: Arbitrary<JsonObject> } = {
  "openai-chat": chatRequest,
  "openai-responses": responsesRequest,
  "anthropic-messages": anthropicRequest,
  "gemini-generate-content": geminiRequest,
};
const responses: { readonly [P in BodyProtocol]: Arbitrary<JsonObject> } = {
  "openai-chat": chatResponse,
  "openai-responses": responsesResponse,
  "anthropic-messages": anthropicResponse,
  "gemini-generate-content": geminiResponse,
};

/**
 * Request bodies of a protocol: every documented field, role, block and tool, words that are not documented yet, odd texts, and now and then
 * calls without results or results without calls.
 */
export function arbitraryRequestBody(protocol: BodyProtocol): Arbitrary<JsonObject> {
  return requests[protocol];
}

/** Response bodies of a protocol: every documented field and block, several candidates, contradicting counts, words that are not documented yet. */
export function arbitraryResponseBody(protocol: BodyProtocol): Arbitrary<JsonObject> {
  return responses[protocol];
}
