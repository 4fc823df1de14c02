import type { ModelEntry, ProtocolId } from "@rolecall/core";
import { checkDepth, isJsonObject, readJsonBytes } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { convertErrorAnswer, createError, errorOf, sendError } from "../exchange/errors.ts";
import { familyOf } from "../families/index.ts";
import { clientProtocol } from "../http/client-protocol.ts";
import { clientKey, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { protocolOf } from "../protocols.ts";
import { scriptedModel } from "../scripted/message.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { sendWhole } from "../upstream/collect.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";

interface ModelList {
  readonly models: readonly ModelEntry[];
  /** The service has more, which were not read. */
  readonly isCut: boolean;
}

/** The list of models, in the shape of the family that asks. */
export async function listModels(engine: Engine, call: Call): Promise<void> {
  const client = clientProtocol(call);
  const list = await readModels(engine, call, client);
  if (list === undefined) return;
  try {
    const page = familyOf(client).models.write(list.models, new URLSearchParams(call.query));
    sendJson(call.sink, 200, page, list.isCut ? { "rolecall-models": `first ${MOST_PAGES} pages` } : {});
  } catch (error) {
    await sendError(call.sink, client, errorOf(error, "request"));
  }
}

/** One model of the list, by the name at the end of the path. */
export async function showModel(engine: Engine, call: Call): Promise<void> {
  const client = clientProtocol(call);
  const list = await readModels(engine, call, client);
  if (list === undefined) return;
  const name = call.path.slice(call.path.indexOf("/models/") + "/models/".length);
  const id = decodeName(name);
  const found = list.models.find((model) => model.id === id);
  const among = list.isCut ? ` on the first ${MOST_PAGES} pages of the service's list` : "";
  if (found === undefined)
    await sendError(call.sink, client, createError("not_found", `no model has the name ${id.slice(0, 200)}${among}`));
  else sendJson(call.sink, 200, familyOf(client).models.writeOne(found));
}

/** What is no UTF-8 stays as it is written. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    return name;
  }
}

/** The names that the map gives, then what the service offers. A service without a list has only the former; undefined where the client was told an error. */
async function readModels(engine: Engine, call: Call, client: ProtocolId): Promise<ModelList | undefined> {
  const aliases = Object.keys(engine.settled.options.modelMap ?? {})
    .filter((name) => !name.includes("*"))
    .map((id): ModelEntry => ({ id, created: 0, owner: "rolecall", name: id }));
  try {
    const scripted = { models: [scriptedEntry], isCut: false };
    const offered = engine.upstream === undefined ? scripted : await askService(engine, engine.upstream, call, client);
    const known = new Set(aliases.map(({ id }) => id));
    return { ...offered, models: [...aliases, ...offered.models.filter(({ id }) => !known.has(id))] };
  } catch (error) {
    await sendError(call.sink, client, errorOf(error, "answer"));
    return undefined;
  }
}

const scriptedEntry: ModelEntry = {
  id: scriptedModel,
  created: 0,
  owner: "rolecall",
  name: "Scripted, no language model",
};

async function askService({ settled }: Engine, upstream: Upstream, call: Call, client: ProtocolId): Promise<ModelList> {
  const { models } = familyOf(upstream.protocol);
  const { "content-type": _type, ...headers } = upstreamHeaders(settled, call, client);
  const entries = new Map<string, ModelEntry>();
  const read = new Set<string>();
  let path: string | undefined = models.path;
  // Pages that lead in a circle have no last one.
  while (path !== undefined && !read.has(path) && read.size < MOST_PAGES) {
    read.add(path);
    const answer: WholeAnswer = await sendWhole(
      upstream,
      { method: "GET", path, headers },
      settled.limits.answer,
      (flow) => call.sink.onAbort(() => flow.abort()),
    );
    if (answer.status === 404 || answer.status === 405) break;
    if (answer.status < 200 || answer.status > 299) {
      const [own, service] = await Promise.all([protocolOf(client), protocolOf(upstream.protocol)]);
      const refused = convertErrorAnswer(own, service, answer, [...settled.secrets, clientKey(call)]);
      throw own.decodeError(refused.status, refused.headers, refused.body);
    }
    const list = readList(answer.body);
    if (!isJsonObject(list)) break;
    for (const entry of models.read(list)) if (!entries.has(entry.id)) entries.set(entry.id, entry);
    path = models.next?.(list);
  }
  const isCut = path !== undefined && !read.has(path) && read.size === MOST_PAGES;
  if (isCut) settled.options.log?.(`the service lists models beyond ${MOST_PAGES} pages, which are not read`);
  const all = [...entries.values()];
  return { models: client === upstream.protocol ? all : all.map(({ raw: _raw, ...entry }) => entry), isCut };
}

/** Of how many pages a list is read at most. */
const MOST_PAGES = 100;

function readList(body: Buffer): unknown {
  try {
    const list = readJsonBytes(body);
    checkDepth(list);
    return list;
  } catch (cause) {
    throw new UpstreamFailure("answer", "its list of models is not JSON", cause);
  }
}
