import type { Exchange, Json } from "@rolecall/core";
import { createConverter, inexactPlaces } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { sendJson } from "../http/sink.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { sendWhole } from "../upstream/collect.ts";
import type { Flow, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { convertErrorAnswer, errorOf, isErrorBody } from "./errors.ts";

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
  context.exchange.firstByte();
  sendConverted(context, answer, exchange);
}

/** Sends a whole answer of the service in the client's terms, be it an error or not. */
export function sendConverted(
  context: ConvertContext,
  answer: WholeAnswer,
  exchange: Exchange | undefined,
  streamed = false,
): void {
  const { settled, call, client, service } = context;
  const value = answer.status < 300 ? readAnswer(answer.body) : undefined;
  if (value === undefined || isErrorBody(value)) {
    const refused = convertErrorAnswer(client, service, answer, context.exchange.secrets, exchange);
    context.exchange.record.status = refused.status;
    sendJson(call.sink, refused.status, refused.body, { ...refused.headers, ...context.exchange.headers() });
    context.exchange.finish("failed", { stage: "service", message: refused.message });
    return;
  }
  if (streamed) throw new UpstreamFailure("answer", "it was asked for a stream and answered without one");
  try {
    const { value: body, losses } = createConverter(client, service).convertResponse(value as object, {
      inexact: inexactPlaces(answer.body.toString("utf8"), value),
      ...(exchange !== undefined && { exchange }),
      ...(settled.options.onLoss !== undefined && { onLoss: settled.options.onLoss }),
      ...(settled.options.accept !== undefined && { accept: settled.options.accept }),
    });
    context.exchange.answerLosses(losses);
    context.exchange.record.status = 200;
    sendJson(call.sink, 200, body, {
      ...renameRequestId(answerHeaders(answer.headers, false), client.id),
      ...context.exchange.headers(),
    });
    context.exchange.finish("complete");
  } catch (error) {
    throw errorOf(error, "answer");
  }
}

/** Throws for a body that is no JSON: an answer that cannot be read is no answer. */
function readAnswer(body: Buffer): Json {
  if (body.length === 0) throw new UpstreamFailure("answer", "its answer is empty");
  try {
    return JSON.parse(body.toString("utf8")) as Json;
  } catch (cause) {
    throw new UpstreamFailure("answer", "its answer is not JSON", cause);
  }
}
