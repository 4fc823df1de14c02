import { statSync } from "node:fs";
import { Mistake } from "../mistake.ts";

/** The identity of a regular file, by whatever name or link it is called; undefined for what is none, or cannot be looked at. */
function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { bigint: true });
    return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Refuses to write over a file that the command reads: a recording may be the only one of its kind. `inputs` may hold what was not given, and
 * JSON text in the place of a file.
 */
export function refuseOverwriting(option: string, file: string, inputs: readonly (string | undefined)[]): void {
  const written = identityOf(file);
  if (written === undefined) return;
  const same = inputs.find((input) => input !== undefined && identityOf(input) === written);
  if (same === undefined) return;
  throw new Mistake(`--${option} ${file} would overwrite ${same}, which is read; name another file`);
}
