import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { createConverter, isJsonObject, loadProtocol } from "@rolecall/core";
import type { OpenExchange } from "../exchange/exchange.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { scriptedMessage, scriptedModel } from "./message.ts";

const headers = { "rolecall-model": scriptedModel };

/** Answers without a service: by rules, in the protocol of the client. */
export async function answerScripted(call: Call, from: ProtocolId, exchange: OpenExchange): Promise<void> {
  const protocol = await loadProtocol(from);
  const body = readBody(call, () => createConverter(protocol, protocol).convertRequest(call.body));
  const { value: conversation } = protocol.decodeRequest({ body });
  exchange.requestLosses([], body);
  const { model, stream } = conversation.settings;
  if (model !== undefined) exchange.record.model = model;
  exchange.record.sentModel = scriptedModel;
  exchange.record.stream = stream === true;
  exchange.record.status = 200;
  const message = scriptedMessage(conversation, body, from, exchange.record.id.slice(3));
  const { value } = protocol.encodeResponse(message, { from, to: from });
  exchange.firstByte();
  sendJson(call.sink, 200, value, { ...headers, ...exchange.headers() });
  exchange.finish("complete");
}

function readBody(call: Call, fail: () => unknown): JsonObject {
  let body: Json | undefined;
  try {
    body = JSON.parse(call.body.toString("utf8")) as Json;
  } catch {
    fail();
  }
  return isJsonObject(body) ? body : {};
}
