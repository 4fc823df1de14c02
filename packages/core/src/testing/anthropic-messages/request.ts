import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { few, maybe, mostly, oneWord, shape } from "../shape.ts";
import { arbitraryText, count } from "../text.ts";
import { textBlock } from "./content.ts";
import { messages } from "./messages.ts";
import { settingFields } from "./settings.ts";
import { toolFields } from "./tools.ts";

const system: Arbitrary<Json> = mostly<Json>(arbitraryText(), few(textBlock, 3, 0));

/** Bodies of Messages requests. */
export const requestBody: Arbitrary<JsonObject> = fc
  .tuple(
    shape<JsonObject>(
      { model: oneWord("claude-opus-4-8", "claude-3-5-sonnet-20241022"), max_tokens: count, messages },
      settingFields,
      9,
    ),
    maybe(system, 1),
    toolFields,
  )
  .map(([body, instruction, tools]) => ({
    ...body,
    ...(instruction !== undefined && { system: instruction }),
    ...tools,
  }));
