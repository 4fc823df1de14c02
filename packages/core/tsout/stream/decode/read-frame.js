import { checkDepth } from "../../codec/json/survey.js";
import { isJsonObject } from "../../ir/index.js";
/** A frame cannot nest deeper than its brackets allow, so short ones need no look. */
const shortFrame = 1024;
/** The JSON object of a frame, or undefined for anything else. Never throws. */
export function readFrame(data) {
    try {
        const value = JSON.parse(data);
        if (data.length > shortFrame)
            checkDepth(value);
        return isJsonObject(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=read-frame.js.map