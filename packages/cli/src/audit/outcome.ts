import type { Json, Loss, Pointer, RolecallError } from "@rolecall/core";
import { escapeSegment } from "@rolecall/core";

/** What a converter makes of a body. */
export interface AuditedOutput {
  readonly value: Json;
  /** What the target protocol puts outside of the body. */
  readonly beside?: Json;
  readonly losses: readonly Loss[];
}

/** The converter under audit: one pair of protocols, one operation. It may throw. */
export type AuditedConverter = (body: Json) => AuditedOutput;

export interface Conversion extends AuditedOutput {
  readonly type: "converted";
  /** The output as text; ids that the converter made are numbered, because their value is free. */
  readonly text: string;
}

export type Outcome =
  | Conversion
  /** Refused with a typed error, which is an answer. */
  | { readonly type: "refused"; readonly error: RolecallError }
  /** Any other error is none. */
  | { readonly type: "crashed"; readonly error: unknown };

/** Converts, and tells refusals from crashes. */
export function attempt(convert: AuditedConverter, body: Json, isKnown: (text: string) => boolean): Outcome {
  try {
    const output = convert(body);
    return { type: "converted", ...output, text: textOf(output, isKnown) };
  } catch (error) {
    const typed = error instanceof Error && (error as Partial<RolecallError>).isRolecallError === true;
    return typed ? { type: "refused", error: error as RolecallError } : { type: "crashed", error };
  }
}

const idKeys = new Set(["id", "tool_call_id", "tool_use_id", "call_id", "item_id", "responseId"]);

/** An output as text, in which ids are numbered that no input holds. */
export function textOf({ value, beside }: AuditedOutput, isKnown: (text: string) => boolean): string {
  const made = new Map<string, string>();
  const note = (item: Json): void => {
    if (typeof item !== "object" || item === null) return;
    for (const [key, inner] of Object.entries(item as { readonly [key: string]: Json })) {
      if (typeof inner !== "string") note(inner);
      else if (idKeys.has(key) && !made.has(inner) && !isKnown(inner)) made.set(inner, `<id ${made.size}>`);
    }
  };
  note(value);
  const output: unknown = [value, beside ?? null];
  if (made.size === 0) return JSON.stringify(output);
  return JSON.stringify(output, (key, item: unknown) =>
    idKeys.has(key) && typeof item === "string" ? (made.get(item) ?? item) : item,
  );
}

/** Paths of the texts in a value that hold a token, also in a key. */
export function pathsWith(value: Json, token: string): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const visit = (item: Json, path: readonly string[]): void => {
    if (typeof item === "string") {
      if (item.includes(token)) found.push(path);
      return;
    }
    if (typeof item !== "object" || item === null) return;
    for (const [key, inner] of Object.entries(item as { readonly [key: string]: Json })) {
      if (key.includes(token)) found.push([...path, key]);
      visit(inner, [...path, key]);
    }
  };
  visit(value, []);
  return found;
}

/** The losses whose place is this one or one above it. The whole body is no place: a loss there excuses nothing. */
export function lossesAt(losses: readonly Loss[], pointer: Pointer): readonly Loss[] {
  return losses.filter(({ path }) => path !== "" && (path === pointer || pointer.startsWith(`${path}/`)));
}

export function isDropped(losses: readonly Loss[]): boolean {
  return losses.some(({ kind }) => kind === "dropped");
}

/** The pointer of a key below a place. */
export function below(pointer: Pointer, key: string): Pointer {
  return `${pointer}/${escapeSegment(key)}`;
}
