/** Chat Completions of OpenAI, and of the servers that imitate it. */
import type { Protocol } from "../../codec/protocol.ts";
import { decodeError, encodeError } from "./errors.ts";
import { profiles } from "./profile.ts";
import { redundancy } from "./redundancy.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { decodeResponse, encodeResponse } from "./response.ts";

export { decodeError, decodeRequest, decodeResponse, encodeError, encodeRequest, encodeResponse, profiles, redundancy };

export const openaiChat: Protocol = {
  id: "openai-chat",
  redundancy,
  profiles,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
};
export { openaiChat as protocol };
