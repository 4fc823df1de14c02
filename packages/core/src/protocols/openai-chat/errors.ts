import type { StatedError } from "../../codec/errors/envelope.ts";
import { statedAtTop, statedBelow } from "../../codec/errors/envelope.ts";
import { decodeOpenAiError, encodeOpenAiError } from "../../codec/errors/openai.ts";
import type { Encoded, WireError } from "../../codec/protocol.ts";
import type { ProviderError } from "../../errors/index.ts";
import type { Exchange, Json } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";

export const decodeError: typeof decodeOpenAiError = decodeOpenAiError;

export const encodeError = (error: ProviderError, _exchange?: Exchange): Encoded<WireError> => encodeOpenAiError(error);

/** The error of a whole answer: the one that it states, or a reason to end that says that there is one. */
export function findError(answer: Json): StatedError | undefined {
  const stated = findStated(answer);
  if (stated !== undefined || !isJsonObject(answer)) return stated;
  const [choice] = Array.isArray(answer["choices"]) ? answer["choices"] : [];
  if (!isJsonObject(choice) || choice["finish_reason"] !== "error") return undefined;
  const { native_finish_reason: native } = choice;
  const message = `the model failed: ${typeof native === "string" ? native : "error"}`;
  return { body: { error: { message, type: "server_error" } }, at: "/choices/0/finish_reason" };
}

/** The error that an answer, or a chunk of one, states: at its top, or in its first candidate (OpenRouter). */
export function findStated(answer: Json): StatedError | undefined {
  if (!isJsonObject(answer)) return undefined;
  const top = statedAtTop(answer);
  if (top !== undefined || !Array.isArray(answer["choices"])) return top;
  const { choices } = answer;
  const position = choices.findIndex((choice) => isJsonObject(choice) && (choice["index"] ?? 0) === 0);
  const choice = choices[position];
  return isJsonObject(choice) ? statedBelow(choice, `/choices/${position}`) : undefined;
}

/** The error of an answer, or of a chunk, as the codecs of error bodies read it. */
export function readStated({ body, status }: StatedError): ProviderError {
  const isRefusal = isJsonObject(body["error"]) && body["error"]["type"] === "invalid_request_error";
  return decodeError(status ?? (isRefusal ? 400 : 0), {}, body);
}
