import { attempt, demand, typed } from "../finding.mjs";

/** @import { Core, Id } from "../core.mjs" */

/**
 * The rules for requests of a protocol, and what mends them: a body is refused or judged, and what is mended can be judged again.
 * @param {Core} core
 * @param {Id} id
 * @returns {(input: Uint8Array) => Promise<void>}
 */
export function checkTarget({ check, readJsonBytes }, id) {
  const options = { protocol: id };
  return async (input) => {
    const read = attempt(() => readJsonBytes(input));
    if (read.error !== undefined) return;
    const before = JSON.stringify(read.value);
    const body = /** @type {any} */ (typeof read.value === "string" ? input : read.value);
    const judged = attempt(() => check.lintRequest(body, options));
    for (const { path } of judged.value ?? [])
      demand(path === "" || path.startsWith("/"), "place", () => `a finding at ${path}, which is no pointer`);
    try {
      const { value } = await check.repair(body, options);
      demand(judged.error === undefined, "check", () => "a body that cannot be judged is mended");
      check.lintRequest(/** @type {any} */ (value), options);
    } catch (error) {
      typed(error);
    }
    demand(JSON.stringify(read.value) === before, "input", () => "the input was changed");
  };
}
