import { ConfigError, nearest } from "../../errors/index.ts";
import type { Pointer } from "../../ir/index.ts";
import { escapeSegment, isJsonObject } from "../../ir/index.ts";
import type { Environment } from "../key.ts";

/** Where a variable of the environment was put into a text. */
export interface VariableUse {
  readonly name: string;
  readonly path: Pointer;
}

/** What is the same for all of one file. */
export interface Source {
  readonly file: string | undefined;
  readonly environment: Environment;
  /** The variables that were read so far. */
  readonly uses: VariableUse[];
}

/** A value of the file, and its place. */
export interface Entry {
  readonly value: unknown;
  readonly path: Pointer;
  readonly source: Source;
}

/** What reads an entry. Throws a ConfigError for one that it cannot take; what stands there is in no error, because it may be a key. */
export type Read<T> = (entry: Entry) => T;

/** How each field of an object is read. */
export type Fields<T> = { readonly [K in keyof T]-?: Read<Required<T>[K]> };

export function wrong({ path, source }: Entry, message: string): ConfigError {
  return new ConfigError(path, message, source.file);
}

/** The entry below another one. */
export function below(entry: Entry, key: string | number, value?: unknown): Entry {
  return { ...entry, value, path: `${entry.path}/${escapeSegment(String(key))}` };
}

/** The entries of an object by their names; own ones alone, and none that is undefined, which no file can say. */
export function entriesOf(entry: Entry, what: string): readonly (readonly [name: string, entry: Entry])[] {
  if (!isJsonObject(entry.value)) throw wrong(entry, `${what} must be an object`);
  return Object.entries(entry.value).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, below(entry, name, value)] as const],
  );
}

/** The entries of a list. */
export function itemsOf(entry: Entry, what: string): readonly Entry[] {
  if (!Array.isArray(entry.value)) throw wrong(entry, `${what} must be a list`);
  return Array.from(entry.value as readonly unknown[], (value, index) => below(entry, index, value));
}

/** An object of which each field is known. The result has those that are stated. */
export function readFields<T extends object>(entry: Entry, what: string, fields: Fields<T>): Partial<T> {
  const names = Object.keys(fields);
  return Object.fromEntries(
    entriesOf(entry, what).map(([name, field]) => {
      if (!Object.hasOwn(fields, name)) throw wrong(field, `${what} has no "${name}"${hintOf(name, names)}`);
      return [name, fields[name as keyof T](field)];
    }),
  ) as Partial<T>;
}

/** More names are no help. */
const MOST_NAMES = 40;

/** What was probably meant by a word, or else all that there is. */
export function hintOf(word: string, known: readonly string[]): string {
  const [meant] = nearest(word, known);
  if (meant !== undefined) return `: did you mean "${meant}"?`;
  return known.length === 0 || known.length > MOST_NAMES ? "" : `: there are ${known.join(", ")}`;
}
