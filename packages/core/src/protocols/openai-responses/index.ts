/** Responses of OpenAI, and of the servers that keep to Open Responses. */
import type { Protocol } from "../../stream/protocol.ts";
import { decodeError, encodeError, findError } from "./errors.ts";
import { fieldPointer } from "./fields.ts";
import { profiles } from "./profile.ts";
import { redundancy } from "./redundancy.ts";
import { decodeRequest, echoOf, encodeRequest, history } from "./request.ts";
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

export const openaiResponses: Protocol = {
  id: "openai-responses",
  redundancy,
  profiles,
  fieldPointer,
  history,
  decodeRequest,
  encodeRequest,
  echoOf,
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
export { openaiResponses as protocol };
