import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../../test/source-files.ts";
import type { Json } from "../../src/index.ts";

/** A text, as pieces of which some are repeated. */
type Pieces = readonly (string | readonly [piece: string, count: number])[];

/** What stands for JSON, and what reading it gives: a value, the place at which it is refused, or that it nests too deep. */
export interface TextCase {
  readonly what: string;
  readonly text?: string;
  /** Hexadecimal digits. */
  readonly bytes?: string;
  readonly repeat?: Pieces;
  readonly gives?: Json;
  /** The value as JSON is the text again. */
  readonly keeps?: true;
  readonly refused?: string;
  readonly tooDeep?: true;
}

/** What becomes of a body: its losses as `code path`, or the error as `name path`. */
export interface BodyOutcome {
  readonly losses?: readonly string[];
  readonly refused?: string;
  /** What stands in the result where the odd thing stood. */
  readonly sent?: Json;
}

/** A request of Chat Completions with further members, or with this content of its message, and what becomes of it. */
export interface BodyCase {
  readonly what: string;
  readonly member?: Pieces;
  readonly content?: Pieces;
  readonly own: BodyOutcome;
  /** Toward Anthropic Messages. */
  readonly other: BodyOutcome;
}

interface Area<T> {
  readonly area: string;
  readonly cases: readonly T[];
}

/** What is odd, and right or refused: docs/odd-input.md is written from it. */
export const oddInput: { readonly texts: readonly Area<TextCase>[]; readonly bodies: readonly Area<BodyCase>[] } =
  JSON.parse(readFileSync(join(repository, "fixtures/odd-input.json"), "utf8"));

const joined = (pieces: Pieces): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece[0].repeat(piece[1]))).join("");

/** The text or the bytes of a case. */
export function inputOf({ text, bytes, repeat = [] }: TextCase): string | Uint8Array {
  if (bytes !== undefined) return Uint8Array.from(bytes.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return text ?? joined(repeat);
}

/** The text of the request of a case. */
export function bodyOf({ member, content = ['"q"'] }: BodyCase): string {
  const more = member === undefined ? "" : `,${joined(member)}`;
  return `{"model":"m","messages":[{"role":"user","content":${joined(content)}}]${more}}`;
}
