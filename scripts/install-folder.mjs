import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository, run } from "./run.mjs";

/**
 * Installs what a folder apart from the workspace states, by its lock file where it has one, unless that has been done.
 * @param {string} path
 */
export function installFolder(path) {
  const folder = join(repository, path);
  const lock = join(folder, "package-lock.json");
  const isLocked = existsSync(lock);
  const stated = readFileSync(isLocked ? lock : join(folder, "package.json"), "utf8");
  const installed = join(folder, "node_modules/.installed.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === stated) return;
  console.error(`installing ${path}`);
  run("npm", [isLocked ? "ci" : "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]);
  writeFileSync(installed, stated);
}
