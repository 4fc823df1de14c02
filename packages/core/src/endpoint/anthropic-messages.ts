import type { Endpoint } from "./endpoint.ts";
import { readEntries } from "./read-entries.ts";

/** https://platform.claude.com/docs/en/api/messages, https://platform.claude.com/docs/en/api/models-list. */
export const anthropicMessages: Endpoint = {
  generatePath: () => "/v1/messages",
  // Its SDKs send the key as a bearer token since version 2026-10-21, and as `x-api-key` before.
  keyHeaders: (key, version) =>
    version !== undefined && version < "2026-10-21" ? { "x-api-key": key } : { authorization: `Bearer ${key}` },
  models: {
    path: "/v1/models?limit=1000",
    next: ({ has_more: more, last_id: last }) =>
      more === true && typeof last === "string"
        ? `/v1/models?limit=1000&after_id=${encodeURIComponent(last)}`
        : undefined,
    read: (list) => readEntries(list["data"], ({ id }) => id),
  },
};
