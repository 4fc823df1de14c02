import { attempt, demand } from "../finding.mjs";

/** @import { Core } from "../core.mjs" */

/** @param {Uint8Array} input */
function reference(input) {
  try {
    // Like core, it reads over a byte order mark.
    return JSON.stringify(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(input)));
  } catch {
    return undefined;
  }
}

/**
 * The reader of JSON: it takes what JSON is and nothing else, says where it ends, and finds what a value cannot hold.
 * @param {Core} core
 * @returns {(input: Uint8Array) => void}
 */
export function checkJsonText({ checkDepth, inexactPlaces, readJsonBytes, valueAt }) {
  return (input) => {
    const read = attempt(() => readJsonBytes(input));
    const expected = reference(input);
    demand(
      (read.error === undefined) === (expected !== undefined),
      "json",
      () => `taken: ${read.error === undefined}, valid: ${expected !== undefined}`,
    );
    if (read.error !== undefined) {
      const { line, column, message } = /** @type {import("@rolecall/core").DecodeError} */ (read.error);
      const isUtf8 = !message.startsWith("not valid UTF-8");
      demand(
        !isUtf8 || (Number(line) >= 1 && Number(column) >= 1),
        "json",
        () => `no place: line ${line}, column ${column}`,
      );
      return;
    }
    demand(JSON.stringify(read.value) === expected, "json", () => "read as something else");
    if (attempt(() => checkDepth(read.value)).error !== undefined) return;
    const text = new TextDecoder().decode(input);
    for (const { path } of attempt(() => inexactPlaces(text, /** @type {any} */ (read.value))).value ?? [])
      demand(typeof path === "string" && (path === "" || path.startsWith("/")), "json", () => `no pointer: ${path}`);
    attempt(() => valueAt(read.value, "/a/0"));
  };
}
