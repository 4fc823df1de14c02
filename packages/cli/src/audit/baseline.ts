import { ConfigError, isJsonObject } from "@rolecall/core";
import { readJsonFile, writeJsonFile } from "../input/file.ts";
import { blame } from "../mistake.ts";
import type { FindingGroup, PairAudit } from "./findings.ts";
import { keyOf } from "./findings.ts";

/** A finding as a baseline keeps it: no file, no count, no content. */
export type KnownFinding = Pick<FindingGroup, "operation" | "from" | "to" | "problem" | "place">;

const textKeys = ["operation", "from", "to", "problem", "place"] as const;

/** Writes the findings of an audit as the known ones. */
export function writeBaseline(file: string, audits: readonly PairAudit[]): void {
  const findings = audits.flatMap((audit) => audit.findings);
  const known = findings.map(({ operation, from, to, problem, place }) => ({ operation, from, to, problem, place }));
  known.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  writeJsonFile(file, { version: 1, findings: known });
}

/** Reads what `--write-baseline` wrote. */
export async function readBaseline(file: string): Promise<readonly KnownFinding[]> {
  const { value } = await readJsonFile(file);
  return blame(file, () => {
    const list = isJsonObject(value) && value["version"] === 1 ? value["findings"] : undefined;
    if (!Array.isArray(list)) throw new ConfigError("", "not a baseline: write one with --write-baseline");
    for (const [index, entry] of list.entries()) {
      const wrong = textKeys.find((key) => !isJsonObject(entry) || typeof entry[key] !== "string");
      if (wrong !== undefined) throw new ConfigError(`/findings/${index}`, `a known finding has the text "${wrong}"`);
    }
    return list as unknown as readonly KnownFinding[];
  });
}

/** Whether a file holds what `--write-baseline` wrote. */
export async function isBaseline(file: string): Promise<boolean> {
  try {
    await readBaseline(file);
    return true;
  } catch {
    return false;
  }
}

/** What a baseline says about the findings of an audit. */
export interface Comparison {
  isKnown(group: FindingGroup): boolean;
  /** Known findings of pairs that were audited, which are no longer found. */
  readonly vanished: readonly KnownFinding[];
}

export function compareWithBaseline(audits: readonly PairAudit[], known: readonly KnownFinding[]): Comparison {
  const keys = new Set(known.map(keyOf));
  const found = new Set(audits.flatMap(({ findings }) => findings.map(keyOf)));
  const wasAudited = (finding: KnownFinding): boolean =>
    audits.some(
      ({ operation, from, to }) => operation === finding.operation && from === finding.from && to === finding.to,
    );
  return {
    isKnown: (group) => keys.has(keyOf(group)),
    vanished: known.filter((finding) => wasAudited(finding) && !found.has(keyOf(finding))),
  };
}
