import type { Json, ProtocolId } from "@rolecall/core";
import { survey } from "../../packages/cli/src/audit/leaves.ts";
import { textOf } from "../../packages/cli/src/audit/outcome.ts";
import type { Concept } from "./concept.ts";
import type { Direction, Operation, Output } from "./direction.ts";
import type { ExcuseReader } from "./excuse.ts";
import type { Fate, Outcome } from "./fate.ts";
import { combine, fateOf } from "./fate.ts";
import type { Probe, Words } from "./probes.ts";
import { collectWords, probesOf, token } from "./probes.ts";
import type { Sample } from "./samples.ts";

/** How many places came to each fate. */
export type Tally = { readonly [fate in Fate]: number };

const MOST_EXAMPLES = 4;

/** What was measured on one direction. */
export interface DirectionFigures {
  readonly operation: Operation;
  readonly from: ProtocolId;
  readonly to: Direction["to"];
  readonly bodies: number;
  /** Bodies that were refused as they stand; their places are in no tally. */
  readonly refused: number;
  readonly tallies: { readonly [concept in Concept]?: Tally };
  /** Some of the places that were lost in silence, one for each kind. */
  readonly examples: readonly string[];
}

/** The samples with their probes, which are the same for every converter. */
export interface Prepared {
  readonly sample: Sample;
  readonly probes: readonly Probe[];
}

export function prepare(
  samples: readonly Sample[],
  excusesOf: (protocol: ProtocolId, kind: "request" | "response" | "stream") => ExcuseReader,
): readonly Prepared[] {
  const words: Words = collectWords(samples);
  return samples.map((sample) => {
    const kind = sample.operation === "history" ? "response" : sample.operation;
    return { sample, probes: probesOf(sample, excusesOf(sample.protocol, kind), words) };
  });
}

/** Measures one direction on all samples of its kind. */
export async function measureDirection(
  direction: Direction,
  prepared: readonly Prepared[],
  progress: (done: number, total: number) => void,
): Promise<DirectionFigures> {
  const { operation, from, to } = direction;
  const own = prepared.filter(
    ({ sample, probes }) => sample.operation === operation && sample.protocol === from && probes.length > 0,
  );
  const tallies: { [concept in Concept]?: Tally } = {};
  const examples = new Map<string, string>();
  let refused = 0;
  for (const [index, { sample, probes }] of own.entries()) {
    progress(index, own.length);
    const known = new Set<string>();
    for (const { value } of survey(sample.body).leaves) if (typeof value === "string") known.add(value);
    const run = (body: Json): Promise<Outcome> =>
      attempt(direction, body, (text) => known.has(text) || text.includes(token));
    const base = await run(sample.body);
    if (base === undefined) {
      refused++;
      continue;
    }
    const holders = new Map<Json, Promise<Outcome>>();
    for (const probe of probes) {
      const fate = await fateOfProbe(probe, base, run, holders);
      const tally = tallies[probe.concept] ?? { survived: 0, told: 0, silent: 0 };
      tallies[probe.concept] = { ...tally, [fate]: tally[fate] + 1 };
      if (fate === "silent") {
        const kind = `${probe.concept}: ${probe.pointer.replace(/\/\d+/g, "/*").replace(token, "…")}`;
        if (!examples.has(kind)) examples.set(kind, `${kind} (${sample.name})`);
      }
    }
  }
  return {
    operation,
    from,
    to,
    bodies: own.length,
    refused,
    tallies,
    examples: [...examples.values()].slice(0, MOST_EXAMPLES),
  };
}

async function fateOfProbe(
  { pointer, variants, withoutHolder }: Probe,
  base: NonNullable<Outcome>,
  run: (body: Json) => Promise<Outcome>,
  holders: Map<Json, Promise<Outcome>>,
): Promise<Fate> {
  const fates: { fate: Fate | "refused"; isRemoval: boolean }[] = [];
  for (const { body, token: word, isRemoval } of variants) {
    if (isRemoval && fates.some(({ fate }) => fate !== "refused")) break;
    const fate = fateOf(base, await run(body), { pointer, ...(word !== undefined && { token: word }) });
    fates.push({ fate, isRemoval });
    if (fate === "survived") break;
  }
  const fate = combine(fates);
  const warnings = base.output.warnings ?? [];
  if (fate !== "silent" || warnings.length === 0 || withoutHolder === undefined) return fate;
  // A warning that goes away with what holds the place is about it.
  const key = pointer.replace(/\/[^/]*$/, "");
  const without = await (holders.get(key) ?? run(withoutHolder));
  holders.set(key, Promise.resolve(without));
  return without !== undefined && (without.output.warnings ?? []).length < warnings.length ? "told" : "silent";
}

async function attempt(direction: Direction, body: Json, isKnown: (text: string) => boolean): Promise<Outcome> {
  try {
    const output: Output = await direction.convert(body);
    return { output, text: textOf({ value: withoutClock(output.value, isKnown), losses: [] }, isKnown) };
  } catch {
    return undefined;
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const hour = 3_600_000;

/** What a converter makes up differs each time: the time of day, and random ids. */
function withoutClock(value: Json, isKnown: (text: string) => boolean): Json {
  const now = Date.now();
  const isNow = (item: number): boolean => Math.abs(item - now) < hour || Math.abs(item - now / 1000) < hour / 1000;
  return JSON.parse(
    JSON.stringify(value, (_, item: unknown) => {
      if (typeof item === "number" && isNow(item)) return "<now>";
      if (typeof item !== "string" || isKnown(item)) return item;
      return item
        .replace(uuid, "<uuid>")
        .replace(/\b1[0-9]{9}(?:[0-9]{3})?\b/g, (digits) => (isNow(Number(digits)) ? "<now>" : digits));
    }),
  ) as Json;
}
