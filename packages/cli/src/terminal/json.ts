import type { Output } from "../environment.ts";
import { visibleJson } from "./text.ts";

/** Prints a value as JSON: laid out for a person at a terminal, in one line for a program. */
export function writeJson(value: unknown, output: Output): void {
  const text = output.isTerminal ? visibleJson(JSON.stringify(value, undefined, 2)) : JSON.stringify(value);
  output.write(`${text}\n`);
}
