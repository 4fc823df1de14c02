import type { Endpoint } from "./endpoint.ts";
import { readEntries } from "./read-entries.ts";

/** https://platform.openai.com/docs/api-reference/chat, https://platform.openai.com/docs/api-reference/models. */
export const openaiChat: Endpoint = {
  generatePath: () => "/chat/completions",
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  models: {
    path: "/models",
    read: (list) => readEntries(list["data"], ({ id }) => id),
  },
};

/** https://platform.openai.com/docs/api-reference/responses. */
export const openaiResponses: Endpoint = {
  ...openaiChat,
  generatePath: () => "/responses",
  storedPath: (id) => `/responses/${encodeURIComponent(id)}`,
};
