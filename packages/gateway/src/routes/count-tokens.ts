import type { JsonObject } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { convertErrorAnswer, createError, errorOf, sendError } from "../exchange/errors.ts";
import { answerHeaders, clientKey, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { replaceSpans, scanMembers } from "../model/scan.ts";
import { protocolOf } from "../protocols.ts";
import { sendWhole } from "../upstream/collect.ts";
import { estimateTokens } from "./estimate.ts";

/** `POST /v1/messages/count_tokens`: a service that can count is asked; for others it is estimated, and the answer says so. */
export async function countTokens(engine: Engine, call: Call): Promise<void> {
  try {
    const body: unknown = JSON.parse(call.body.toString("utf8"));
    if (!isJsonObject(body) || !Array.isArray(body["messages"])) {
      await refuse(call, "messages: state the messages that shall be counted");
      return;
    }
    if (engine.upstream?.protocol === "anthropic-messages" && (await askService(engine, call, body))) return;
    sendJson(call.sink, 200, { input_tokens: estimateTokens(body) }, { "rolecall-estimate": "tokens" });
  } catch (error) {
    if (error instanceof SyntaxError) await refuse(call, "the body is not valid JSON");
    else await sendError(call.sink, "anthropic-messages", errorOf(error, "answer"));
  }
}

function refuse(call: Call, message: string) {
  return sendError(call.sink, "anthropic-messages", createError("invalid_request", message));
}

/** False where the service does not count; servers that imitate the protocol often do not. */
async function askService({ upstream, settled, lookup }: Engine, call: Call, body: JsonObject): Promise<boolean> {
  if (upstream === undefined) return false;
  const model = typeof body["model"] === "string" ? body["model"] : undefined;
  const target = model === undefined ? undefined : lookup(model).model;
  const span = scanMembers(call.body, new Set(["model"]))?.get("model");
  const changed = target !== undefined && target !== model && span !== undefined;
  const answer = await sendWhole(
    upstream,
    {
      method: "POST",
      path: `/v1/messages/count_tokens${call.query === "?beta=true" ? call.query : ""}`,
      headers: upstreamHeaders(settled, call.headers, "anthropic-messages"),
      body: changed ? replaceSpans(call.body, [[span, JSON.stringify(target)]]) : call.body,
    },
    settled.limits.answer,
    (flow) => call.sink.onAbort(() => flow.abort()),
  );
  if (answer.status === 404 || answer.status === 405 || answer.status === 501) return false;
  if (answer.status !== 200) {
    const protocol = await protocolOf("anthropic-messages");
    const refused = convertErrorAnswer(protocol, protocol, answer, [...settled.secrets, clientKey(call.headers)]);
    sendJson(call.sink, refused.status, refused.body, refused.headers);
    return true;
  }
  call.sink.head(200, { ...answerHeaders(answer.headers, false), "content-type": "application/json" });
  call.sink.end(answer.body);
  return true;
}
