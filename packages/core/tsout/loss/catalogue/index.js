import { answers } from "./answers.js";
import { content } from "./content.js";
import { fields } from "./fields.js";
import { instructions } from "./instructions.js";
import { settings } from "./settings.js";
import { tools } from "./tools.js";
/** Every loss that Rolecall can report. Closed: a code that is not here does not compile. */
export const lossCatalogue = { ...content, ...instructions, ...tools, ...settings, ...answers, ...fields };
/** The definition of a code, or undefined for a text that is no code. */
export function lossDefinition(code) {
    const definitions = lossCatalogue;
    return Object.hasOwn(definitions, code) ? definitions[code] : undefined;
}
//# sourceMappingURL=index.js.map