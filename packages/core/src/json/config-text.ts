import { ConfigError, RolecallError } from "../errors/index.ts";
import type { Json } from "../ir/index.ts";
import { inexactPlaces } from "./inexact.ts";
import { readJson, readText } from "./json-text.ts";

/**
 * Reads the bytes of a file of configuration. Throws a ConfigError for text that is no JSON, with line and column, and for a key that stands twice.
 * What the text says is in no error: it may be a key.
 */
export function readConfig(bytes: Uint8Array, file: string): Json {
  try {
    const text = readText(bytes);
    const value = readJson(text);
    const twice = inexactPlaces(text, value).find(({ what }) => what === "key");
    if (twice === undefined) return value;
    throw new ConfigError(twice.path, "this key stands twice: say one thing", file);
  } catch (error) {
    if (!(error instanceof RolecallError) || error instanceof ConfigError) throw error;
    throw new ConfigError("", error.message, file);
  }
}
