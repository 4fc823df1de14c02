import type { Json, Profile, RedundancyRule } from "@rolecall/core";
import { setOwn } from "@rolecall/core";
import { changesOf, createToken } from "./change.ts";
import type { ContentReader } from "./content.ts";
import { createContentReader } from "./content.ts";
import { editAt } from "./edit.ts";
import type { Probe, Problem, Verdict } from "./judge.ts";
import { combine, isProblem, judge, judgeSame } from "./judge.ts";
import type { Place } from "./leaves.ts";
import { createRandom, sample, survey } from "./leaves.ts";
import type { AuditedConverter, Outcome } from "./outcome.ts";
import { attempt, below } from "./outcome.ts";
import type { Pair } from "./pair.ts";
import { placeKind } from "./place-kind.ts";
import type { Excuse } from "./redundancy.ts";
import { createExcuses } from "./redundancy.ts";

/** One thing that is wrong, at one place of one body. */
export interface Finding {
  readonly problem: Problem;
  /** The kind of place, without any content. */
  readonly place: string;
  readonly pointer: string;
}

export interface BodyAudit {
  /** The reason for which the body itself was refused; then nothing else was measured. */
  readonly refused?: string;
  readonly leaves: number;
  readonly probes: number;
  readonly findings: readonly Finding[];
}

export interface AuditOptions {
  /** At most this many leaves, and as many objects, of each body. */
  readonly leaves: number;
  readonly seed: number;
  /** What the target takes; a conversion for a stated one may lose something within one protocol too. */
  readonly target?: Profile;
}

/** Measures the laws on the bodies of one pair of protocols. */
export interface BodyAuditor {
  audit(body: Json, convert: AuditedConverter, beside?: Json): BodyAudit;
}

const discriminators = new Set(["type", "role", "object"]);

export function createBodyAuditor(
  pair: Pair,
  redundancy: readonly RedundancyRule[],
  options: AuditOptions,
): BodyAuditor {
  const { operation, from, to } = pair;
  const tools: Tools = {
    isSame: from === to && options.target === undefined,
    excuseOf: createExcuses(redundancy, operation),
    readSource: createContentReader(from, operation),
    readTarget: createContentReader(to, operation),
  };
  return { audit: (body, convert, beside) => auditBody(body, beside, convert, tools, options) };
}

interface Tools {
  readonly isSame: boolean;
  readonly excuseOf: (path: readonly string[], value: Json, body: Json) => Excuse;
  readonly readSource: ContentReader;
  readonly readTarget: ContentReader;
}

function auditBody(
  body: Json,
  beside: Json | undefined,
  convert: AuditedConverter,
  tools: Tools,
  options: AuditOptions,
): BodyAudit {
  const refusal = refusalOf(attempt(convert, body, () => true));
  if (refusal !== undefined) return refusal;
  const token = createToken(options.seed, JSON.stringify(body));
  const { leaves, objects } = survey(body);
  const known = new Set<string>();
  for (const { value } of leaves) if (typeof value === "string") known.add(value);
  const run = (input: Json): Outcome => attempt(convert, input, (text) => known.has(text) || text.includes(token));
  const base = run(body);
  if (base.type !== "converted") return refusalOf(base) ?? nothing;
  const findings: Finding[] = [];
  let probes = 0;
  const note = (verdict: Verdict, { path, pointer }: Pick<Place, "path" | "pointer">): void => {
    if (isProblem(verdict)) findings.push({ problem: verdict, place: placeKind(body, path), pointer });
  };
  const measure = (input: Json, probe: Probe): Verdict => {
    probes++;
    const outcome = run(input);
    return tools.isSame ? judgeSame(input, beside, outcome) : judge(probe, base, outcome, tools.readTarget);
  };
  if (tools.isSame) note(judgeSame(body, beside, base), { path: [], pointer: "" });
  const random = createRandom(options.seed);
  const nameOf = (place: Place): string => placeKind(body, place.path);
  const chosen = sample(leaves, options.leaves, nameOf, random);
  for (const leaf of chosen) {
    const excuse = tools.excuseOf(leaf.path, leaf.value, body);
    if (excuse === "always" && !tools.isSame) continue;
    note(changeLeaf(body, leaf, token, tools, measure), leaf);
    if (excuse !== "none" && !tools.isSame) continue;
    const removal: Probe = { pointer: leaf.pointer, action: "removal", isDiscriminator: isDiscriminator(leaf) };
    note(
      measure(
        editAt(body, leaf.path, () => undefined),
        removal,
      ),
      leaf,
    );
  }
  for (const object of sample(objects, options.leaves, nameOf, random)) {
    if (tools.excuseOf([...object.path, token], token, body) === "always" && !tools.isSame) continue;
    note(insertKey(body, object, token, tools, measure), { ...object, path: [...object.path, token] });
  }
  return { leaves: chosen.length, probes, findings: withoutToken(findings, token) };
}

const nothing: BodyAudit = { leaves: 0, probes: 1, findings: [] };

/** The audit of a body that the converter does not take at all; undefined where it does. */
function refusalOf(outcome: Outcome): BodyAudit | undefined {
  if (outcome.type === "converted") return undefined;
  if (outcome.type === "refused") return { ...nothing, refused: outcome.error.message };
  return { ...nothing, findings: [{ problem: "crash", place: "/", pointer: "" }] };
}

type Measure = (input: Json, probe: Probe) => Verdict;

const isDiscriminator = ({ path }: Place): boolean => discriminators.has(path.at(-1) ?? "");

function changeLeaf(body: Json, leaf: Place, token: string, { readSource }: Tools, measure: Measure): Verdict {
  // What comes into an empty container is no text of the place.
  const isContainer = typeof leaf.value === "object" && leaf.value !== null;
  const content = isContainer ? undefined : readSource(body, leaf.path);
  const verdicts: Verdict[] = [];
  for (const { value, marked } of changesOf(leaf.value, token, content !== undefined)) {
    const verdict = measure(
      editAt(body, leaf.path, () => value),
      {
        pointer: changedPointer(leaf, token),
        action: "change",
        isDiscriminator: isDiscriminator(leaf),
        ...(content !== undefined && { content }),
        ...(marked && { token }),
      },
    );
    verdicts.push(verdict);
    if (verdict === "shown") break;
  }
  return combine(verdicts);
}

/** An empty container is changed by what comes into it. */
function changedPointer({ value, pointer }: Place, token: string): string {
  if (typeof value !== "object" || value === null) return pointer;
  return below(pointer, Array.isArray(value) ? "0" : token);
}

function insertKey(body: Json, object: Place, token: string, { readSource }: Tools, measure: Measure): Verdict {
  const content = readSource(body, [...object.path, token]);
  const insert = (value: Json): Json => {
    const copy: Record<string, Json> = { ...(value as { readonly [key: string]: Json }) };
    setOwn(copy, token, token);
    return copy;
  };
  return measure(editAt(body, object.path, insert), {
    pointer: below(object.pointer, token),
    action: "insertion",
    token,
    isDiscriminator: false,
    ...(content !== undefined && { content }),
  });
}

/** An inserted key is called `+` in what people read. */
function withoutToken(findings: readonly Finding[], token: string): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, place: finding.place.replaceAll(token, "+") }));
}
