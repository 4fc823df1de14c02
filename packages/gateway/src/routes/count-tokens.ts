import type { ProtocolId } from "@rolecall/core";
import { checkDepth, DecodeError, isJsonObject, readJsonBytes } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { convertErrorAnswer, createError, errorOf, sendError } from "../exchange/errors.ts";
import { readQuery, withQuery } from "../exchange/query.ts";
import type { TokenCount } from "../families/family.ts";
import { familyOf } from "../families/index.ts";
import { answerHeaders, clientKey, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { replaceSpans, scanMembers } from "../model/scan.ts";
import { protocolOf } from "../protocols.ts";
import { sendWhole } from "../upstream/collect.ts";
import { estimateTokens } from "./estimate.ts";

/** Counts the tokens of a prompt: a service of the client's protocol is asked; otherwise they are estimated, and the answer says so. */
export async function countTokens(engine: Engine, call: Call, from: ProtocolId): Promise<void> {
  const { count } = familyOf(from);
  const refuse = (message: string) => sendError(call.sink, from, createError("invalid_request", message));
  try {
    const body: unknown = readJsonBytes(call.body);
    checkDepth(body);
    const counted = isJsonObject(body) ? count?.counted(body) : undefined;
    if (count === undefined || counted === undefined) await refuse(count?.missing ?? "nothing to count");
    else if (!(await askService(engine, call, from, count)))
      sendJson(call.sink, 200, count.write(estimateTokens(counted)), { "rolecall-estimate": "tokens" });
  } catch (error) {
    await sendError(call.sink, from, errorOf(error, error instanceof DecodeError ? "request" : "answer"));
  }
}

/** False where the service does not count; servers that imitate a protocol often do not. */
async function askService(engine: Engine, call: Call, from: ProtocolId, count: TokenCount): Promise<boolean> {
  const { upstream, settled, lookup } = engine;
  if (upstream?.protocol !== from) return false;
  const asked = withModel(call, (model) => lookup(model).model);
  const answer = await sendWhole(
    upstream,
    {
      method: "POST",
      path: withQuery(count.path(asked.url), readQuery(call, familyOf(from))),
      headers: upstreamHeaders(settled, call, from),
      body: asked.body,
    },
    settled.limits.answer,
    (flow) => call.sink.onAbort(() => flow.abort()),
  );
  if (answer.status === 404 || answer.status === 405 || answer.status === 501) return false;
  const secrets = [...settled.secrets, clientKey(call)];
  if (answer.status !== 200) {
    const protocol = await protocolOf(from);
    const refused = convertErrorAnswer(protocol, protocol, answer, secrets);
    sendJson(call.sink, refused.status, refused.body, refused.headers);
    return true;
  }
  call.sink.head(200, { ...answerHeaders(answer.headers, false, secrets), "content-type": "application/json" });
  call.sink.end(answer.body);
  return true;
}

const counted: ReadonlySet<string> = new Set(["model"]);

/** URL and body with the name that the service has for the model, wherever the client states it. */
function withModel({ url, body }: Call, rename: (model: string) => string): Pick<Call, "url" | "body"> {
  const renamed = url?.model === undefined ? url : { ...url, model: rename(url.model) };
  const spans = scanMembers(body, counted);
  // As for a generation: the two sides could read it differently.
  if (spans === undefined) throw new DecodeError("", "the body states its model twice, or in escapes");
  const span = spans.get("model");
  if (url !== undefined || span === undefined) return { body, ...(renamed !== undefined && { url: renamed }) };
  const model: unknown = JSON.parse(body.toString("utf8", span.start, span.end));
  const name = typeof model === "string" ? rename(model) : model;
  return { body: name === model ? body : replaceSpans(body, [[span, JSON.stringify(name)]]) };
}
