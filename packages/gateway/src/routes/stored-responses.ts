import type { Engine } from "../engine.ts";
import { convertErrorAnswer, createError, errorOf, sendError } from "../exchange/errors.ts";
import { createEventScrubber } from "../exchange/event-errors.ts";
import { OpenExchange } from "../exchange/exchange.ts";
import { failBeforeAnswer } from "../exchange/generate.ts";
import { passExchange } from "../exchange/pass.ts";
import { familyOf } from "../families/index.ts";
import { answerHeaders, clientKey, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { protocolOf } from "../protocols.ts";
import { sendWhole } from "../upstream/collect.ts";

const family = "openai-responses";

/** The path of a stored response, and what of it is asked for. No id leads to another path. */
const place = /^\/v1\/responses\/([\w-]{1,200})(\/input_items|\/cancel)?$/;

/** https://platform.openai.com/docs/api-reference/responses/get, and the pages after it. */
const parameters: ReadonlySet<string> = new Set([
  ...["include", "include[]", "include_obfuscation", "starting_after", "stream"],
  ...["after", "before", "limit", "order"],
  ...(familyOf(family).query ?? []),
]);

/** The methods that a path of a stored response takes; undefined for another path. */
export function storedMethods(path: string): readonly ("GET" | "POST" | "DELETE")[] | undefined {
  const found = place.exec(path);
  if (found === null) return undefined;
  return found[2] === "/cancel" ? ["POST"] : found[2] === "/input_items" ? ["GET"] : ["GET", "DELETE"];
}

/**
 * What is done with a stored response. The gateway has none, and says so as OpenAI does of one that it does not have. A service of Responses is
 * asked: it gets the ids of stored answers with requests as well.
 */
export async function askStored(engine: Engine, call: Call): Promise<void> {
  const { upstream, settled } = engine;
  const [, id = "", rest = ""] = place.exec(call.path) ?? [];
  if (upstream?.protocol !== family) {
    const message = `Response with id '${id}' not found: the gateway keeps nothing; answers come with the request that asks for them`;
    await sendError(call.sink, family, createError("not_found", message));
    return;
  }
  const query = new URLSearchParams(call.query);
  const unknown = [...query.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined) {
    const message = `Unknown parameter: '${unknown.slice(0, 100)}'`;
    await sendError(call.sink, family, createError("invalid_request", message));
    return;
  }
  const path = `/responses/${id}${rest}${call.query.length > 1 ? call.query : ""}`;
  if (call.method === "GET" && query.get("stream") === "true") {
    const exchange = new OpenExchange(engine, call, family);
    Object.assign(exchange.record, { stream: true, passed: true });
    try {
      await passExchange({ upstream, settled, call, exchange }, { path });
    } catch (error) {
      await failBeforeAnswer(call, family, exchange, error);
    }
    return;
  }
  try {
    await sendStored(engine, call, path);
  } catch (error) {
    await sendError(call.sink, family, errorOf(error, "answer"));
  }
}

async function sendStored({ upstream, settled }: Engine, call: Call, path: string): Promise<void> {
  if (upstream === undefined) return;
  const { "content-type": _type, ...headers } = upstreamHeaders(settled, call, family);
  const method = call.method as "GET" | "POST" | "DELETE";
  const answer = await sendWhole(upstream, { method, path, headers }, settled.limits.answer, (flow) => {
    call.sink.onAbort(() => flow.abort());
  });
  const secrets = [...settled.secrets, clientKey(call)];
  if (answer.status < 200 || answer.status >= 300) {
    const protocol = await protocolOf(family);
    const refused = convertErrorAnswer(protocol, protocol, answer, secrets);
    sendJson(call.sink, refused.status, refused.body, refused.headers);
    return;
  }
  // A response that failed is what was asked for, and no failure of this exchange.
  call.sink.head(200, { ...answerHeaders(answer.headers, false, secrets), "content-type": "application/json" });
  call.sink.end(createEventScrubber(secrets).bytes(answer.body));
}
