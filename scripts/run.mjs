import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the repository. */
export const repository = fileURLToPath(new URL("..", import.meta.url));

/** The TypeScript compiler of the workspace, to be run with `process.execPath`. */
export const tsc = join(repository, "node_modules/typescript/bin/tsc");

/**
 * Runs a program to its end. Its output is returned; when it fails, it is part of the error.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 * @returns {string} standard output
 */
export function run(program, args, options = {}) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
    encoding: "utf8",
  });
  if (error) throw error;
  if (status === 0) return stdout ?? "";
  const command = [program, ...args].join(" ");
  throw new Error(`${command} ended with ${signal ?? status}\n${stdout ?? ""}${stderr ?? ""}`);
}
