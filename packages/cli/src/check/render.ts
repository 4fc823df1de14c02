import type { Finding } from "@rolecall/core/check";
import type { Output } from "../environment.ts";
import type { Paint } from "../terminal/paint.ts";
import { paintOf } from "../terminal/paint.ts";
import { columnsOf, count, pad, shorten, shortenStart, visible } from "../terminal/text.ts";

/** What was found in one file. */
export interface FileFindings {
  readonly file: string;
  /** What it was checked as. */
  readonly protocol: string;
  readonly findings: readonly Finding[];
}

export const errorsIn = (findings: readonly Finding[]): number =>
  findings.filter(({ severity }) => severity === "error").length;

/** The findings of a file as a person reads them: one line that sums up, and below it one for each, with its source where asked for. */
export function renderFile({ file, protocol, findings }: FileFindings, verbose: boolean, output: Output): string {
  const paint = paintOf(output);
  const end = verdict(findings);
  const room = output.columns - columnsOf(protocol) - columnsOf(end) - 6;
  const head = `${paint.bold(shortenStart(visible(file), Math.max(12, room)))}   ${protocol}   ${painted(end, findings, paint)}`;
  return `${[head, ...findingLines(findings, verbose, output)].join("\n")}\n`;
}

/** "2 errors, 1 warning" */
function verdict(findings: readonly Finding[]): string {
  if (findings.length === 0) return "no findings";
  const errors = errorsIn(findings);
  const warnings = findings.length - errors;
  return [...(errors > 0 ? [count(errors, "error")] : []), ...(warnings > 0 ? [count(warnings, "warning")] : [])].join(
    ", ",
  );
}

function painted(text: string, findings: readonly Finding[], paint: Paint): string {
  if (findings.length === 0) return paint.green(text);
  return errorsIn(findings) > 0 ? paint.red(text) : paint.yellow(text);
}

/** A line for each finding: sign, rule, words, place. */
export function findingLines(findings: readonly Finding[], verbose: boolean, output: Output): string[] {
  const paint = paintOf(output);
  const width = Math.max(0, ...findings.map(({ rule }) => rule.length));
  return findings.flatMap((finding) => findingLine(finding, width, verbose, paint, output.columns));
}

function findingLine(
  { rule, severity, path, message, source }: Finding,
  width: number,
  verbose: boolean,
  paint: Paint,
  columns: number,
): string[] {
  const sign = severity === "error" ? paint.red("!") : paint.yellow("·");
  const before = width + 6;
  const room = columns - before;
  const place = visible(path === "" ? "(the whole)" : path);
  const words = visible(message);
  const label = `  ${sign} ${paint.bold(pad(rule, width))}  `;
  const fits = columnsOf(words) + 2 + columnsOf(place) <= room;
  const lines = fits
    ? [`${label}${words}  ${paint.dim(place)}`]
    : [`${label}${shorten(words, room)}`, `${" ".repeat(before)}${paint.dim(shortenStart(place, room))}`];
  return verbose ? [...lines, `${" ".repeat(before)}${paint.dim(shorten(visible(source), room))}`] : lines;
}
