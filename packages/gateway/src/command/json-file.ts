import { readFileSync } from "node:fs";
import { ConfigError, readConfig } from "@rolecall/core";

/** Reads a file of configuration. Throws a ConfigError for one that cannot be read, is no JSON, or says a thing twice. */
export function readJsonFile(file: string): unknown {
  return readConfig(readFile(file), file);
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    // Node puts a code before its words, and the name that is told already behind them.
    const reason = error instanceof Error ? error.message.replace(/^\w+: /, "").replace(/, \w+( '.*')?$/, "") : "";
    throw new ConfigError("", `cannot read ${file}: ${reason}`, file);
  }
}
