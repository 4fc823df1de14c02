import { setTimeout } from "node:timers/promises";
import type { AssistantMessage, Exchange, JsonObject, Protocol, ProtocolId, StreamFrame } from "@rolecall/core";
import { checkDepth, isJsonObject, messageEvents, readJsonBytes, writeSse } from "@rolecall/core";
import type { OpenExchange } from "../exchange/exchange.ts";
import { createFraming } from "../exchange/framing.ts";
import { refuseStored } from "../exchange/prepare.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { protocolOf } from "../protocols.ts";
import { scriptedMessage, scriptedModel } from "./message.ts";

const headers = { "rolecall-model": scriptedModel };

/** Answers without a service: by rules, in the protocol of the client. */
export async function answerScripted(call: Call, from: ProtocolId, exchange: OpenExchange): Promise<void> {
  call.sink.onAbort(() => exchange.finish("aborted"));
  const protocol = await protocolOf(from);
  if (call.sink.closed) return exchange.finish("aborted");
  const body = readBody(call);
  refuseStored(protocol, body);
  const { value: conversation } = protocol.decodeRequest(call.url === undefined ? { body } : { body, url: call.url });
  exchange.requestLosses([], body);
  const { model, stream, streamOptions } = conversation.settings;
  if (model !== undefined) exchange.record.model = model;
  exchange.record.sentModel = scriptedModel;
  exchange.record.stream = stream === true;
  exchange.record.status = 200;
  const message = scriptedMessage(conversation, body, from, exchange.record.id.slice(3));
  const terms: Exchange = {
    from,
    to: from,
    ...(stream !== undefined && { stream }),
    ...(streamOptions?.includeUsage !== undefined && { includeUsage: streamOptions.includeUsage }),
  };
  exchange.firstByte();
  if (stream === true) {
    await sendStream(call, protocol, message, terms, exchange);
    return;
  }
  const { value } = protocol.encodeResponse(message, terms);
  sendJson(call.sink, 200, value, { ...headers, ...exchange.headers() });
  exchange.finish("complete");
}

/** Characters of a delta: small, so that clients get to show that they stream. */
const PIECE = 12;

/** Milliseconds between two events: enough to see them come. */
const PAUSE = 5;

async function sendStream(
  { sink, url }: Call,
  protocol: Protocol,
  message: AssistantMessage,
  terms: Exchange,
  exchange: OpenExchange,
): Promise<void> {
  const framing = createFraming(url);
  sink.head(200, { ...framing.headers, ...headers, ...exchange.headers() });
  const encoder = protocol.createStreamEncoder(terms);
  const write = (frames: readonly StreamFrame[]) => {
    for (const frame of frames) sink.write(framing.push(writeSse(frame)));
  };
  for (const event of messageEvents(message, PIECE)) {
    if (sink.closed) return;
    write(encoder.push([event]));
    if (event.type.endsWith("_delta")) await setTimeout(PAUSE);
  }
  write(encoder.finish());
  sink.end(framing.end(""));
  exchange.finish("complete");
}

function readBody({ body }: Call): JsonObject {
  const value = readJsonBytes(body.whole());
  checkDepth(value);
  return isJsonObject(value) ? value : {};
}
