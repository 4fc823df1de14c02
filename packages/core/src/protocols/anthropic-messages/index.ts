/** The Messages API of Anthropic, versions 2023-06-01 and 2026-10-21. */
import type { Protocol } from "../../stream/protocol.ts";
import { decodeError, encodeError, findError } from "./errors.ts";
import { fieldPointer } from "./fields.ts";
import { profiles } from "./profile.ts";
import { redundancy } from "./redundancy.ts";
import { decodeRequest, encodeRequest, history } from "./request.ts";
import { decodeResponse, encodeResponse } from "./response.ts";
import { createStreamDecoder, createStreamEncoder, decodeStream, encodeStream } from "./stream/index.ts";

export {
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  decodeRequest,
  decodeResponse,
  decodeStream,
  encodeError,
  encodeRequest,
  encodeResponse,
  encodeStream,
  findError,
  profiles,
  redundancy,
};

export const anthropicMessages: Protocol = {
  id: "anthropic-messages",
  redundancy,
  profiles,
  fieldPointer,
  history,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
  findError,
};
export { anthropicMessages as protocol };
