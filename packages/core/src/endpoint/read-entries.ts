import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { ModelEntry } from "./endpoint.ts";

/** Unix seconds of the last time that a date can be written for. */
const LATEST = 8.64e12;

/** The entries of a list of models that have an id; what else they tell is read under the names that any vendor gives it. */
export function readEntries(list: Json | undefined, idOf: (entry: JsonObject) => Json | undefined): ModelEntry[] {
  return (Array.isArray(list) ? list : []).flatMap((raw: Json) => {
    const id = isJsonObject(raw) ? idOf(raw) : undefined;
    if (!isJsonObject(raw) || typeof id !== "string") return [];
    const { created, created_at: createdAt, owned_by: owner, display_name: shown, displayName } = raw;
    const time =
      typeof created === "number"
        ? created
        : Math.floor(Date.parse(typeof createdAt === "string" ? createdAt : "") / 1000);
    const name = shown ?? displayName;
    return {
      id,
      created: Math.abs(time) <= LATEST ? time : 0,
      owner: typeof owner === "string" ? owner : "service",
      name: typeof name === "string" ? name : id,
      raw,
    };
  });
}
