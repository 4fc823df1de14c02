import type { Json, Loss, Pointer } from "@rolecall/core";
import { jsonEqual } from "@rolecall/core";
import { isDropped, lossesAt } from "../../packages/cli/src/audit/outcome.ts";
import type { Output } from "./direction.ts";

/** What became of a place. */
export type Fate = "survived" | "told" | "silent";

/** What came of a body: nothing where it was refused, in whatever words. */
export type Outcome = { readonly output: Output; readonly text: string } | undefined;

/** What came of one variant of a body, beside what came of the body itself. */
export function fateOf(
  base: NonNullable<Outcome>,
  outcome: Outcome,
  { pointer, token }: { readonly pointer: Pointer; readonly token?: string },
): Fate | "refused" {
  if (outcome === undefined) return "refused";
  const arrives = token === undefined ? outcome.text !== base.text : holds(outcome.output.value, token);
  if (arrives) return "survived";
  return isTold(base.output, outcome.output, pointer) ? "told" : "silent";
}

/** The best of what the changes of a place led to; what its removal led to, where every change was refused. Refused alone is told. */
export function combine(fates: readonly { readonly fate: Fate | "refused"; readonly isRemoval: boolean }[]): Fate {
  const accepted = fates.filter(({ fate }) => fate !== "refused");
  const changes = accepted.filter(({ isRemoval }) => !isRemoval);
  const counted = changes.length > 0 ? changes : accepted;
  return order.find((candidate) => counted.some(({ fate }) => fate === candidate)) ?? "told";
}

const order: readonly Fate[] = ["survived", "told", "silent"];

/**
 * A loss says that this place, or one around it, is dropped; or one names this very place or what stands in it, in whatever words; or the report says
 * something that it did not say of the body as it was. The whole body is no place.
 */
function isTold(base: Output, output: Output, pointer: Pointer): boolean {
  const before = lossesAt(base.losses ?? [], pointer);
  const after = lossesAt(output.losses ?? [], pointer);
  if (isDropped(before) || isDropped(after)) return true;
  const isNamed = ({ path }: Loss): boolean => path === pointer || path.startsWith(`${pointer}/`);
  if (output.losses?.some(isNamed) || base.losses?.some(isNamed)) return true;
  if (after.some(({ code }) => !before.some((loss) => loss.code === code))) return true;
  return (
    !jsonEqual(base.report ?? null, output.report ?? null) || !jsonEqual(base.warnings ?? [], output.warnings ?? [])
  );
}

/** True where a word stands in a text or a key, also where the text was cut into pieces. */
function holds(value: Json, word: string): boolean {
  return JSON.stringify(value).includes(word) || textsOf(value).join("").includes(word);
}

function textsOf(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
