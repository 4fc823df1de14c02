import type { ProtocolId } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { convertErrorAnswer, createError, errorOf, sendError } from "../exchange/errors.ts";
import { familyOf } from "../http/family.ts";
import { clientKey, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { protocolOf } from "../protocols.ts";
import { scriptedModel } from "../scripted/message.ts";
import { sendWhole } from "../upstream/collect.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";

interface ModelEntry {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owner: string;
  readonly name: string;
}

/** `GET /v1/models` and `GET /v1/models/{id}`, in the shape of the family that asks. */
export async function listModels(engine: Engine, call: Call): Promise<void> {
  const family = familyOf(call);
  let models: readonly ModelEntry[];
  try {
    models = await readModels(engine, call, family);
  } catch (error) {
    await sendError(call.sink, family, errorOf(error, "answer"));
    return;
  }
  const id = decodeURIComponent(call.path.slice("/v1/models/".length).replace(/%(?![0-9a-f]{2})/gi, "%25"));
  if (id === "") {
    sendJson(call.sink, 200, family === "anthropic-messages" ? anthropicList(models) : openaiList(models));
    return;
  }
  const found = models.find((model) => model.id === id);
  if (found === undefined) await sendError(call.sink, family, createError("not_found", `no model has the name ${id}`));
  else sendJson(call.sink, 200, family === "anthropic-messages" ? anthropicModel(found) : openaiModel(found));
}

/** The names that the map gives, then what the service offers. A service without a list has only the former. */
async function readModels(engine: Engine, call: Call, family: ProtocolId): Promise<readonly ModelEntry[]> {
  const aliases = Object.keys(engine.settled.options.modelMap ?? {})
    .filter((name) => !name.includes("*"))
    .map((id) => ({ id, created: 0, owner: "rolecall", name: id }));
  const offered = engine.upstream === undefined ? [scriptedEntry] : await askService(engine, call, family);
  return [...aliases, ...offered.filter(({ id }) => !aliases.some((alias) => alias.id === id))];
}

const scriptedEntry: ModelEntry = {
  id: scriptedModel,
  created: 0,
  owner: "rolecall",
  name: "Scripted, no language model",
};

async function askService({ upstream, settled }: Engine, call: Call, family: ProtocolId): Promise<ModelEntry[]> {
  if (upstream === undefined) return [];
  const path = upstream.protocol === "anthropic-messages" ? "/v1/models?limit=1000" : "/models";
  const { "content-type": _type, ...headers } = upstreamHeaders(settled, call.headers, family);
  const answer = await sendWhole(upstream, { method: "GET", path, headers }, settled.limits.answer, (flow) => {
    call.sink.onAbort(() => flow.abort());
  });
  if (answer.status === 404 || answer.status === 405) return [];
  if (answer.status !== 200) {
    const [client, service] = await Promise.all([protocolOf(family), protocolOf(upstream.protocol)]);
    const refused = convertErrorAnswer(client, service, answer, [...settled.secrets, clientKey(call.headers)]);
    throw client.decodeError(refused.status, refused.headers, refused.body);
  }
  const list = readList(answer.body);
  const data = isJsonObject(list) && Array.isArray(list["data"]) ? list["data"] : [];
  return data.flatMap((entry: unknown) => {
    if (!isJsonObject(entry) || typeof entry["id"] !== "string") return [];
    const { id, created, created_at: createdAt, owned_by: owner, display_name: name } = entry;
    const time = typeof created === "number" ? created : Math.floor(Date.parse(String(createdAt)) / 1000);
    return {
      id,
      created: Number.isFinite(time) ? time : 0,
      owner: typeof owner === "string" ? owner : "service",
      name: typeof name === "string" ? name : id,
    };
  });
}

function readList(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new UpstreamFailure("answer", "its list of models is not JSON", cause);
  }
}

const openaiModel = ({ id, created, owner }: ModelEntry) => ({ id, object: "model", created, owned_by: owner });

function openaiList(models: readonly ModelEntry[]) {
  return { object: "list", data: models.map(openaiModel) };
}

const anthropicModel = ({ id, created, name }: ModelEntry) => ({
  type: "model",
  id,
  display_name: name,
  created_at: new Date(created * 1000).toISOString().replace(".000Z", "Z"),
});

function anthropicList(models: readonly ModelEntry[]) {
  return {
    data: models.map(anthropicModel),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}
