import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { oneWord, shape } from "../shape.ts";
import { count } from "../text.ts";
import { messages } from "./messages.ts";
import { settingFields } from "./settings.ts";
import { toolFields } from "./tools.ts";

/** Bodies of Messages requests. */
export const requestBody: Arbitrary<JsonObject> = fc
  .tuple(
    shape<JsonObject>(
      { model: oneWord("claude-opus-4-8", "claude-3-5-sonnet-20241022"), max_tokens: count, messages },
      settingFields,
      7,
    ),
    toolFields,
  )
  .map(([body, tools]) => ({ ...body, ...tools }));
