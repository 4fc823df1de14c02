import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { oneWord, shape } from "../shape.ts";
import { input } from "./messages.ts";
import { settingFields } from "./settings.ts";
import { toolFields } from "./tools.ts";

/** Bodies of Responses requests. What names a stored conversation is left out: no other service can take it. */
export const requestBody: Arbitrary<JsonObject> = fc
  .tuple(shape({ model: oneWord("gpt-5.6", "o3"), input }, settingFields, 9), toolFields)
  .map(([body, tools]) => ({ ...body, ...tools }));
