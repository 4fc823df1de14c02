import type { Output } from "../environment.ts";
import type { Paint } from "../terminal/paint.ts";
import { paintOf } from "../terminal/paint.ts";
import { columnsOf, count, pad, shorten, shortenStart, visible } from "../terminal/text.ts";
import type { FilesAudit, UnreadFile } from "./audit-files.ts";
import type { Comparison, KnownFinding } from "./baseline.ts";
import type { FindingGroup, PairAudit } from "./findings.ts";

const MOST_NAMES = 5;

/** The audit as a person reads it: a line for each pair, its findings below. */
export function renderAudit({ pairs, unread }: FilesAudit, comparison: Comparison, output: Output): string {
  const paint = paintOf(output);
  const { columns } = output;
  const lines: string[] = [];
  for (const pair of pairs) {
    lines.push(pairLine(pair, comparison, paint));
    lines.push(...findingLines(pair, comparison, paint, columns));
    for (const { reason, count: times, file } of pair.refusals) {
      const [line, ...more] = withPlace(visible(`  refused  ×${times}  ${reason}`), visible(file), columns);
      lines.push(...[line, ...more].map(paint.dim));
    }
  }
  if (comparison.vanished.length > 0) lines.push(...vanishedLines(comparison.vanished, paint, columns));
  if (unread.length > 0) lines.push(...unreadLines(unread, paint, columns));
  return `${lines.join("\n")}\n`;
}

function pairLine(pair: PairAudit, { isKnown }: Comparison, paint: Paint): string {
  const fresh = pair.findings.filter((group) => !isKnown(group)).length;
  const known = pair.findings.length - fresh;
  const figures = [
    count(pair.bodies, "body", "bodies"),
    ...(pair.refused > 0 ? [`${pair.refused} refused`] : []),
    count(pair.leaves, "leaf", "leaves"),
    count(pair.probes, "probe"),
  ].join(" · ");
  const clean = pair.bodies === pair.refused ? paint.yellow("nothing measured") : paint.green("no findings");
  const verdict = fresh > 0 ? paint.red(count(fresh, "finding")) : clean;
  const name = paint.bold(`${pair.operation} ${pair.from} → ${pair.to}`);
  return `${name}   ${figures}   ${verdict}${known > 0 ? `, ${known} known` : ""}`;
}

function findingLines({ findings }: PairAudit, { isKnown }: Comparison, paint: Paint, columns: number): string[] {
  const shown = [...findings].sort((left, right) => Number(isKnown(left)) - Number(isKnown(right)));
  const label = (group: FindingGroup): string => (isKnown(group) ? `known: ${group.problem}` : group.problem);
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(columnsOf));
  const labelWidth = widest(shown.map(label));
  const countWidth = widest(shown.map((group) => `×${group.count}`));
  const placeWidth = Math.min(60, widest(shown.map(({ place }) => visible(place))));
  return shown.flatMap((group) => {
    const before = `  ${pad(label(group), labelWidth)}  ${pad(`×${group.count}`, countWidth)}  `;
    const first = visible(`${group.first.file}#${group.first.pointer}`);
    const room = columns - columnsOf(before);
    const place = pad(visible(group.place), Math.min(placeWidth, room));
    const [line, ...more] = withPlace(before + place, first, columns);
    if (isKnown(group)) return [line, ...more].map(paint.dim);
    return [paint.yellow(line.slice(0, before.length)) + line.slice(before.length), ...more.map(paint.dim)];
  });
}

/** A line with a place at its end, or below it where both do not fit. */
function withPlace(line: string, place: string, columns: number): [string, ...string[]] {
  const whole = `${line}  ${place}`;
  if (columnsOf(whole) <= columns) return [whole];
  return [shorten(line.trimEnd(), columns), `      ${shortenStart(place, columns - 6)}`];
}

function vanishedLines(vanished: readonly KnownFinding[], paint: Paint, columns: number): string[] {
  return [
    paint.bold(`${count(vanished.length, "known finding")} not found any more; write the baseline again`),
    ...vanished.map(({ operation, from, to, problem, place }) =>
      shorten(visible(`  ${problem}  ${place}  ${operation} ${from} → ${to}`), columns),
    ),
  ];
}

/** By reason, with the first names of each. */
function unreadLines(unread: readonly UnreadFile[], paint: Paint, columns: number): string[] {
  const reasons = new Map<string, string[]>();
  for (const { file, reason } of unread) reasons.set(reason, [...(reasons.get(reason) ?? []), file]);
  const lines = [...reasons].map(([reason, files]) => {
    const more = files.length > MOST_NAMES ? ", …" : "";
    return shorten(visible(`  ×${files.length}  ${reason}: ${files.slice(0, MOST_NAMES).join(", ")}${more}`), columns);
  });
  return [paint.bold(`${count(unread.length, "file")} without anything to audit`), ...lines];
}
