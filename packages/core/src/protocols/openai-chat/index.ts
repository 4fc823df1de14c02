/** Chat Completions of OpenAI, and of the servers that imitate it. */
import type { Protocol } from "../../stream/protocol.ts";
import { decodeError, encodeError } from "./errors.ts";
import { fieldPointer } from "./fields.ts";
import { profiles } from "./profile.ts";
import { redundancy } from "./redundancy.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { decodeResponse, encodeResponse } from "./response.ts";
import { createStreamDecoder, createStreamEncoder, decodeStream } from "./stream/index.ts";

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
  profiles,
  redundancy,
};

export const openaiChat: Protocol = {
  id: "openai-chat",
  redundancy,
  profiles,
  fieldPointer,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeStream,
  decodeError,
  encodeError,
};
export { openaiChat as protocol };
