/** The Messages API of Anthropic, versions 2023-06-01 and 2026-10-21. */
import type { Protocol } from "../../codec/protocol.ts";
import { decodeError, encodeError } from "./errors.ts";
import { profiles } from "./profile.ts";
import { redundancy } from "./redundancy.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { decodeResponse, encodeResponse } from "./response.ts";

export { decodeError, decodeRequest, decodeResponse, encodeError, encodeRequest, encodeResponse, profiles, redundancy };

export const anthropicMessages: Protocol = {
  id: "anthropic-messages",
  redundancy,
  profiles,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
};
export { anthropicMessages as protocol };
