import { endpoints, isJsonObject } from "@rolecall/core";
import type { Family } from "./family.ts";
import { openaiModels } from "./openai-models.ts";

/** https://platform.openai.com/docs/api-reference/chat. */
export const openaiChat: Family = {
  ...endpoints["openai-chat"],
  forwarded: ["accept", "idempotency-key", "openai-beta", "x-client-request-id"],
  requestId: "x-request-id",
  vendor: "openai",
  overloaded: 503,
  limits: [["max_tokens"], ["max_completion_tokens"]],
  // Of Azure: https://learn.microsoft.com/azure/ai-foundry/openai/reference.
  query: ["api-version"],
  endingOf(data, value) {
    if (data.trim() === "[DONE]") return "last";
    const choices = isJsonObject(value) ? value["choices"] : undefined;
    const isStopped = (choice: unknown) => isJsonObject(choice) && typeof choice["finish_reason"] === "string";
    return Array.isArray(choices) && choices.some(isStopped) ? "stop" : undefined;
  },
  models: openaiModels,
};
