// The inputs that are kept in the repository: small ones that together reach what the search has reached.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../run.mjs";

export const keptFolder = join(repository, "fixtures/fuzz");

/**
 * @param {string} target
 * @returns {Uint8Array[]}
 */
export function readKept(target) {
  const folder = join(keptFolder, target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => new Uint8Array(readFileSync(join(folder, file))));
}

/**
 * Keeps an input under a name that its bytes give.
 * @param {string} target
 * @param {Uint8Array} input
 */
export function keep(target, input) {
  mkdirSync(join(keptFolder, target), { recursive: true });
  writeFileSync(join(keptFolder, target, createHash("sha256").update(input).digest("hex").slice(0, 12)), input);
}
