import type { Converted, Exchange, Json, JsonObject, Protocol } from "@rolecall/core";
import { inexactPlaces } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { sendJson } from "../http/sink.ts";
import { converterOf } from "../protocols.ts";
import type { BodyForm } from "../upstream/body-form.ts";
import { formOfWhole } from "../upstream/body-form.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { answerOptions } from "./context.ts";
import { convertErrorAnswer, errorOf } from "./errors.ts";
import { createFraming } from "./framing.ts";

/** Sends a whole answer of the service in the client's terms, be it an error or not: as a stream where the client asked for one. */
export function sendConverted(
  context: ConvertContext,
  answer: WholeAnswer,
  asked: Exchange | undefined,
  streamed: boolean,
): Promise<void> | undefined {
  const { call, client, service, exchange } = context;
  exchange.firstByte();
  const isStream = answer.status < 300 && !streamed && isStreamed(formOfWhole(answer.body), service);
  const text = answer.status < 300 && !isStream ? answer.body.toString("utf8") : undefined;
  const value = text === undefined ? undefined : readAnswer(text);
  if (!isStream && (value === undefined || service.findError(value) !== undefined)) {
    const refused = convertErrorAnswer(client, service, answer, exchange.secrets, asked);
    exchange.record.status = refused.status;
    sendJson(call.sink, refused.status, refused.body, { ...refused.headers, ...exchange.headers() });
    exchange.finish("failed", { stage: "service", message: refused.message });
    return undefined;
  }
  const refuse = (error: unknown): never => {
    exchange.refusedLosses(error);
    throw errorOf(error, "answer");
  };
  try {
    const converted = convertAnswer(context, answer.body, text, value, asked, streamed);
    if ("then" in converted) return converted.then((value) => send(context, answer, value)).catch(refuse);
    send(context, answer, converted);
    return undefined;
  } catch (error) {
    return refuse(error);
  }
}

function send(
  { call, client, exchange }: ConvertContext,
  answer: WholeAnswer,
  { value, losses }: Converted<JsonObject | string>,
): void {
  exchange.answerLosses(losses);
  exchange.record.status = 200;
  const headers = renameRequestId(answerHeaders(answer.headers, false, exchange.secrets), client.id);
  headers["rolecall-losses"] = exchange.headers()["rolecall-losses"];
  if (typeof value === "string") {
    const framing = createFraming(call.url);
    call.sink.head(200, { ...headers, ...framing.headers });
    call.sink.end(framing.end(value));
  } else sendJson(call.sink, 200, value, headers);
  exchange.finish("complete");
}

/** Whether a body is a stream, though its headers say nothing of one: of events, or a list as services of Gemini give it. */
export function isStreamed(form: BodyForm, { id }: Protocol): boolean {
  return form === "events" || (id === "gemini-generate-content" && (form === "list" || form === "failed list"));
}

/** `value` is what `text` says; without it the body is a stream, though nobody asked for one. The result is text where it is a stream. */
function convertAnswer(
  { settled, client, service }: ConvertContext,
  body: Buffer,
  text: string | undefined,
  value: Json | undefined,
  exchange: Exchange | undefined,
  streamed: boolean,
): Converted<JsonObject | string> | Promise<Converted<JsonObject>> {
  const converter = converterOf(client, service);
  if (text === undefined || value === undefined) return converter.collectStream(body, answerOptions(settled, exchange));
  const options = answerOptions(settled, exchange, inexactPlaces(text, value));
  return streamed
    ? converter.streamResponse(value as object, options)
    : converter.convertResponse(value as object, options);
}

/** Throws for a body that is no JSON: an answer that cannot be read is no answer. */
function readAnswer(text: string): Json {
  if (text === "") throw new UpstreamFailure("answer", "its answer is empty");
  try {
    // The mark of an encoding is no part of what it encodes.
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text) as Json;
  } catch (cause) {
    throw new UpstreamFailure("answer", "its answer is not JSON", cause);
  }
}
