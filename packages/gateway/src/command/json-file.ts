import { readFileSync } from "node:fs";
import { ConfigError, inexactPlaces, RolecallError, readJson, readText } from "@rolecall/core";

/** Reads a file of configuration. Throws a ConfigError for one that cannot be read, is no JSON, or says a thing twice. */
export function readJsonFile(file: string): unknown {
  const text = readFile(file);
  try {
    const value = readJson(readText(text));
    const twice = inexactPlaces(readText(text), value).find(({ what }) => what === "key");
    if (twice === undefined) return value;
    throw new ConfigError(twice.path, "this key stands twice: say one thing", file);
  } catch (error) {
    if (!(error instanceof RolecallError) || error instanceof ConfigError) throw error;
    throw new ConfigError("", error.message, file);
  }
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
