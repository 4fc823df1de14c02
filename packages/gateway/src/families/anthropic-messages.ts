import type { JsonObject, ModelEntry } from "@rolecall/core";
import { endpoints, isJsonObject } from "@rolecall/core";
import type { Family } from "./family.ts";
import { findEntry, readSize } from "./page.ts";
import { pick } from "./pick.ts";

const endpoint = endpoints["anthropic-messages"];

const writeOne = ({ id, created, name, raw }: ModelEntry): JsonObject => ({
  type: "model",
  id,
  display_name: name,
  created_at: new Date(created * 1000).toISOString().replace(".000Z", "Z"),
  ...raw,
});

/** https://platform.claude.com/docs/en/api/messages-count-tokens; what else a request says is refused there. */
const countKeys: readonly string[] = [
  ...["model", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "cache_control", "speed"],
];

/** https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessages: Family = {
  ...endpoint,
  forwarded: ["accept", "anthropic-version", "anthropic-beta", "idempotency-key", "x-client-request-id"],
  requestId: "request-id",
  vendor: "anthropic",
  overloaded: 529,
  limits: [["max_tokens"]],
  budget: { keys: ["thinking", "budget_tokens"], least: 1024, off: { type: "disabled" } },
  query: ["beta"],
  endingOf(_data, value) {
    if (!isJsonObject(value)) return undefined;
    const { type, delta, stop_reason: reason } = value;
    if (type === "message_stop") return "last";
    return typeof (isJsonObject(delta) ? delta["stop_reason"] : reason) === "string" ? "stop" : undefined;
  },
  withStatus(body, status) {
    const error = isJsonObject(body) ? body["error"] : undefined;
    const isTold = status !== 413 || !isJsonObject(body) || !isJsonObject(error);
    return isTold ? body : { ...body, error: { ...error, type: "request_too_large" } };
  },
  models: {
    ...endpoint.models,
    writeOne,
    write(models, query) {
      const size = readSize(query, "limit") ?? models.length;
      const after = findEntry(models, query, "after_id");
      const before = after === undefined ? findEntry(models, query, "before_id") : undefined;
      const start = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - size);
      const page = models.slice(start, before ?? start + size);
      return {
        data: page.map(writeOne),
        has_more: before === undefined ? start + size < models.length : start > 0,
        first_id: page[0]?.id ?? null,
        last_id: page.at(-1)?.id ?? null,
      };
    },
  },
  count: {
    path: () => "/v1/messages/count_tokens",
    counted: (body) => (Array.isArray(body["messages"]) ? body : undefined),
    missing: "messages: state the messages that shall be counted",
    ask: (request) => pick(request, countKeys),
    read: (answer) => answer["input_tokens"],
    write: (tokens) => ({ input_tokens: tokens }),
  },
};
