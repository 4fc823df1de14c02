import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../run.mjs";
import { loadCore } from "./core.mjs";

/** The folder of core as it is built. */
export const builtFolder = join(repository, "packages/core/dist");

/**
 * Core as it is built, or a copy of that.
 * @param {string} [folder]
 * @returns {Promise<import("./core.mjs").Core>}
 */
export function loadBuilt(folder = builtFolder) {
  const file = (/** @type {string} */ specifier) => join(folder, specifier.slice("@rolecall/core".length), "index.js");
  return loadCore((specifier) => import(pathToFileURL(file(specifier)).href));
}
