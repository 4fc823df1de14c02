import type { JsonObject, ModelEntry } from "@rolecall/core";
import { endpoints } from "@rolecall/core";
import type { ModelLists } from "./family.ts";

const writeOne = ({ id, created, owner, raw }: ModelEntry): JsonObject => ({
  id,
  object: "model",
  created,
  owned_by: owner,
  ...raw,
});

/** https://platform.openai.com/docs/api-reference/models. */
export const openaiModels: ModelLists = {
  ...endpoints["openai-chat"].models,
  writeOne,
  write: (models) => ({ object: "list", data: models.map(writeOne) }),
};
