import { readFileSync, writeFileSync } from "node:fs";
import type { InexactPlace, Json } from "@rolecall/core";
import { inexactPlaces, readJson, readText } from "@rolecall/core";
import type { Environment } from "../environment.ts";
import { blame, Mistake } from "../mistake.ts";

/** What was read, with the name that messages call it by. */
export interface JsonFile {
  readonly name: string;
  readonly size: number;
  readonly value: Json;
  /** Where the text said more than the value does. */
  readonly inexact: () => readonly InexactPlace[];
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is no directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left",
};

/** The reason of a failed file operation in words; undefined for an error of another kind. */
export function fileReason(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined) return undefined;
  return reasons[code] ?? (syscall === undefined ? undefined : code);
}

/** What the user can mend about a failed file operation; an error of another kind is given back. */
export function mistaken(verb: string, file: string, error: unknown): unknown {
  const reason = fileReason(error);
  return reason === undefined ? error : new Mistake(`cannot ${verb} ${file}: ${reason}`);
}

/** Bytes with the name that messages call them by. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** JSON as bytes hold it. Throws a Mistake that names them. */
export async function jsonFile({ name, bytes }: NamedBytes): Promise<JsonFile> {
  return blame(name, () => {
    const text = readText(bytes);
    const value = readJson(text);
    return { name, size: bytes.length, value, inexact: () => inexactPlaces(text, value) };
  });
}

/** Reads a file as text. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw mistaken("read", file, error);
  }
}

/** Reads a JSON file. */
export async function readJsonFile(file: string): Promise<JsonFile> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw mistaken("read", file, error);
  }
  return jsonFile({ name: file, bytes });
}

/** Reads JSON from a file, or from standard input where no file is named. */
export async function readJsonInput(file: string | undefined, environment: Environment): Promise<JsonFile> {
  if (file !== undefined && file !== "-") return readJsonFile(file);
  if (environment.input.isTerminal && file === undefined) {
    throw new Mistake("no FILE is named and nothing is piped in; name a file, or - to type on standard input");
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of environment.input.chunks()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const name = "standard input";
  if (bytes.length === 0) throw new Mistake(`${name}: empty; name a FILE or pipe a body in`);
  return jsonFile({ name, bytes });
}

/** Reads a JSON object that is given as text, or in a file whose name is given. */
export async function readJsonOption(option: string, given: string): Promise<JsonFile> {
  if (!given.trimStart().startsWith("{")) return readJsonFile(given);
  return jsonFile({ name: option, bytes: new TextEncoder().encode(given) });
}

/** Writes a value as JSON, one entry a line. */
export function writeJsonFile(file: string, value: unknown): void {
  try {
    writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
  } catch (error) {
    throw mistaken("write", file, error);
  }
}
