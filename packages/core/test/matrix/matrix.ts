import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../../test/source-files.ts";
import type { Json, Profile, ProtocolId } from "../../src/index.ts";
import { valueAt } from "../../src/index.ts";
import { hasCodec } from "../protocols.ts";

/** What a row is about: the body whose conversion shows it. */
export type Mode = "request" | "response" | "stream" | "error";

/** What must come of one example toward one target. */
export interface Expectation {
  /** What must stand in the target, by place. */
  readonly sent?: { readonly [place: string]: Json };
  /** Every loss of the conversion, as `kind code place`. */
  readonly losses?: readonly string[];
  /** The feature that the target refuses, and its place: then nothing is sent. */
  readonly refused?: string;
}

/** A body that shows a concept, as what it adds to the least valid body of its protocol. */
export interface Example {
  /** By place: a member that is set, or an element that is inserted into a list; `-` stands behind the last one. */
  readonly add: { readonly [place: string]: Json };
  /** Members and elements that the example does without. */
  readonly remove?: readonly string[];
  readonly headers?: { readonly version?: string; readonly betas?: readonly string[] };
  /** Why a service would refuse the body, or its SDK has no type for it: only of examples that are about such a body. */
  readonly invalid?: string;
  /** What is known of the server of a protocol, where the body or an expectation needs more than its name. */
  readonly profiles?: { readonly [target: string]: Profile };
  readonly to: { readonly [target: string]: Expectation };
}

/** How a concept stands in one protocol. */
export type Cell =
  | readonly Example[]
  /** The protocol has no such thing. */
  | { readonly absent: string }
  /** The protocol has it, but not in a body that is converted. */
  | { readonly outside: string };

export interface Row {
  readonly id: string;
  readonly concept: string;
  readonly mode: Mode;
  readonly cells: { readonly [protocol in ProtocolId]: Cell };
}

const folder = join(repository, "fixtures/matrix");

/** The areas of the matrix, in the order of their names, each with its rows. */
export const areas: readonly (readonly [area: string, rows: readonly Row[]])[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8")) as Row[]]);

/** The least valid body of a protocol; of a stream its frames. */
export function baseOf(mode: Mode, protocol: string): Json {
  return JSON.parse(readFileSync(join(folder, "bases", `${mode}.json`), "utf8"))[protocol];
}

export const isExampled = (cell: Cell): cell is readonly Example[] => Array.isArray(cell);

/** The examples of a row, each with its protocol. */
export function examplesOf({ cells }: Row): { readonly from: ProtocolId; readonly example: Example }[] {
  return Object.entries(cells).flatMap(([from, cell]) =>
    isExampled(cell) ? cell.map((example) => ({ from: from as ProtocolId, example })) : [],
  );
}

export interface Case {
  readonly row: Row;
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  readonly example: Example;
  readonly expected: Expectation;
}

/** The expectations of a row between protocols that have codecs. */
export function casesOf(row: Row): Case[] {
  return examplesOf(row).flatMap(({ from, example }) =>
    Object.entries(example.to)
      .filter(([to]) => hasCodec(from) && hasCodec(to))
      .map(([to, expected]) => ({ row, from, to: to as ProtocolId, example, expected })),
  );
}

/** The body of an example. */
export function bodyOf({ mode }: Row, protocol: string, { add, remove = [] }: Example): Json {
  const body = baseOf(mode, protocol);
  for (const place of remove) {
    const [parent, key] = parentOf(body, place);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }
  for (const [place, value] of Object.entries(add)) {
    const [parent, key] = parentOf(body, place);
    if (!Array.isArray(parent)) parent[key] = value;
    else parent.splice(key === "-" ? parent.length : Number(key), 0, value);
  }
  return body;
}

function parentOf(body: Json, place: string): [parent: Record<string, Json> | Json[], key: string] {
  const end = place.lastIndexOf("/");
  const parent = valueAt(body, place.slice(0, end));
  if (typeof parent !== "object" || parent === null) throw new Error(`no place for ${place} in the least body`);
  return [parent as Record<string, Json> | Json[], place.slice(end + 1)];
}

/** The texts within a value that are long enough to be told from words of a protocol. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return value.length > 12 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
