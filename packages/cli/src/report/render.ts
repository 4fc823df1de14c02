import type { Loss, LossGroup, ProtocolId } from "@rolecall/core";
import { groupLosses } from "@rolecall/core";
import type { Output } from "../environment.ts";
import type { Paint } from "../terminal/paint.ts";
import { paintOf } from "../terminal/paint.ts";
import { columnsOf, count, pad, shorten, visible } from "../terminal/text.ts";
import { inBytes } from "./measure.ts";
import type { LossReport, News } from "./report.ts";
import type { Tally } from "./tally.ts";

/** A report beyond this many groups folds what only informs. */
const MOST_GROUPS = 8;
const WIDEST_CODE = 28;

export interface ReportView {
  readonly report: LossReport;
  /** What is new since the previous request; absent: everything is. */
  readonly news?: News;
  /** The size of what was converted, in words. */
  readonly size: string;
  readonly time?: Date;
  /** Folds nothing, and lists each loss with its place. */
  readonly verbose?: boolean;
}

/** The report as a person reads it, each line within the columns of the output. */
export function renderReport(view: ReportView, output: Output): string {
  const paint = paintOf(output);
  const { losses } = (view.news ?? view).report;
  const open = losses.filter(({ accepted }) => accepted === undefined);
  const { shown, folded } = fold(groupLosses(open), view.verbose === true);
  const lines = [headLine(view, open.length, paint, output.columns)];
  lines.push(...groupLines(shown, open, view.verbose === true, paint, output.columns));
  const footer = footerLine(folded, losses, paint, output.columns);
  if (footer !== "") lines.push(footer);
  return `${lines.join("\n")}\n`;
}

/** What the conversion of many bodies lost, within the columns of the output. */
export function renderTally(tally: Tally, to: ProtocolId, output: Output): string {
  const paint = paintOf(output);
  const { shown, folded } = fold(tally.groups(), false);
  const pair = `${[...tally.sources].join(", ") || "nothing"} → ${to}`;
  const lost =
    tally.losses === 0
      ? "no losses"
      : `${count(tally.losses, "loss", "losses")} in ${count(shown.length + folded.length, "group")}`;
  const head = shorten(`${pair}   ${count(tally.lines, "line")} · ${inBytes(tally.bytes)}   ${lost}`, output.columns);
  const lines = [head.replace(pair, paint.bold(pair)), ...groupLines(shown, [], false, paint, output.columns)];
  if (folded.length > 0) lines.push(shorten(`  + ${foldedWords(folded)}`, output.columns));
  return `${lines.join("\n")}\n`;
}

/** The groups of some losses alone, as a refusal shows them. */
export function renderGroups(losses: readonly Loss[], output: Output): string {
  return groupLines(groupLosses(losses), losses, false, paintOf(output), output.columns)
    .map((line) => `${line}\n`)
    .join("");
}

function headLine({ report, news, size, time }: ReportView, open: number, paint: Paint, columns: number): string {
  const clock = time === undefined ? "" : `${time.toTimeString().slice(0, 8)}  `;
  const pair = `${report.from} → ${report.to}`;
  const { summary } = (news ?? { report }).report;
  const figures: string[] = [];
  if (news === undefined && summary.total === 0) figures.push("no losses");
  else {
    const losses = count(
      summary.total,
      news === undefined ? "loss" : "new loss",
      news === undefined ? "losses" : "new losses",
    );
    figures.push(summary.total === 0 ? "no new losses" : `${losses} in ${count(summary.groups, "group")}`);
  }
  if (news !== undefined) figures.push(`${news.repeated.toLocaleString("en-US")} as before`);
  const end = figures.join(" · ");
  // The size gives way first: what was lost is what the line is for.
  const [whole, short] = [`${pair}   ${size}   ${end}`, `${pair}   ${end}`].map((words) => `${clock}${words}`);
  const line = columnsOf(whole ?? "") <= columns ? (whole ?? "") : shorten(short ?? "", columns);
  const painted = line.replace(pair, paint.bold(pair));
  return open > 0 || !line.endsWith(end) ? painted : painted.slice(0, -end.length) + paint.green(end);
}

/** Takes out of sight what only changes the form, and what only informs where there is too much. */
function fold(
  groups: readonly LossGroup[],
  verbose: boolean,
): { readonly shown: readonly LossGroup[]; readonly folded: readonly LossGroup[] } {
  if (verbose) return { shown: groups, folded: [] };
  const informs = (group: LossGroup): boolean => group.severity === "info";
  const shown = groups.filter((group) => !(informs(group) && group.effect === "form"));
  for (let index = shown.length - 1; index >= 0 && shown.length > MOST_GROUPS; index--) {
    const group = shown[index];
    if (group !== undefined && informs(group) && group.effect !== "safety" && group.effect !== "authority") {
      shown.splice(index, 1);
    }
  }
  return { shown, folded: groups.filter((group) => !shown.includes(group)) };
}

interface Widths {
  readonly effect: number;
  readonly code: number;
  readonly count: number;
}

