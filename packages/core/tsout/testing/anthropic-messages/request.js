import fc from "fast-check";
import { few, maybe, mostly, oneWord, shape } from "../shape.js";
import { arbitraryText, count } from "../text.js";
import { textBlock } from "./content.js";
import { messages } from "./messages.js";
import { settingFields } from "./settings.js";
import { toolFields } from "./tools.js";
const system = mostly(arbitraryText(), few(textBlock, 3, 0));
/** Bodies of Messages requests. */
export const requestBody = fc
    .tuple(shape({ model: oneWord("claude-opus-4-8", "claude-3-5-sonnet-20241022"), max_tokens: count, messages }, settingFields, 9), maybe(system, 1), toolFields)
    .map(([body, instruction, tools]) => ({
    ...body,
    ...(instruction !== undefined && { system: instruction }),
    ...tools,
}));
//# sourceMappingURL=request.js.map