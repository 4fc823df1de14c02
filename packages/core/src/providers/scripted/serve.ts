import { readModelPath } from "../../codec/url/model-path.ts";
import { loadProtocol } from "../../convert/load.ts";
import { ProviderError } from "../../errors/index.ts";
import type { AssistantMessage, Exchange, Json, ProtocolId } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Fetch, FetchInit, FetchResponse } from "../../models/index.ts";
import { wait } from "../../models/transport/wait.ts";
import { messageEvents } from "../../stream/encode/message-events.ts";
import type { Protocol, StreamFrame } from "../../stream/protocol.ts";
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

function requestOf(protocol: Protocol, address: string, { body, signal }: FetchInit, call: number): ScriptedRequest {
  const value = JSON.parse(body ?? "{}") as Json;
  const object = isJsonObject(value) ? value : {};
  const url = readModelPath(new URL(address).pathname + new URL(address).search);
  const { value: conversation } = protocol.decodeRequest({ body: object, ...(url !== undefined && { url }) });
  const { messages, settings } = conversation;
  return { api: protocol.id, model: settings.model ?? "scripted", messages, settings, body: object, call, signal };
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
    const texts = framesOf(protocol, message, exchange, answer).map(writeSse);
    return respond(200, "text/event-stream", streamOf(texts, answer, signal));
  }
  const { value } = protocol.encodeResponse(message, exchange);
  const body = JSON.stringify(value);
  if (answer.breaks === undefined && answer.delayMs === undefined) return respond(200, "application/json", body);
  // Of an answer that is no stream there is nothing before its break.
  const breaks =
    answer.breaks && ({ ...answer.breaks, after: 0, how: answer.breaks.how === "stall" ? "stall" : "cut" } as const);
  return respond(200, "application/json", streamOf([body], { ...answer, ...(breaks && { breaks }) }, signal));
}

/** All frames of an answer; those of one that ends in an error are cut off, and the error is told in the words of its protocol. */
function framesOf(
  protocol: Protocol,
  message: AssistantMessage,
  exchange: Exchange,
  { breaks, pieceLength = PIECE }: ScriptedAnswer,
): readonly StreamFrame[] {
  const encoder = protocol.createStreamEncoder(exchange);
  const frames: StreamFrame[] = [];
  const most = breaks?.how === "error" ? breaks.after : Number.POSITIVE_INFINITY;
  let at = 0;
  for (const event of messageEvents(message, pieceLength)) {
    if (frames.length >= most || (most !== Number.POSITIVE_INFINITY && event.type === "done")) {
      const { message: words = "the script says so", kind = "overloaded" } = breaks ?? {};
      const error = { message: words, kind, retryable: true };
      frames.push(...encoder.push([{ type: "error", at, path: "", error }]), ...encoder.finish());
      return frames;
    }
    at++;
    frames.push(...encoder.push([event]));
  }
  return [...frames, ...encoder.finish()];
}

function streamOf(
  texts: readonly string[],
  { breaks, delayMs = 0 }: ScriptedAnswer,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  // A break that would come behind the last frame comes before it: the answer does not come to its end.
  const end = breaks === undefined || breaks.how === "error" ? texts.length : Math.min(breaks.after, texts.length - 1);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = at < end ? texts[at++] : undefined;
      if (text !== undefined) {
        if (delayMs > 0) await wait(delayMs, signal);
        controller.enqueue(encoder.encode(text));
      } else if (end === texts.length) controller.close();
      else if (breaks?.how === "stall") await hang(signal);
      else controller.error(Object.assign(new Error("the script cut the connection"), { code: "ECONNRESET" }));
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
