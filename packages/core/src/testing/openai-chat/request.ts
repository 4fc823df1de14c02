import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { oneWord, shape } from "../shape.ts";
import { messages } from "./messages.ts";
import { settingFields } from "./settings.ts";
import { toolFields } from "./tools.ts";

/** Bodies of Chat Completions requests. */
export const requestBody: Arbitrary<JsonObject> = fc
  .tuple(shape({ model: oneWord("gpt-5.6", "o3"), messages }, settingFields, 9), toolFields)
  .map(([body, tools]) => ({ ...body, ...tools }));
