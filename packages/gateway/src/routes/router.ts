import type { Engine } from "../engine.ts";
import { createError, sendError } from "../exchange/errors.ts";
import { generate } from "../exchange/generate.ts";
import { familyOf } from "../http/family.ts";
import { clientKey } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { createReport } from "../report/record.ts";
import { countTokens } from "./count-tokens.ts";
import { listModels } from "./models.ts";

type Route = (engine: Engine, call: Call) => Promise<unknown>;

const posts: { readonly [path: string]: Route | undefined } = {
  "/v1/chat/completions": (engine, call) => generate(engine, call, "openai-chat"),
  "/v1/messages": (engine, call) => generate(engine, call, "anthropic-messages"),
  "/v1/messages/count_tokens": countTokens,
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
};

const prefixes: readonly (readonly [string, Route])[] = [
  ["/rolecall/reports/", showReport],
  ["/v1/models/", listModels],
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
        familyOf(call),
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
  if (keys !== undefined && path !== "/health" && !keys.includes(clientKey(call.headers) ?? ""))
    return refuse(call, "authentication", "the gateway does not know this key");
  const isRead = method === "GET" || method === "HEAD";
  const own = method === "POST" ? posts : isRead ? gets : undefined;
  const found = own !== undefined && Object.hasOwn(own, path) ? own[path] : undefined;
  if (found !== undefined) return found(engine, call);
  const below = prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
  if (isRead && below !== undefined) return below(engine, call);
  const allow = Object.hasOwn(posts, path)
    ? "POST"
    : Object.hasOwn(gets, path) || below !== undefined
      ? "GET, HEAD"
      : undefined;
  return allow !== undefined
    ? refuse(call, "invalid_request", `${path.slice(0, 200)} does not take ${method}`, 405, { allow })
    : refuse(call, "not_found", `no such path: ${method} ${path.slice(0, 200)}`);
}

function refuse(
  call: Call,
  kind: "authentication" | "invalid_request" | "not_found",
  message: string,
  status?: number,
  headers: { readonly [name: string]: string } = {},
) {
  return sendError(call.sink, familyOf(call), createError(kind, message, status), headers);
}

async function showReport(engine: Engine, call: Call): Promise<void> {
  const record = engine.reports.get(call.path.slice("/rolecall/reports/".length));
  if (record === undefined) await refuse(call, "not_found", "no such report; only the latest are kept");
  else sendJson(call.sink, 200, createReport(record));
}
