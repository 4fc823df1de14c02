import type { Json, JsonObject, Loss } from "@rolecall/core";
import type { Place } from "./leaves.ts";
import { droppedAt, equalsOf, lossesAt, token } from "./leaves.ts";

/** What became of a body, also as text. */
export interface Conversion {
  readonly text: string;
  readonly value: Json;
  readonly losses: readonly Loss[];
}

/** Words that say what an object is; another word makes it another object. A cache mark of Chat says it with its mode. */
const discriminators: ReadonlySet<string> = new Set(["type", "role", "mode"]);

/** The target has one word for several values of the source, or a smaller range. */
const coarse: ReadonlySet<string> = new Set([
  "reasoning.budget",
  "setting.clamped",
  "stop.approximated",
  "usage.inconsistent",
]);

/** True where the report on the changed body says at the place, or above or below it, what it did not say before. */
function isTold(pointer: string, before: Conversion, after: Conversion): boolean {
  const key = ({ code, kind, path, detail }: Loss): string => `${code} ${kind} ${path} ${detail}`;
  const known = new Set(before.losses.map(key));
  const told = lossesAt(pointer, after.losses).filter((loss) => !known.has(key(loss)) || coarse.has(loss.code));
  return told.length > 0 || after.losses.some(({ path }) => path.startsWith(`${pointer}/`));
}

const named = (losses: readonly Loss[]): string => losses.map(({ code, path }) => `${code} at ${path}`).join(", ");

/** What is wrong where a leaf got another value: the change is lost, its text is lost, or what was told to be dropped arrives. */
export function changeFault(
  { path, pointer, value }: Place,
  before: Conversion,
  after: Conversion,
): string | undefined {
  const shows = before.text !== after.text;
  const dropped = droppedAt(pointer, before.losses);
  // One more does not show in a sum with a number beyond 2^53.
  if (!shows && path.includes("usage") && /\de\+\d|\d{17}/.test(before.text)) return undefined;
  if (!shows) return dropped.length > 0 || isTold(pointer, before, after) ? undefined : "silent change";
  const isWord = typeof value === "string" && value.trim() !== "";
  const isGone = isWord && !after.text.includes(token);
  if (isGone && lossesAt(pointer, [...before.losses, ...after.losses]).length === 0) return "text gone";
  // Something in the place of nothing is another thing.
  const isValue = value !== "" && typeof value !== "object";
  // A repetition that is changed is none any more, and a tool of another name no namesake.
  const isOther = ({ code }: Loss): boolean =>
    code === "field.repeated" || (code === "tool.duplicate" && path.at(-1) === "name");
  const alarms = dropped.filter((loss) => !isOther(loss));
  const isFalse = isValue && alarms.length > 0 && !discriminators.has(path.at(-1) ?? "");
  return isFalse ? `false alarm of ${named(alarms)}` : undefined;
}

/** What is wrong where a leaf is taken away. */
export function removalFault(body: JsonObject, leaf: Place, before: Conversion, after: Conversion): string | undefined {
  if (before.text !== after.text || isTold(leaf.pointer, before, after)) return undefined;
  const isDropped = equalsOf(body, leaf).some((pointer) => droppedAt(pointer, before.losses).length > 0);
  return isDropped ? undefined : "silent removal";
}

/** What is wrong where a key that no protocol knows stands at a place, with the token as its value. */
export function insertionFault(pointer: string, after: Conversion): string | undefined {
  const shows = after.text.includes(token);
  const dropped = droppedAt(pointer, after.losses);
  if (!shows && dropped.length === 0) return "silent insertion";
  return shows && dropped.length > 0 ? `false alarm of ${named(dropped)}` : undefined;
}
