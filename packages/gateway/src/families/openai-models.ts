import type { JsonObject } from "@rolecall/core";
import type { ModelEntry, ModelLists } from "./family.ts";
import { readEntries } from "./read-entries.ts";

const writeOne = ({ id, created, owner, raw }: ModelEntry): JsonObject => ({
  id,
  object: "model",
  created,
  owned_by: owner,
  ...raw,
});

/** https://platform.openai.com/docs/api-reference/models. */
export const openaiModels: ModelLists = {
  path: "/models",
  read: (list) => readEntries(list["data"], ({ id }) => id),
  writeOne,
  write: (models) => ({ object: "list", data: models.map(writeOne) }),
};
