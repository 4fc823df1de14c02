import { escapeSegment } from "../../ir/index.js";
import { endOfNumber, endOfString, inexactArguments, isDigit, isInexact, keysSeen } from "./argument-text.js";
import { survey } from "./survey.js";
/**
 * The places at which reading `text`, which is JSON, as `value` loses something. Nearly every text has none, which a quick look finds out; only
 * for the others the way to each place is followed. Of a value that is too deep to be converted nothing is said.
 */
export function inexactPlaces(text, value) {
    return surveyedPlaces(text, value, survey(value), keysSeen(text));
}
/** The same for a text and a value that have been looked at: `seen` is what `keysSeen` says of the text. */
export function surveyedPlaces(text, value, found, seen) {
    if (found.tooDeep || !inexactArguments(text, value, found, seen))
        return [];
    return createScan(text).places();
}
function createScan(text) {
    const found = [];
    const open = [];
    let expectsKey = false;
    const note = (what) => {
        const segments = open.map(({ keys, key, index }) => `/${keys === undefined ? index : escapeSegment(key)}`);
        found.push({ path: segments.join(""), what });
    };
    const readKey = (quoted) => {
        const top = open.at(-1);
        if (top?.keys === undefined)
            return;
        top.key = JSON.parse(quoted);
        const count = (top.keys.get(top.key) ?? 0) + 1;
        top.keys.set(top.key, count);
        if (count === 2)
            note("key");
        expectsKey = false;
    };
    const step = (character) => {
        if (character === "{")
            open.push({ keys: new Map(), key: "", index: 0 });
        else if (character === "[")
            open.push({ key: "", index: 0 });
        else if (character === "}" || character === "]")
            open.pop();
        if (character === "{")
            expectsKey = true;
        else if (character === "[" || character === "}" || character === "]")
            expectsKey = false;
        else if (character === ",") {
            const top = open.at(-1);
            if (top !== undefined)
                top.index++;
            expectsKey = top?.keys !== undefined;
        }
    };
    return {
        places() {
            for (let index = 0; index < text.length; index++) {
                const character = text[index];
                if (character === '"') {
                    const end = endOfString(text, index);
                    if (expectsKey)
                        readKey(text.slice(index, end + 1));
                    index = end;
                }
                else if (character === "-" || isDigit(text.charCodeAt(index))) {
                    const end = endOfNumber(text, index);
                    if (isInexact(text.slice(index, end)))
                        note("number");
                    index = end - 1;
                }
                else
                    step(character);
            }
            return found;
        },
    };
}
//# sourceMappingURL=inexact.js.map