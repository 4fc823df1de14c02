import type { Json, Pointer } from "../ir/index.ts";
import { escapeSegment } from "../ir/index.ts";
import type { LossDraft } from "../loss/index.ts";
import { endOfNumber, endOfString, inexactArguments, isDigit, isInexact, keysSeen } from "./argument-text.ts";
import type { Survey } from "./survey.ts";
import { survey } from "./survey.ts";

/** Where a JSON text says more than the value that it reads as. */
export interface InexactPlace {
  readonly path: Pointer;
  /** `number`: a double cannot hold it. `key`: it stands twice in its object, and only the last value is left. */
  readonly what: "number" | "key";
}

/**
 * The places at which reading `text`, which is JSON, as `value` loses something. Nearly every text has none, which a quick look finds out; only
 * for the others the way to each place is followed. Of a value that is too deep to be converted nothing is said.
 */
export function inexactPlaces(text: string, value: Json): readonly InexactPlace[] {
  return surveyedPlaces(text, value, survey(value), keysSeen(text));
}

/** The same for a text and a value that have been looked at: `seen` is what `keysSeen` says of the text. */
export function surveyedPlaces(text: string, value: Json, found: Survey, seen: number): readonly InexactPlace[] {
  if (found.tooDeep || !inexactArguments(text, value, found, seen)) return [];
  return createScan(text).places();
}

/** What reading the text of a body lost before the body was there. It stands first in the report. */
export function inexactDrafts(places: readonly InexactPlace[], prefix = ""): LossDraft[] {
  return places.map(({ path, what }) => ({
    code: what === "number" ? "field.precision" : "field.repeated_key",
    stage: "decode",
    path: prefix + path,
  }));
}

/** An object or list that is open where the scan stands. `keys` says of an object how often each key was read. */
interface Open {
  readonly keys?: Map<string, number>;
  key: string;
  index: number;
}

function createScan(text: string): { places(): readonly InexactPlace[] } {
  const found: InexactPlace[] = [];
  const open: Open[] = [];
  let expectsKey = false;
  const note = (what: InexactPlace["what"]): void => {
    const segments = open.map(({ keys, key, index }) => `/${keys === undefined ? index : escapeSegment(key)}`);
    found.push({ path: segments.join(""), what });
  };
  const readKey = (quoted: string): void => {
    const top = open.at(-1);
    if (top?.keys === undefined) return;
    top.key = JSON.parse(quoted) as string;
    const count = (top.keys.get(top.key) ?? 0) + 1;
    top.keys.set(top.key, count);
    if (count === 2) note("key");
    expectsKey = false;
  };
  const step = (character: string | undefined): void => {
    if (character === "{") open.push({ keys: new Map(), key: "", index: 0 });
    else if (character === "[") open.push({ key: "", index: 0 });
    else if (character === "}" || character === "]") open.pop();
    if (character === "{") expectsKey = true;
    else if (character === "[" || character === "}" || character === "]") expectsKey = false;
    else if (character === ",") {
      const top = open.at(-1);
      if (top !== undefined) top.index++;
      expectsKey = top?.keys !== undefined;
    }
  };
  return {
    places() {
      for (let index = 0; index < text.length; index++) {
        const character = text[index];
        if (character === '"') {
          const end = endOfString(text, index);
          if (expectsKey) readKey(text.slice(index, end + 1));
          index = end;
        } else if (character === "-" || isDigit(text.charCodeAt(index))) {
          const end = endOfNumber(text, index);
          if (isInexact(text.slice(index, end))) note("number");
          index = end - 1;
        } else step(character);
      }
      return found;
    },
  };
}
