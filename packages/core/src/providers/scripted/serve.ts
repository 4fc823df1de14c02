import { readModelPath } from "../../codec/url/model-path.ts";
import { loadProtocol } from "../../convert/load.ts";
import { ProviderError } from "../../errors/index.ts";
import type { Exchange, Json, ProtocolId } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Fetch, FetchInit, FetchResponse } from "../../models/index.ts";
import { wait } from "../../models/transport/wait.ts";
import { messageEvents } from "../../stream/message-events.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { writeSse } from "../../stream/sse.ts";
import type { ScriptedAnswer, ScriptedRequest } from "./answer.ts";
import { scriptedMessage } from "./answer.ts";

/** What answers a request; a list is a scenario, of which each request gets the next. */
export type Script =
  | readonly ScriptedAnswer[]
  | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** Characters of a piece: few, so that whoever shows a stream gets to do so. */
const PIECE = 12;

/** A `fetch` that answers in the wire of a protocol as the script says, over no network. */
export function scriptedFetch(api: ProtocolId, script: Script, models: readonly string[]): Fetch {
  let calls = 0;
  return async (url, init) => {
    init.signal.throwIfAborted();
    const protocol = await loadProtocol(api);
    if (init.method === "GET") return respond(200, "application/json", JSON.stringify(listOf(models)));
    const request = requestOf(protocol, url, init, calls++);
    const answer = await answerOf(script, request);
    const isStream = request.settings.stream === true;
    return answer.error === undefined
      ? serve(protocol, answer, request, isStream, init.signal)
      : refuse(protocol, answer.error);
  };
}

function requestOf(protocol: Protocol, address: string, { body }: FetchInit, call: number): ScriptedRequest {
  const value = JSON.parse(body ?? "{}") as Json;
  const object = isJsonObject(value) ? value : {};
  const url = readModelPath(new URL(address).pathname + new URL(address).search);
  const { value: conversation } = protocol.decodeRequest({ body: object, ...(url !== undefined && { url }) });
  const { messages, settings } = conversation;
  return { api: protocol.id, model: settings.model ?? "scripted", messages, settings, body: object, call };
}

async function answerOf(script: Script, request: ScriptedRequest): Promise<ScriptedAnswer> {
  if (typeof script === "function") return script(request);
  const answer = script[request.call];
  if (answer !== undefined) return answer;
  const message = `the script has ${script.length} answers, and this is request ${request.call + 1}`;
  return { error: { status: 400, kind: "invalid_request", message } };
}

/** As services of OpenAI, Anthropic and Google list their models. */
function listOf(models: readonly string[]): Json {
  return {
    data: models.map((id) => ({ id, display_name: id })),
    models: models.map((id) => ({ name: `models/${id}` })),
  };
}

function respond(
  status: number,
  type: string,
  body: string | ReadableStream<Uint8Array>,
  more: { readonly [name: string]: string } = {},
): FetchResponse {
  return new Response(body, { status, headers: { "content-type": type, ...more } });
}

function refuse(
  protocol: Protocol,
  { status, message = "the script says so", kind, retryAfterMs, body }: NonNullable<ScriptedAnswer["error"]>,
): FetchResponse {
  const waits = retryAfterMs === undefined ? {} : { "retry-after-ms": String(retryAfterMs) };
  if (body !== undefined) return respond(status, "text/html", body, waits);
  const details = { status, kind: kind ?? "unknown", retryable: false };
  const { value } = protocol.encodeError(new ProviderError(message, details));
  return respond(status, "application/json", JSON.stringify(value.body), { ...value.headers, ...waits });
}

async function serve(
  protocol: Protocol,
  answer: ScriptedAnswer,
  request: ScriptedRequest,
  isStream: boolean,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const message = scriptedMessage(answer, request);
  const exchange: Exchange = { from: protocol.id, to: protocol.id, stream: isStream, includeUsage: true };
  if (isStream) {
    const encoder = protocol.createStreamEncoder(exchange);
    const frames = [...messageEvents(message, answer.pieceLength ?? PIECE)].flatMap((event) => encoder.push([event]));
    const texts = [...frames, ...encoder.finish()].map(writeSse);
    return respond(200, "text/event-stream", streamOf(protocol, texts, answer, signal));
  }
  const { value } = protocol.encodeResponse(message, exchange);
  const body = JSON.stringify(value);
  if (answer.breaks === undefined && answer.delayMs === undefined) return respond(200, "application/json", body);
  return respond(
    200,
    "application/json",
    streamOf(protocol, [body], { ...answer, ...(answer.breaks && { breaks: { ...answer.breaks, after: 0 } }) }, signal),
  );
}

function streamOf(
  protocol: Protocol,
  texts: readonly string[],
  { breaks, delayMs = 0 }: ScriptedAnswer,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (breaks !== undefined && at >= breaks.after) {
        if (breaks.how === "stall") return hang(signal);
        if (breaks.how === "error") {
          const error = new ProviderError(breaks.message ?? "the script says so", {
            kind: "overloaded",
            retryable: true,
          });
          const { value } = protocol.encodeError(error);
          controller.enqueue(encoder.encode(writeSse({ event: "error", data: JSON.stringify(value.body) })));
          controller.close();
          return;
        }
        controller.error(Object.assign(new Error("the script cut the connection"), { code: "ECONNRESET" }));
        return;
      }
      const text = texts[at++];
      if (text === undefined) {
        controller.close();
        return;
      }
      if (delayMs > 0) await wait(delayMs, signal);
      controller.enqueue(encoder.encode(text));
    },
  });
}

/** Until somebody gives up. */
function hang(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
