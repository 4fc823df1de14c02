// Runs the tests with another version of Node: node scripts/test-node.mjs 24 [arguments of vitest]
// The binary comes from the npm package of that version and goes into a temporary folder.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository, run } from "./run.mjs";

const [version, ...vitestArguments] = process.argv.slice(2);
if (version === undefined) throw new Error("usage: node scripts/test-node.mjs <version> [arguments of vitest]");

const platform = process.platform === "win32" ? "win" : process.platform;
const name = `node-${platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), "rolecall-node-"));
try {
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${version}`]);
  const node = join(folder, "node_modules", name, "bin", platform === "win" ? "node.exe" : "node");
  console.log(`node ${run(node, ["--version"]).trim()}`);
  run(node, [join(repository, "node_modules/vitest/vitest.mjs"), "run", ...vitestArguments], { stdio: "inherit" });
} catch (error) {
  // The failing tests have been printed already.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
