import { inexactArguments } from "../../../codec/json/argument-text.js";
import { survey, wellFormed } from "../../../codec/json/survey.js";
import { readArguments } from "../../../ir/index.js";
import { lose } from "../../../loss/index.js";
/** Key under which argument text goes that is no JSON object. Nothing executes an object with this key alone. */
export const rawArgumentsKey = "_raw_arguments";
/** The input object of a call. Text that is no JSON object, or nests too deep to be sent, is never repaired: it goes as a marked object and is reported. */
export function encodeArguments(call, writer) {
    if (call.kind === "custom") {
        lose(writer.report, "tool.custom", call, "type");
        return { input: call.argumentsText ?? JSON.stringify(call.arguments) };
    }
    if (call.arguments !== undefined)
        return call.arguments;
    const text = call.argumentsText;
    const read = readArguments(text);
    const found = "value" in read ? survey(read.value, true) : undefined;
    if (found === undefined || "error" in read || found.tooDeep) {
        lose(writer.report, "tool_call.arguments", call, "arguments");
        return { [rawArgumentsKey]: text };
    }
    if (inexactArguments(text, read.value, found))
        lose(writer.report, "tool_call.precision", call, "arguments");
    if (!found.halves || !text.includes("\\u"))
        return read.value;
    lose(writer.report, "text.lone_surrogate", call, "arguments");
    return wellFormed(read.value, () => { });
}
//# sourceMappingURL=calls.js.map