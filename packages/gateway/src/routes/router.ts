import type { ProtocolId } from "@rolecall/core";
import { readModelPath } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { createError, sendError } from "../exchange/errors.ts";
import { generate } from "../exchange/generate.ts";
import { noBody } from "../http/body.ts";
import { clientProtocol, modelMethod } from "../http/client-protocol.ts";
import { clientKey } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { createReport } from "../report/record.ts";
import { countTokens } from "./count-tokens.ts";
import { listModels, showModel } from "./models.ts";
import { askStored, storedMethods } from "./stored-responses.ts";

type Route = (engine: Engine, call: Call) => Promise<unknown>;

const generateFor =
  (from: ProtocolId): Route =>
  (engine, call) =>
    generate(engine, call, from);
const countFor =
  (from: ProtocolId): Route =>
  (engine, call) =>
    countTokens(engine, call, from);

const posts: { readonly [path: string]: Route | undefined } = {
  "/v1/chat/completions": generateFor("openai-chat"),
  "/v1/responses": generateFor("openai-responses"),
  "/v1/responses/input_tokens": countFor("openai-responses"),
  "/v1/messages": generateFor("anthropic-messages"),
  "/v1/messages/count_tokens": countFor("anthropic-messages"),
};

/** What the path of a model at Gemini says behind its colon. */
const methods: { readonly [method: string]: Route | undefined } = {
  generateContent: generateFor("gemini-generate-content"),
  streamGenerateContent: generateFor("gemini-generate-content"),
  countTokens: countFor("gemini-generate-content"),
};

const gets: { readonly [path: string]: Route | undefined } = {
  "/health": async (engine, call) =>
    sendJson(call.sink, 200, { status: "ok", service: engine.settled.service?.protocol ?? "scripted" }),
  "/rolecall/reports": async (engine, call) =>
    sendJson(call.sink, 200, {
      reports: engine.reports.list().map((record) => {
        const { losses: _losses, ...rest } = createReport(record);
        return rest;
      }),
    }),
  "/v1/models": listModels,
  "/v1beta/models": listModels,
};

const prefixes: readonly (readonly [string, Route])[] = [
  ["/rolecall/reports/", showReport],
  ["/v1/models/", showModel],
  ["/v1beta/models/", showModel],
];

/** Answers one call, whatever it asks for. Never throws. */
export async function answerCall(engine: Engine, call: Call): Promise<void> {
  try {
    await route(engine, call);
  } catch (error) {
    if (call.sink.closed) return;
    engine.settled.options.log?.(`the gateway failed: ${error instanceof Error ? error.name : "unknown"}`);
    if (call.sink.started) call.sink.destroy();
    else
      await sendError(
        call.sink,
        clientProtocol(call),
        createError("server", "the gateway failed; this is a bug of Rolecall", 500),
      );
  }
}

function route(engine: Engine, call: Call): Promise<unknown> | undefined {
  const { method, path } = call;
  if (method === "HEAD" && path === "/") {
    call.sink.head(200, {});
    call.sink.end();
    return undefined;
  }
  const keys = engine.settled.options.clientKeys;
  if (keys !== undefined && path !== "/health" && !keys.includes(clientKey(call) ?? ""))
    return refuse(call, "authentication", "the gateway does not know this key");
  if (method === "GET" && call.headers["upgrade"] !== undefined)
    return refuse(call, "invalid_request", "the gateway speaks HTTP alone, no WebSocket", 426, { upgrade: "HTTP/1.1" });
  const isRead = method === "GET" || method === "HEAD";
  const own = method === "POST" ? posts : isRead ? gets : undefined;
  const found = entry(own, path);
  if (found !== undefined) return found(engine, call);
  const ofModel = entry(methods, modelMethod.exec(path)?.[1]);
  if (ofModel !== undefined && method === "POST") return askModel(engine, call, ofModel);
  const below = ofModel === undefined ? prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] : undefined;
  if (isRead && below !== undefined) return below(engine, call);
  const stored = Object.hasOwn(posts, path) ? undefined : storedMethods(path);
  if (stored?.some((known) => known === method) === true) return askStored(engine, call);
  if (stored !== undefined)
    return refuse(call, "invalid_request", `${path.slice(0, 200)} does not take ${method}`, 405, {
      allow: stored.join(", "),
    });
  const allow =
    ofModel !== undefined || Object.hasOwn(posts, path)
      ? "POST"
      : Object.hasOwn(gets, path) || below !== undefined
        ? "GET, HEAD"
        : undefined;
  return allow !== undefined
    ? refuse(call, "invalid_request", `${path.slice(0, 200)} does not take ${method}`, 405, { allow })
    : refuse(call, "not_found", `no such path: ${method} ${path.slice(0, 200)}`);
}

function entry(table: { readonly [key: string]: Route | undefined } | undefined, key = ""): Route | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Model, stream and form of a stream stand in the path. */
function askModel(engine: Engine, call: Call, ask: Route): Promise<unknown> {
  const url = readModelPath(call.path + call.query);
  if (url?.alt !== undefined && url.alt !== "sse" && url.alt !== "json")
    return refuse(call, "invalid_request", 'answers are given as "json" or "sse", no other "alt"');
  if (url === undefined) return ask(engine, call);
  const addressed = { ...call, url };
  // Only the one that is asked holds it.
  call.body = noBody;
  return ask(engine, addressed);
}

function refuse(
  call: Call,
  kind: "authentication" | "invalid_request" | "not_found",
  message: string,
  status?: number,
  headers: { readonly [name: string]: string } = {},
) {
  return sendError(call.sink, clientProtocol(call), createError(kind, message, status), headers);
}

/** Refuses a body that is larger than what is read. */
export function refuseSize(call: Call, limit: number): Promise<unknown> {
  const error = createError("invalid_request", `the body is larger than ${limit} bytes`, 413);
  return sendError(call.sink, clientProtocol(call), error);
}

async function showReport(engine: Engine, call: Call): Promise<void> {
  const record = engine.reports.get(call.path.slice("/rolecall/reports/".length));
  if (record === undefined) await refuse(call, "not_found", "no such report; only the latest are kept");
  else sendJson(call.sink, 200, createReport(record));
}
