import type { Json, Loss, Pointer } from "@rolecall/core";
import { jsonEqual, lossDefinition, pointerSegments } from "@rolecall/core";
import type { ContentKind, ContentReader } from "./content.ts";
import { isHome } from "./content.ts";
import { editAt } from "./edit.ts";
import type { Conversion, Outcome } from "./outcome.ts";
import { isDropped, lossesAt, pathsWith } from "./outcome.ts";

/** What can be wrong with a conversion. */
export type Problem =
  /** The change, removal or insertion shows nowhere, and no loss says so. */
  | "silent change"
  | "silent removal"
  | "silent insertion"
  /** Content is not in the output, and no loss says so. */
  | "content lost"
  /** Content is in the output, but where it is something else to a model, and no loss says so. */
  | "content misplaced"
  /** A loss says that something else became of it, but it makes no difference: it should say dropped. */
  | "wrong kind"
  /** A loss says that it is dropped, and it arrives. */
  | "false alarm"
  /** A conversion to the same protocol gives something else, or reports losses. */
  | "not the same"
  | "loss to itself"
  /** An error that is none of Rolecall's. */
  | "crash";

/** What a probe found: a problem, or how it was answered. */
export type Verdict = Problem | "shown" | "declared" | "refused";

const rank: { readonly [verdict: string]: number } = { shown: 0, declared: 1, refused: 2 };

/** True for a verdict that is a finding. */
export function isProblem(verdict: Verdict): verdict is Problem {
  return rank[verdict] === undefined;
}

/** The verdict on a leaf that was changed in several ways: the best, but a false alarm or a crash in any counts. */
export function combine(verdicts: readonly Verdict[]): Verdict {
  const grave = verdicts.find((verdict) => verdict === "false alarm" || verdict === "crash");
  if (grave !== undefined) return grave;
  const [best = "shown"] = [...verdicts].sort((left, right) => (rank[left] ?? 3) - (rank[right] ?? 3));
  return best;
}

/** One change of a body and what it should lead to. */
export interface Probe {
  readonly pointer: Pointer;
  readonly action: "change" | "removal" | "insertion";
  /** What the place is to a model, where it is content. */
  readonly content?: ContentKind;
  /** The word that the change put there. */
  readonly token?: string;
  /** The place only says what kind of object it stands in. */
  readonly isDiscriminator: boolean;
}

/** Judges what became of a probe on the way to another protocol. */
export function judge(probe: Probe, base: Conversion, outcome: Outcome, readTarget: ContentReader): Verdict {
  if (outcome.type === "refused") return "refused";
  if (outcome.type === "crashed") return "crash";
  const shows = outcome.text !== base.text;
  const losses = lossesAt(outcome.losses, probe.pointer);
  const wasDropped = isDropped(lossesAt(base.losses, probe.pointer));
  if (probe.action === "removal") {
    if (shows || wasDropped || isDropped(losses)) return "shown";
    return makesMore(outcome.losses, base.losses) ? "declared" : "silent removal";
  }
  const { token } = probe;
  const arrives = token === undefined ? wasDropped && shows : outcome.text.includes(token);
  if (isDropped(losses)) return arrives && !probe.isDiscriminator ? "false alarm" : "shown";
  // What was dropped and now is no loss any more, as a value that the target takes for granted, shows in the report.
  if (!shows && wasDropped) return "declared";
  if (!shows && losses.length > 0)
    return isNew(losses, lossesAt(base.losses, probe.pointer)) ? "declared" : "wrong kind";
  if (!shows) return probe.action === "insertion" ? "silent insertion" : "silent change";
  if (token === undefined || probe.content === undefined) return "shown";
  const isDeclared = losses.length > 0;
  if (!arrives) return isDeclared ? "declared" : "content lost";
  const kind = probe.content;
  const places = pathsWith(outcome.value, token);
  if (places.some((path) => isHome(kind, readTarget(outcome.value, path)))) return "shown";
  return isDeclared ? "declared" : "content misplaced";
}

/** True where the report says that something is made up which was stated before, even if it came out the same. */
function makesMore(losses: readonly Loss[], before: readonly Loss[]): boolean {
  const count = (list: readonly Loss[]): number => list.filter(({ kind }) => kind === "synthesized").length;
  return count(losses) > count(before);
}

/** True where the report tells the change: it names losses that the body as it was did not have there. */
function isNew(losses: readonly Loss[], before: readonly Loss[]): boolean {
  return losses.some(({ code }) => !before.some((loss) => loss.code === code));
}

/** Judges a conversion of a body to its own protocol: the same comes out, and nothing is reported but what the services would refuse. */
export function judgeSame(input: Json, beside: Json | undefined, outcome: Outcome): Verdict {
  if (outcome.type === "refused") return "refused";
  if (outcome.type === "crashed") return "crash";
  const mends = outcome.losses.filter(({ code }) => lossDefinition(code)?.mends === true);
  const rewritten = mends.filter(({ kind }) => kind !== "dropped");
  const isSame = jsonEqual(without(outcome.value, rewritten), without(input, mends));
  if (!isSame || !jsonEqual(outcome.beside ?? null, beside ?? null)) return "not the same";
  if (mends.length < outcome.losses.length) return "loss to itself";
  return mends.length > 0 ? "declared" : "shown";
}

/** The body without what losses name. */
function without(body: Json, losses: readonly Loss[]): Json {
  // From the end, so that the places before stay where they are.
  const paths = losses.map(({ path }) => pointerSegments(path)).sort(fromEnd);
  return paths.reduce((value, path) => editAt(value, path, () => undefined), body);
}

function fromEnd(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((segment, index) => segment !== right[index]);
  const [one = "", other = ""] = [left[at], right[at]];
  return other.localeCompare(one, "en", { numeric: true }) || right.length - left.length;
}
