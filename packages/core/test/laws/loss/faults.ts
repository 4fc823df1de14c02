import type { Json, JsonObject, Loss } from "@rolecall/core";
import type { Place } from "./leaves.ts";
import { droppedAt, equalsOf, lossesAt, token } from "./leaves.ts";

/** What became of a body, also as text. */
export interface Conversion {
  readonly text: string;
  readonly value: Json;
  readonly losses: readonly Loss[];
}

/** What says what an object is; another word makes it another object. A cache mark of Chat says it with its mode, a part of Gemini with `thought`. */
const discriminators: ReadonlySet<string> = new Set(["type", "role", "mode", "thought"]);

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

/** What is wrong where a leaf got another value: the change is lost, or its text is. */
export function changeFault(
  { path, pointer, value }: Place,
  before: Conversion,
  after: Conversion,
): string | undefined {
  if (before.text !== after.text) {
    const isGone = typeof value === "string" && value.trim() !== "" && !after.text.includes(token);
    const isSaid = lossesAt(pointer, [...before.losses, ...after.losses]).length > 0;
    return isGone && !isSaid ? "text gone" : undefined;
  }
  // One more does not show in a sum with a number beyond 2^53.
  if (path.includes("usage") && /\de\+\d|\d{17}/.test(before.text)) return undefined;
  const isDropped = droppedAt(pointer, before.losses).length > 0;
  return isDropped || isTold(pointer, before, after) ? undefined : "silent change";
}

/** A value in a schema decides about the whole of it. */
const decidedBySchema: ReadonlySet<string> = new Set(["format.unenforceable", "schema.unenforceable"]);

/** The losses that say that a leaf is dropped, where it may make no difference then. */
export function promises({ path, pointer, value }: Place, before: Conversion): Loss[] {
  // Something in the place of nothing is another thing.
  if (value === "" || typeof value === "object" || discriminators.has(path.at(-1) ?? "")) return [];
  return droppedAt(pointer, before.losses).filter(({ code }) => !decidedBySchema.has(code));
}

/**
 * What is wrong where a leaf was told to be dropped and got another value, which shows: the other value is told to be dropped as well, or the
 * leaf shows when it is taken away. Else its value decides whether it is dropped, as that of a temperature beside thinking does.
 */
export function falseAlarm(
  promised: readonly Loss[],
  before: Conversion,
  changed: Conversion,
  removed: Conversion | undefined,
): string | undefined {
  if (changed.text === before.text) return undefined;
  // More than there is contradicts the other counts, and that shows.
  if (changed.losses.some(({ code }) => code === "usage.inconsistent")) return undefined;
  const showsAnyway = removed !== undefined && removed.text !== before.text;
  const isBroken = ({ code, path }: Loss): boolean =>
    showsAnyway || changed.losses.some((loss) => loss.kind === "dropped" && loss.code === code && loss.path === path);
  return alarm(promised.filter(isBroken));
}

const alarm = (losses: readonly Loss[]): string | undefined =>
  losses.length === 0 ? undefined : `false alarm of ${named(losses)}`;

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
  return shows ? alarm(dropped) : undefined;
}
