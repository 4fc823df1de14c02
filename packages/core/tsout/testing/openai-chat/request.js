import fc from "fast-check";
import { oneWord, shape } from "../shape.js";
import { messages } from "./messages.js";
import { settingFields } from "./settings.js";
import { toolFields } from "./tools.js";
/** Bodies of Chat Completions requests. */
export const requestBody = fc
    .tuple(shape({ model: oneWord("gpt-5.6", "o3"), messages }, settingFields, 9), toolFields)
    .map(([body, tools]) => ({ ...body, ...tools }));
//# sourceMappingURL=request.js.map