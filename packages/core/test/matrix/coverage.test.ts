import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import type { ProtocolId } from "../../src/index.ts";
import { protocols } from "../protocols.ts";
import type { Expectation, Row } from "./matrix.ts";
import { areas, examplesOf, isExampled } from "./matrix.ts";
import type { Difference } from "./record.ts";
import { deviations, explains, shortNames, withoutExample } from "./record.ts";

/** A row of the table of the corpus: where each protocol has the concept, and what is lost toward it. */
interface Wanted {
  readonly id: string;
  readonly paths: { readonly [protocol: string]: string | null };
  readonly losses?: { readonly [protocol: string]: { readonly kind: string } };
}

const rows = areas.flatMap(([area, found]) => found.map((row) => ({ area, row })));
const ids = Object.keys(shortNames) as ProtocolId[];

/** What is seen of an expectation: its kinds of loss, or that nothing is lost, or nothing sent. */
function kindsOf({ refused, losses = [] }: Expectation): string[] {
  if (refused !== undefined) return ["unsupported"];
  return losses.length === 0 ? ["carried"] : losses.map((name) => name.split(" ")[0] ?? "");
}

/** Nothing arrives. */
const isNothing = (kind: string): boolean => kind === "dropped" || kind === "unsupported";

/** Each way of a row from a protocol that has the concept, with what is seen in all of its examples. */
function ways({ id, cells }: Row): Omit<Difference, "says">[] {
  return ids.flatMap((from) => {
    const cell = cells[from];
    if (!isExampled(cell)) return [];
    return ids
      .filter((to) => to !== from)
      .map((to) => ({
        row: id,
        from: shortNames[from],
        to: shortNames[to],
        does: cell.flatMap(({ to: expected }) => (expected[to] === undefined ? [] : kindsOf(expected[to]))),
      }));
  });
}

describe("the matrix", () => {
  test("has its protocols", () => {
    expect(protocols.map(({ id }) => id)).toEqual(ids);
  });

  test("has each row once, in its area, with all protocols", () => {
    const found = rows.map(({ row }) => row.id);
    expect(found.filter((id, index) => found.indexOf(id) !== index)).toEqual([]);
    expect(rows.filter(({ area, row }) => !row.id.startsWith(`${area}.`)).map(({ row }) => row.id)).toEqual([]);
    expect(rows.filter(({ row }) => ids.some((id) => row.cells[id] === undefined)).map(({ row }) => row.id)).toEqual(
      [],
    );
  });

  test("has an expectation for each way", () => {
    const open = rows.flatMap(({ row }) => ways(row)).filter(({ does }) => does.length === 0);
    expect(open).toEqual([]);
  });

  test("says where what is sent must stand", () => {
    const open = rows.flatMap(({ row }) =>
      examplesOf(row).flatMap(({ from, example }) =>
        Object.entries(example.to)
          .filter(([, expected]) => expected.sent === undefined && kindsOf(expected).some((kind) => !isNothing(kind)))
          .map(([to]) => `${row.id} ${from} ${to}`),
      ),
    );
    expect(open).toEqual([]);
  });

  test("says why a protocol has no example", () => {
    const silent = rows.filter(({ row }) =>
      Object.values(row.cells).some(
        (cell) => !isExampled(cell) && ("absent" in cell ? cell.absent : cell.outside).length < 5,
      ),
    );
    expect(silent).toEqual([]);
  });
});

describeWithCorpus("the table of the corpus", (folder) => {
  const wanted: readonly Wanted[] = JSON.parse(readFileSync(join(folder, "wire-matrix.json"), "utf8")).rows;
  const byId = new Map(rows.map(({ row }) => [row.id, row]));

  test("has no other rows than the matrix", () => {
    expect([...byId.keys()].sort()).toEqual(wanted.map(({ id }) => id).sort());
  });

  test("has the concept in the protocols that have an example", () => {
    const different = wanted.flatMap(({ id, paths }) =>
      ids.flatMap((protocol) => {
        const cell = byId.get(id)?.cells[protocol];
        const path = paths[shortNames[protocol]] ?? null;
        const has = path !== null && !path.startsWith("- (");
        return cell === undefined || isExampled(cell) === has ? [] : [`${id} ${shortNames[protocol]}`];
      }),
    );
    // Gemini sends calls whole: its example shows what comes of them.
    expect(different.filter((place) => place !== "stream.02 gemini").sort()).toEqual([...withoutExample].sort());
  });

  const differences: readonly Difference[] = wanted.flatMap(({ id, losses }) => {
    const row = byId.get(id);
    return (row === undefined ? [] : ways(row))
      .map((way) => ({ ...way, says: losses?.[way.to]?.kind ?? "carried" }))
      .filter(({ says, does }) => !does.includes(says));
  });

  test("says what conversions do, or the record says why they do not", () => {
    expect(differences.filter((found) => !deviations.some((line) => explains(line, found)))).toEqual([]);
  });

  test("differs wherever the record says so", () => {
    const stale = deviations.flatMap((line) =>
      line.rows.filter((row) => !differences.some((found) => found.row === row && explains(line, found))),
    );
    expect(stale).toEqual([]);
    expect(deviations.filter(({ why }) => why.length < 20)).toEqual([]);
  });
});
