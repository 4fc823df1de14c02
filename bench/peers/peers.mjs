// Converters and gateways of others that are measured beside Rolecall. Each has a manifest of its own, because they ask for versions of packages that
// do not fit each other, and because one that cannot be installed does not keep the others from being measured.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installFolder } from "../../scripts/install-folder.mjs";
import { repository } from "../../scripts/run.mjs";

/** @typedef {{ id: string, name: string, versions: string[] }} Peer */

const names = /** @type {const} */ ([
  ["llm-bridge", "llm-bridge"],
  ["portkey", "Portkey gateway"],
  ["llms", "@musistudio/llms"],
  ["ai-sdk", "AI SDK"],
  ["pi-ai", "pi-ai"],
]);

/** All of them, with the versions of the packages that their manifests state. @type {readonly Peer[]} */
export const peers = names.map(([id, name]) => {
  const { dependencies } = JSON.parse(readFileSync(join(repository, "bench/peers", id, "package.json"), "utf8"));
  return { id, name, versions: Object.entries(dependencies).map(([key, version]) => `${key} ${version}`) };
});

/** The folder in which a peer is installed. @param {string} id */
export const folderOf = (id) => join(repository, "bench/peers", id);

/**
 * Installs the peers that are wanted, each by its lock file, unless that has been done.
 * @param {string | undefined} only their ids with commas between them; all where it is not given
 * @returns {{ installed: Peer[], failures: { peer: Peer, reason: string }[] }}
 */
export function installPeers(only) {
  const ids = only?.split(",");
  const unknown = ids?.find((id) => id !== "rolecall" && peers.every((peer) => peer.id !== id));
  if (unknown !== undefined) {
    console.error(`--only ${unknown}: there are rolecall, ${peers.map(({ id }) => id).join(", ")}`);
    process.exit(2);
  }
  /** @type {Peer[]} */
  const installed = [];
  /** @type {{ peer: Peer, reason: string }[]} */
  const failures = [];
  for (const peer of peers.filter(({ id }) => ids === undefined || ids.includes(id))) {
    try {
      installFolder(`bench/peers/${peer.id}`);
      installed.push(peer);
    } catch (error) {
      failures.push({ peer, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { installed, failures };
}

/** Says what could not be measured, and lets the process end with 1. @param {readonly { peer: Peer, reason: string }[]} failures */
export function reportFailures(failures) {
  for (const { peer, reason } of failures) console.error(`\n${peer.name} was not measured: ${reason}`);
  if (failures.length > 0) process.exitCode = 1;
}

/**
 * Shows on a terminal how far a measurement is, in one line that is written over; elsewhere a line for each step.
 * @returns {{ step: (text: string) => void, show: (text: string) => void, end: () => void }}
 */
export function createProgress() {
  const isTerminal = process.stderr.isTTY === true;
  const start = Date.now();
  let last = "";
  const write = (/** @type {string} */ text) =>
    process.stderr.write(`\r${text.slice(0, (process.stderr.columns ?? 80) - 1).padEnd(last.length)}`);
  return {
    step(text) {
      const seconds = Math.round((Date.now() - start) / 1000);
      last = `${String(seconds).padStart(4)} s  ${text}`;
      if (isTerminal) write(last);
      else console.error(last);
    },
    show(text) {
      if (isTerminal) write(`${last}  ${text}`);
    },
    end() {
      if (isTerminal) process.stderr.write(`\r${" ".repeat((process.stderr.columns ?? 80) - 1)}\r`);
    },
  };
}
