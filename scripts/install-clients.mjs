// Installs the clients that the tests of the gateway start, where that has not been done since their lock file changed. They are apart from the
// workspace: they are half as large as everything else together, and nothing but these tests needs them. Type checks and tests call this.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repository, run } from "./run.mjs";

const folder = join(repository, "packages/gateway/test/clients");

/** Vitest calls it before the tests of these clients. */
export function setup() {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const installed = join(folder, "node_modules/.installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
  console.log("installing the clients of packages/gateway/test/clients");
  run("npm", ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]);
  writeFileSync(installed, lock);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
