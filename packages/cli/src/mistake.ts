import { ConfigError, DecodeError, LossError, RolecallError, UnsupportedError } from "@rolecall/core";
import { visible } from "./terminal/text.ts";

/** What the exit codes of every command mean. */
export const exitCodes = { done: 0, findings: 1, mistake: 2, refused: 3, internal: 70 } as const;

/** Something the user can mend: one line that says what, where and how. */
export class Mistake extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.mistake) {
    super(visible(message));
    this.exitCode = exitCode;
  }
}

/** A mistake in what the options say: with them no file can be read at all. */
export class OptionMistake extends Mistake {}

/** Runs what reads the options. */
export async function ofOptions<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof Mistake ? new OptionMistake(error.message, error.exitCode) : error;
  }
}

/** Makes one line of an error about a file; gives back what is none of ours. */
function mistakeIn(file: string, error: unknown): unknown {
  if (!(error instanceof RolecallError) || error instanceof LossError) return error;
  if (error instanceof ConfigError) {
    return new Mistake(`${error.file ?? file}: ${withPlace(error.message, error.path)}`);
  }
  const [fallback] = error instanceof UnsupportedError ? error.fallbacks : [];
  if (error instanceof UnsupportedError && fallback !== undefined) {
    const wish = JSON.stringify({ fallbacks: { [error.feature]: fallback.replace(/^[^:]*: */, "") } });
    return new Mistake(
      `${file}: ${withPlace(error.message, error.path)}; on the command line that is --target '${wish}'`,
    );
  }
  const path = error instanceof DecodeError || error instanceof UnsupportedError ? error.path : "";
  return new Mistake(`${file}: ${withPlace(error.message, path)}`);
}

/** A message with the place that it is about. */
export function withPlace(message: string, path: string): string {
  return path === "" || message.includes(path) ? message : `${message} (at ${path})`;
}

/** Runs what reads a file; errors of Rolecall become one line with the name of the file. */
export async function blame<T>(file: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw mistakeIn(file, error);
  }
}
