import type { Converted, Exchange, Json, JsonObject, Protocol } from "@rolecall/core";
import { inexactPlaces } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { sendJson } from "../http/sink.ts";
import { converterOf } from "../protocols.ts";
import type { BodyForm } from "../upstream/body-form.ts";
import { formOfWhole } from "../upstream/body-form.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { sendWhole } from "../upstream/collect.ts";
import type { Flow, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { answerOptions } from "./context.ts";
import { convertErrorAnswer, errorOf } from "./errors.ts";
import { createFraming } from "./framing.ts";

/** Waits for the whole answer of the service, and sends it in the client's terms. */
export async function convertWholeAnswer(
  context: ConvertContext,
  request: UpstreamRequest,
  exchange: Exchange | undefined,
): Promise<void> {
  const { upstream, settled, call } = context;
  let flow: Flow | undefined;
  call.sink.onAbort(() => {
    flow?.abort();
    context.exchange.finish("aborted");
  });
  if (call.sink.closed) {
    context.exchange.finish("aborted");
    return;
  }
  const answer = await sendWhole(upstream, request, settled.limits.answer, (started) => {
    flow = started;
  });
  await sendConverted(context, answer, exchange);
}

/** Sends a whole answer of the service in the client's terms, be it an error or not: as a stream where the client asked for one. */
export async function sendConverted(
  context: ConvertContext,
  answer: WholeAnswer,
  asked: Exchange | undefined,
  streamed = false,
): Promise<void> {
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
    return;
  }
  try {
    const converted = convertAnswer(context, answer.body, text, value, asked, streamed);
    const { value: sent, losses } = "then" in converted ? await converted : converted;
    exchange.answerLosses(losses);
    exchange.record.status = 200;
    const headers = renameRequestId(answerHeaders(answer.headers, false, exchange.secrets), client.id);
    Object.assign(headers, exchange.headers());
    if (typeof sent === "string") {
      const framing = createFraming(call.url);
      call.sink.head(200, { ...headers, ...framing.headers });
      call.sink.end(framing.end(sent));
    } else sendJson(call.sink, 200, sent, headers);
    exchange.finish("complete");
  } catch (error) {
    exchange.refusedLosses(error);
    throw errorOf(error, "answer");
  }
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
  const options = answerOptions(settled, exchange);
  if (text === undefined || value === undefined) return converter.collectStream(body, options);
  const exact = { ...options, inexact: inexactPlaces(text, value) };
  return streamed
    ? converter.streamResponse(value as object, exact)
    : converter.convertResponse(value as object, exact);
}

/** Throws for a body that is no JSON: an answer that cannot be read is no answer. */
function readAnswer(text: string): Json {
  if (text === "") throw new UpstreamFailure("answer", "its answer is empty");
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new UpstreamFailure("answer", "its answer is not JSON", cause);
  }
}