function groupLines(
  groups: readonly LossGroup[],
  losses: readonly Loss[],
  verbose: boolean,
  paint: Paint,
  columns: number,
): string[] {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(columnsOf));
  const widths: Widths = {
    effect: widest(groups.map(({ effect }) => effect)),
    code: Math.min(WIDEST_CODE, widest(groups.map(({ code }) => visible(code)))),
    count: widest(groups.map(timesOf)),
  };
  return groups.flatMap((group) => {
    const own = losses.filter(({ code, to }) => code === group.code && to === group.to);
    const line = groupLine(group, kindsOf(own), widths, paint, columns);
    return verbose ? [line, ...own.map((loss) => lossLine(loss, group, paint, columns))] : [line];
  });
}

const timesOf = ({ count: times }: LossGroup): string => (times > 1 ? `×${times}` : "");

/** "3 approximated, 1 dropped" where not all losses of a group are of one kind. */
function kindsOf(losses: readonly Loss[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of losses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.size < 2) return "";
  return ` (${[...kinds].map(([kind, number]) => `${number} ${kind}`).join(", ")})`;
}

function groupLine(group: LossGroup, kinds: string, widths: Widths, paint: Paint, columns: number): string {
  const effect = pad(group.effect, widths.effect);
  const code = pad(shorten(visible(group.code), widths.code), widths.code);
  const times = timesOf(group);
  const before = 2 + widths.effect + 3 + widths.code + (widths.count > 0 ? 2 + widths.count : 0) + 2;
  const room = columns - before;
  if (room < 12) return shorten(`  ${effect} ${signOf(group)} ${code} ${times}`, columns).trimEnd();
  const first = visible(group.paths[0] ?? "");
  // Where both do not fit, the words keep the larger half.
  const detailRoom = Math.max(room - columnsOf(first) - 4, Math.ceil(room * 0.55));
  const words = shorten(visible(group.detail) + kinds, Math.min(detailRoom, room));
  const places = placesWithin(group, room - columnsOf(words) - 2);
  const sign = group.severity === "info" ? paint.dim("·") : severe(group, paint)("!");
  const counted = widths.count > 0 ? `  ${pad(times, widths.count)}` : "";
  const tail = places === "" ? "" : `  ${paint.dim(places)}`;
  return `  ${paint.cyan(effect)} ${sign} ${paint.bold(code)}${counted}  ${words}${tail}`.trimEnd();
}

const signOf = ({ severity }: LossGroup): string => (severity === "info" ? "·" : "!");
const severe = ({ severity }: LossGroup, paint: Paint): ((text: string) => string) =>
  severity === "error" ? paint.red : paint.yellow;

/** The first places of a group that fit, with `…` where there are more. */
function placesWithin({ paths, count: total }: LossGroup, room: number): string {
  const [first = "", ...others] = paths.map(visible);
  if (room < 8) return "";
  const reserve = total > 1 ? 2 : 0;
  let places = shorten(first, room - reserve);
  if (places !== first) return places;
  let listed = 1;
  for (const other of others) {
    if (columnsOf(places) + 1 + columnsOf(other) + reserve > room) break;
    places += ` ${other}`;
    listed++;
  }
  return listed < total ? `${places} …` : places;
}

function lossLine(loss: Loss, group: LossGroup, paint: Paint, columns: number): string {
  const place = loss.path === "" && loss.targetPath === undefined ? "(no place of its own)" : loss.path;
  const written = loss.targetPath === undefined ? "" : `→ ${loss.targetPath}`;
  const differing = loss.detail === group.detail ? "" : loss.detail;
  const words = [place, written, differing, loss.replacement ?? ""].filter((word) => word !== "").map(visible);
  return paint.dim(shorten(`      ${pad(loss.kind, 12)} ${words.join("  ")}`, columns));
}

function footerLine(folded: readonly LossGroup[], losses: readonly Loss[], paint: Paint, columns: number): string {
  if (losses.length === 0) return "";
  const parts: string[] = [];
  if (folded.length > 0) parts.push(`+ ${foldedWords(folded)}`);
  const accepted = acceptedWords(losses);
  if (accepted !== "") parts.push(accepted);
  const hint = "rolecall explain CODE";
  const words = shorten(["", ...parts].join("  ").trim(), columns - hint.length - 5);
  return words === "" ? `  ${paint.dim(shorten(hint, columns - 2))}` : `  ${words}   ${paint.dim(hint)}`;
}

/** "3 groups of form (12), 1 of cost (2)". */
function foldedWords(folded: readonly LossGroup[]): string {
  const effects = [...new Set(folded.map(({ effect }) => effect))].reverse();
  return effects
    .map((effect, index) => {
      const groups = folded.filter((group) => group.effect === effect);
      const total = groups.reduce((sum, group) => sum + group.count, 0);
      const number = index === 0 ? count(groups.length, "group") : String(groups.length);
      return `${number} of ${effect} (${total})`;
    })
    .join(", ");
}

function acceptedWords(losses: readonly Loss[]): string {
  const reasons = new Map<string, number>();
  for (const { accepted } of losses) {
    if (accepted !== undefined) reasons.set(accepted, (reasons.get(accepted) ?? 0) + 1);
  }
  if (reasons.size === 0) return "";
  return `accepted: ${[...reasons].map(([reason, number]) => `${number} by "${shorten(visible(reason), 40)}"`).join(", ")}`;
}
