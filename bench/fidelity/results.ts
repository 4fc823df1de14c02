import type { Concept } from "./concept.ts";
import type { Operation } from "./direction.ts";
import type { DirectionFigures, Tally } from "./measure.ts";

/** What a run measured: what the page is made from, and what `--json` prints. */
export interface Results {
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly seconds: number;
  readonly subjects: readonly SubjectFigures[];
}

export interface SubjectFigures {
  readonly id: string;
  readonly name: string;
  readonly versions: readonly string[];
  readonly figures: readonly DirectionFigures[];
}

/** Which directions of a converter are counted. */
export type Scope = (figures: DirectionFigures) => boolean;

export const isAcross = ({ from, to }: DirectionFigures): boolean => to !== "own" && from !== to;
export const isWithin = ({ from, to }: DirectionFigures): boolean => from === to;
export const isOf =
  (...operations: readonly Operation[]): Scope =>
  ({ operation, to }) =>
    to !== "own" && operations.includes(operation);

/** The sum over directions: what protocols document, or one concept. */
export function sumOf(figures: readonly DirectionFigures[], scope: Scope, concept?: Concept): Tally {
  const sum = { survived: 0, told: 0, silent: 0 };
  for (const direction of figures.filter(scope)) {
    for (const [name, tally] of Object.entries(direction.tallies)) {
      if (concept === undefined ? name === "unknown fields" : name !== concept) continue;
      sum.survived += tally.survived;
      sum.told += tally.told;
      sum.silent += tally.silent;
    }
  }
  return sum;
}

export const totalOf = ({ survived, told, silent }: Tally): number => survived + told + silent;

/** The directions of one converter that another one offers, too. */
export function sameAs(others: readonly DirectionFigures[]): Scope {
  const keys = new Set(others.map(keyOf));
  return (figures) => keys.has(keyOf(figures));
}

export const keyOf = ({ operation, from, to }: Pick<DirectionFigures, "operation" | "from" | "to">): string =>
  `${operation} ${from} ${to}`;

/** A share in percent; what is not nothing is not called 0. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "–";
  if (part === 0) return "0 %";
  const share = (100 * part) / whole;
  if (share < 0.1) return "< 0.1 %";
  if (share < 0.95) return `${share.toFixed(1)} %`;
  if (share > 99.9 && part < whole) return "> 99.9 %";
  return part < whole && share >= 99.5 ? `${share.toFixed(1)} %` : `${Math.round(share)} %`;
}
