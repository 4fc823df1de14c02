import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { Direction, Output } from "../direction.ts";
import { historyOf } from "../history.ts";
import { model, question } from "../samples.ts";
import { framesOf, writeFrames } from "../sse.ts";
import { leastAnswers } from "./answers.ts";
import type { Loopback } from "./loopback.ts";
import { post } from "./loopback.ts";

/** A gateway that is asked over HTTP: how a client of one protocol reaches a service of another. */
export interface GatewayRoute {
  readonly client: ProtocolId;
  readonly service: ProtocolId;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** How it wants models to be called. */
  readonly modelOf?: (name: string) => string;
}

/** The least requests, for answers. */
function questionOf(protocol: ProtocolId, stream: boolean): JsonObject {
  const messages = [{ role: "user", content: question }];
  if (protocol === "openai-responses") return { model, stream, input: messages };
  return { model, max_tokens: 2048, stream, messages };
}

/** The directions of one route: what the service receives, and what the client reads. */
export function routeDirections(loopback: Loopback, route: GatewayRoute): Direction[] {
  const { client, service, url, headers, modelOf = (name) => name } = route;
  const ask = async (body: Json): Promise<string> => {
    const named =
      isJsonObject(body) && typeof body["model"] === "string" ? { ...body, model: modelOf(body["model"]) } : body;
    const { status, text } = await post(url, JSON.stringify(named), headers);
    if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`);
    return text;
  };
  const request = async (body: Json): Promise<Output> => {
    const isStream = isJsonObject(body) && body["stream"] === true;
    if (isStream) loopback.answer(writeFrames({ events: [] }, service), "text/event-stream");
    else loopback.answer(JSON.stringify(leastAnswers[service]), "application/json");
    loopback.take();
    // What comes back is no matter here: it may fail for the empty stream.
    const failure = await ask(body).then(
      () => undefined,
      (error: unknown) => error,
    );
    const received = loopback.take();
    if (received === undefined) throw failure ?? new Error("the service was not asked");
    return { value: [received.path, JSON.parse(received.body) as Json] };
  };
  const forward = { from: client, to: service };
  const backward = { from: service, to: client };
  return [
    { operation: "request", ...forward, convert: request },
    { operation: "history", ...forward, convert: (answer) => request(historyOf(client, answer).body) },
    {
      operation: "response",
      ...backward,
      async convert(body) {
        loopback.answer(JSON.stringify(body), "application/json");
        return { value: JSON.parse(await ask(questionOf(client, false))) as Json };
      },
    },
    {
      operation: "stream",
      ...backward,
      async convert(body) {
        loopback.answer(writeFrames(body, service), "text/event-stream");
        return { value: framesOf(await ask(questionOf(client, true))) };
      },
    },
  ];
}
