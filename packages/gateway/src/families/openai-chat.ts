import type { Family } from "./family.ts";
import { openaiModels } from "./openai-models.ts";

/** https://platform.openai.com/docs/api-reference/chat. */
export const openaiChat: Family = {
  generatePath: () => "/chat/completions",
  forwarded: ["accept", "idempotency-key", "openai-beta", "x-client-request-id"],
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  requestId: "x-request-id",
  vendor: "openai",
  overloaded: 503,
  limits: [["max_tokens"], ["max_completion_tokens"]],
  ending: /"finish_reason"\s*:\s*"|data:\s*\[DONE\]|"error"\s*:|event:\s*error|"object"\s*:\s*"error"/,
  lastWord: /^data: ?\[DONE\]\s*$/m,
  errorEvent: (body) => `data: ${JSON.stringify(body)}\n\n`,
  models: openaiModels,
};
