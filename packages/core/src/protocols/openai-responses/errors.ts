import type { StatedError } from "../../codec/errors/envelope.ts";
import { statedAtTop, statedBelow } from "../../codec/errors/envelope.ts";
import { decodeOpenAiError, encodeOpenAiError } from "../../codec/errors/openai.ts";
import type { Encoded, WireError } from "../../codec/protocol.ts";
import type { ProviderError, ProviderErrorKind } from "../../errors/index.ts";
import type { Exchange, Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";

export const decodeError: typeof decodeOpenAiError = decodeOpenAiError;

export const encodeError = (error: ProviderError, _exchange?: Exchange): Encoded<WireError> => encodeOpenAiError(error);

/** The error of a whole answer: the one that a failed response states, or a body that is nothing but an error. */
export function findError(answer: Json): StatedError | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { error, status } = answer;
  const isResponse = answer["object"] === "response" || Array.isArray(answer["output"]);
  if (isResponse && isJsonObject(error)) return statedBelow(answer, "") ?? { body: { error }, at: "/error" };
  if (isResponse) return status === "failed" ? { body: { error: unexplained }, at: "/status" } : undefined;
  return statedAtTop(answer);
}

const unexplained: JsonObject = { message: "the model failed and gave no reason", type: "server_error" };

/** The error of an answer, or of an event, as the codecs of error bodies read it. */
export function readStated({ body, status }: StatedError): ProviderError {
  return decodeError(status ?? 0, {}, body);
}

/** The codes that the `error` of a response may have; others are no response's own. */
const responseCodes: { readonly [K in ProviderErrorKind]?: string } = {
  rate_limit: "rate_limit_exceeded",
  invalid_request: "invalid_prompt",
  context_length: "invalid_prompt",
};

/** The code under which a failed response tells its error. */
export function responseCode(kind: ProviderErrorKind, stated: string | undefined): string {
  return stated ?? responseCodes[kind] ?? "server_error";
}
