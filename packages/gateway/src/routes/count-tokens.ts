import type { JsonObject, Protocol, ProtocolId, UrlTarget } from "@rolecall/core";
import { checkDepth, DecodeError, isJsonObject, ProviderError, RolecallError, readJsonBytes } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { convertErrorAnswer, createError, errorOf, sendError } from "../exchange/errors.ts";
import { refuseStored, sourceOf, wireOf } from "../exchange/prepare.ts";
import { readQuery, withQuery } from "../exchange/query.ts";
import type { TokenCount } from "../families/family.ts";
import { familyOf } from "../families/index.ts";
import { answerHeaders, clientKey, renameRequestId, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { replaceSpans, scanMembers } from "../model/scan.ts";
import { converterOf, protocolOf } from "../protocols.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { sendWhole } from "../upstream/collect.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import { estimateTokens } from "./estimate.ts";

/**
 * Counts the tokens of a prompt: the service is asked, in its own protocol, where that has such a question; otherwise they are estimated, and
 * the answer says so.
 */
export async function countTokens(engine: Engine, call: Call, from: ProtocolId): Promise<void> {
  const { count } = familyOf(from);
  const refuse = (message: string) => sendError(call.sink, from, createError("invalid_request", message));
  try {
    const body: unknown = readJsonBytes(call.body.whole());
    checkDepth(body);
    const counted = isJsonObject(body) ? count?.counted(body) : undefined;
    if (count === undefined || counted === undefined) await refuse(count?.missing ?? "nothing to count");
    else if (!(await askService(engine, call, from, count, counted)))
      sendJson(call.sink, 200, count.write(estimateTokens(counted)), { "rolecall-estimate": "tokens" });
  } catch (error) {
    const isAsked = error instanceof DecodeError || error instanceof ProviderError;
    await sendError(call.sink, from, errorOf(error, isAsked ? "request" : "answer"));
  }
}

/** False where the service does not count; servers that imitate a protocol often do not. */
async function askService(
  engine: Engine,
  call: Call,
  from: ProtocolId,
  count: TokenCount,
  counted: JsonObject,
): Promise<boolean> {
  const { upstream, settled } = engine;
  const service = upstream && familyOf(upstream.protocol).count;
  if (upstream === undefined || service === undefined) return false;
  const [own, other] = await Promise.all([protocolOf(from), protocolOf(upstream.protocol)]);
  const request =
    own === other ? sameRequest(engine, call, from, count) : convertedRequest(engine, call, own, other, counted);
  if (request === undefined) return false;
  const answer = await sendWhole(upstream, request, settled.limits.answer, (flow) => {
    call.sink.onAbort(() => flow.abort());
  });
  if (answer.status === 404 || answer.status === 405 || answer.status === 501) return false;
  const secrets = [...settled.secrets, clientKey(call)];
  if (answer.status < 200 || answer.status > 299) {
    const refused = convertErrorAnswer(own, other, answer, secrets);
    sendJson(call.sink, refused.status, refused.body, refused.headers);
    return true;
  }
  const headers = renameRequestId(answerHeaders(answer.headers, false, secrets), from);
  // Nobody can count with what is no count, the service's own client neither.
  const tokens = readTokens(service, answer);
  if (own === other) {
    call.sink.head(200, { ...headers, "content-type": "application/json" });
    call.sink.end(answer.body);
  } else sendJson(call.sink, 200, count.write(tokens), headers);
  return true;
}

function sameRequest({ settled, lookup }: Engine, call: Call, from: ProtocolId, count: TokenCount): UpstreamRequest {
  const asked = withModel(call, (model) => lookup(model).model);
  return {
    method: "POST",
    path: withQuery(count.path(asked.url), readQuery(call, familyOf(from))),
    headers: upstreamHeaders(settled, call, from),
    body: asked.body,
  };
}

/** The same question in the service's own terms; undefined where it cannot be put there. */
function convertedRequest(
  { settled, lookup, targetOf }: Engine,
  call: Call,
  client: Protocol,
  service: Protocol,
  counted: JsonObject,
): UpstreamRequest | undefined {
  const { count } = familyOf(service.id);
  if (count === undefined || settled.service === undefined) return undefined;
  // What an earlier answer said would not be counted.
  refuseStored(client, counted);
  const name = call.url === undefined ? counted["model"] : call.url.model;
  const target = typeof name === "string" ? lookup(name) : undefined;
  const body = target === undefined || call.url !== undefined ? counted : { ...counted, model: target.model };
  const url = call.url === undefined || target === undefined ? call.url : { ...call.url, model: target.model };
  try {
    const { value } = converterOf(client, service).convertRequest(wireOf(call, client, body, url), {
      source: sourceOf(call, client),
      target: targetOf(target),
    });
    if (!isJsonObject(value.body)) return undefined;
    const asked = count.ask(value.body, settled.service.url, value.url?.model);
    return {
      method: "POST",
      path: count.path(value.url),
      headers: upstreamHeaders(settled, call, client.id, value.headers),
      body: Buffer.from(JSON.stringify(asked)),
    };
  } catch (error) {
    // What would be refused is told when it is asked for an answer; until then a guess is of more use.
    if (error instanceof RolecallError && !(error instanceof DecodeError)) return undefined;
    throw error;
  }
}

function readTokens(count: TokenCount, { body }: WholeAnswer): number {
  try {
    const answer = readJsonBytes(body);
    const tokens = isJsonObject(answer) ? count.read(answer) : undefined;
    if (Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number;
  } catch (cause) {
    throw new UpstreamFailure("answer", "its count of tokens is not JSON", cause);
  }
  throw new UpstreamFailure("answer", "its answer holds no count of tokens");
}

const counted: ReadonlySet<string> = new Set(["model"]);

/** URL and body with the name that the service has for the model, wherever the client states it. */
function withModel(call: Call, rename: (model: string) => string): { readonly url?: UrlTarget; readonly body: Buffer } {
  const { url } = call;
  const body = call.body.whole();
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
