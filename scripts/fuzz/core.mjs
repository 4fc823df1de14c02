/** @import { Protocol } from "@rolecall/core" */

/** The protocols whose decoders are searched. */
export const protocolIds = /** @type {const} */ ([
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini-generate-content",
]);

/** @typedef {(typeof protocolIds)[number]} Id */
/** @typedef {typeof import("@rolecall/core") & { protocols: Readonly<Record<Id, Protocol>>, check: typeof import("@rolecall/core/check") }} Core what is searched, as it is or instrumented */

/**
 * The package with its protocols and its rules. `load` imports what a specifier names: of the package as it is built, as its source or as an instrumented copy.
 * @param {(specifier: string) => Promise<any>} load
 * @returns {Promise<Core>}
 */
export async function loadCore(load) {
  const core = await load("@rolecall/core");
  const protocols = await Promise.all(
    protocolIds.map(async (id) => [id, (await load(`@rolecall/core/protocols/${id}`)).protocol]),
  );
  return { ...core, protocols: Object.fromEntries(protocols), check: await load("@rolecall/core/check") };
}
