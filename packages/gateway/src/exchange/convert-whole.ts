import type { Converted, Exchange, Json, JsonObject, Protocol } from "@rolecall/core";
import { inexactPlaces } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { sendJson } from "../http/sink.ts";
import { converterOf } from "../protocols.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { sendWhole } from "../upstream/collect.ts";
import type { Flow, UpstreamHeaders, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { answerOptions } from "./context.ts";
import { convertErrorAnswer, errorOf } from "./errors.ts";
import { createFraming } from "./framing.ts";

const OPEN_BRACE = 0x7b;

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
  const isStream = answer.status < 300 && !streamed && startsStream(answer.body, service);
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
    const headers = renameRequestId(answerHeaders(answer.headers, false), client.id);
    Object.assign(headers, exchange.headers());
    if (typeof sent === "string") {
      const framing = createFraming(call.url);
      call.sink.head(200, { ...headers, ...framing.headers });
      call.sink.end(framing.end(sent));
    } else sendJson(call.sink, 200, sent, headers);
    exchange.finish("complete");
  } catch (error) {
    throw errorOf(error, "answer");
  }
}

/** Whether a body begins as a list does in which a service of Gemini streams. */
export function startsList({ id }: Protocol, headers: UpstreamHeaders, body: Buffer): boolean {
  return (
    id === "gemini-generate-content" &&
    headers["content-encoding"] === undefined &&
    /^(?:\xef\xbb\xbf)?\s*\[\s*\{/.test(body.toString("latin1", 0, 100))
  );
}

/** Whether a body begins as a stream does, and no answer does. */
function startsStream(body: Buffer, service: Protocol): boolean {
  if (startsList(service, {}, body)) return true;
  return (
    body[0] !== OPEN_BRACE &&
    /^(?:\xef\xbb\xbf)?\s*(?::|(?:data|event|id|retry):)/.test(body.toString("latin1", 0, 100))
  );
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
