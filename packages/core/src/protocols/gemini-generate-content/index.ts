/** generateContent of Gemini, at Google AI (v1, v1beta) and Vertex AI. */
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

export const geminiGenerateContent: Protocol = {
  id: "gemini-generate-content",
  redundancy,
  profiles,
  // The first versions of @google/genai look for nothing but data, and call the rest an incomplete chunk.
  comments: false,
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
export { geminiGenerateContent as protocol };
