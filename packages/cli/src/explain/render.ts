import type { Loss, LossDefinition } from "@rolecall/core";
import { lossCatalogue, usualDetail } from "@rolecall/core";
import type { Output } from "../environment.ts";
import { paintOf } from "../terminal/paint.ts";
import { shorten, wrap } from "../terminal/text.ts";
import { areaOf, placesOf } from "./places.ts";

/** What each kind of loss means. */
const kinds: { readonly [K in Loss["kind"]]: string } = {
  dropped: "it does not reach the target",
  downgraded: "it arrives as something weaker",
  merged: "it arrives together with something else",
  approximated: "something close to it arrives",
  rewritten: "it arrives in other words that mean the same",
  synthesized: "it was not in the source; the target demands it",
  unverified: "it is sent, but nobody knows whether this server honours it",
};

const WIDEST_TEXT = 100;

/** A code with its definition, as `--json` prints it. */
export interface Explanation extends LossDefinition {
  readonly code: string;
  readonly area: string;
}

export function explanations(): Explanation[] {
  return Object.entries<LossDefinition>(lossCatalogue).map(([code, definition]) => ({
    code,
    area: areaOf(code),
    ...definition,
    detail: usualDetail(definition),
  }));
}

/** All codes, grouped by area in the order of the catalogue. */
export function renderCodes(output: Output): string {
  const paint = paintOf(output);
  const all = explanations();
  const widest = (key: "code" | "kind" | "effect"): number => Math.max(...all.map((entry) => entry[key].length));
  const [code, kind, effect] = [widest("code"), widest("kind"), widest("effect")];
  const room = output.columns - code - kind - effect - 10;
  const lines: string[] = [];
  for (const area of new Set(all.map((entry) => entry.area))) {
    lines.push(...(lines.length > 0 ? [""] : []), paint.bold(area));
    for (const entry of all.filter((candidate) => candidate.area === area)) {
      const sign = { error: paint.red("!"), warning: paint.yellow("!"), info: paint.dim("·") }[entry.severity];
      const columns = `${entry.kind.padEnd(kind)} ${paint.cyan(entry.effect.padEnd(effect))}`;
      const detail = room < 12 ? "" : `  ${paint.dim(shorten(entry.detail, room))}`;
      lines.push(`  ${sign} ${entry.code.padEnd(code)} ${columns}${detail}`.trimEnd());
    }
  }
  return `${lines.join("\n")}\n`;
}

/** One code: what it means, why it happens, where it may stand. */
export function renderCode({ code, kind, effect, severity, detail, explain }: Explanation, output: Output): string {
  const paint = paintOf(output);
  const columns = Math.max(20, Math.min(WIDEST_TEXT, output.columns) - 2);
  const known = placesOf(code);
  const width = Math.max(0, ...known.map(([protocol]) => protocol.length));
  const facts = [
    `kind      ${kind}: ${kinds[kind]}${kind === "synthesized" ? "" : " (a place may say otherwise)"}`,
    `effect    ${effect}`,
    `severity  ${severity}`,
  ];
  const lines = [
    paint.bold(code),
    ...wrap(detail, columns).map((line) => `  ${line}`),
    "",
    ...wrap(explain, columns).map((line) => `  ${line}`),
    "",
    ...facts.flatMap((fact) => hanging(fact, "severity  ".length, columns)).map((line) => `  ${line}`),
  ];
  if (known.length > 0) lines.push("", "  Places, or below them:");
  for (const [protocol, paths] of known) {
    const [first = "", ...others] = wrap(
      paths.map((path) => (path === "/**" ? "anywhere" : path)).join(" "),
      columns - width - 4,
    );
    lines.push(`    ${paint.cyan(protocol.padEnd(width))}  ${first}`);
    for (const other of others) lines.push(`    ${" ".repeat(width)}  ${other}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The text in lines; those after the first begin under the text behind its label. */
function hanging(text: string, label: number, columns: number): string[] {
  const [first = "", ...others] = wrap(text.slice(label), columns - label);
  return [text.slice(0, label) + first, ...others.map((line) => " ".repeat(label) + line)];
}
