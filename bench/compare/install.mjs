// What stands on the disk after an installation, and what an import costs.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository, run as runProgram } from "../../scripts/run.mjs";
import { costOfChild, spreadOf } from "../measure.mjs";
import { folderOf, peers } from "../peers/peers.mjs";
import { exact } from "./section.mjs";

/** @typedef {import("./section.mjs").Cell} Cell */
/** @typedef {import("./section.mjs").Run} Run */
/** @typedef {import("./section.mjs").Section} Section */

/** Bytes of the files of a folder. @param {string} folder @returns {number} */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Bytes that one of our packages unpacks to. @param {string} name */
function packedSize(name) {
  const [packed] = JSON.parse(
    runProgram("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--workspace", `packages/${name}`]),
  );
  return /** @type {number} */ (packed.unpackedSize);
}

/** @param {Run} run @returns {Section} */
export function installSection({ has, step }) {
  step("sizes of installations");
  const core = packedSize("core");
  const gateway = core + packedSize("gateway") + sizeOf(join(repository, "node_modules/undici"));
  /** @type {{ subject: string, bytes: number, packages: number }[]} */
  const installs = [
    { subject: "@rolecall/core", bytes: core, packages: 1 },
    { subject: "@rolecall/gateway", bytes: gateway, packages: 3 },
    ...peers
      .filter(({ id }) => has(id))
      .map(({ id, name }) => {
        const folder = join(folderOf(id), "node_modules");
        const { packages } = JSON.parse(readFileSync(join(folder, ".package-lock.json"), "utf8"));
        return { subject: name, bytes: sizeOf(folder), packages: Object.keys(packages).length };
      }),
  ];
  return {
    id: "install",
    title: "Installation",
    text: "Bytes of all files that an installation brings, without scripts that packages would run, and how many packages these are. The packages of Rolecall as `npm pack` makes them, with sources and source maps; the gateway with core and undici.",
    rows: [
      {
        name: "size",
        unit: "MiB",
        cells: installs.map(({ subject, bytes }) => ({ subject, spread: exact(bytes / 2 ** 20) })),
      },
      {
        name: "packages",
        unit: "",
        cells: installs.map(({ subject, packages }) => ({ subject, spread: exact(packages) })),
      },
    ],
  };
}

/** What a program imports first. */
const imports = /** @type {const} */ ([
  ["llm-bridge", 'await import("llm-bridge")'],
  ["llms", 'require("@musistudio/llms")'],
  ["ai-sdk", 'await Promise.all([import("ai"), import("@ai-sdk/anthropic")])'],
  ["pi-ai", 'await import("@earendil-works/pi-ai")'],
]);

/** @param {Run} run @returns {Section} */
export function importSection({ has, rounds, step }) {
  const subjects = [
    { subject: "@rolecall/core", folder: repository, script: 'await import("@rolecall/core")' },
    {
      subject: "with two protocols",
      folder: repository,
      script:
        'const { loadProtocol } = await import("@rolecall/core"); await loadProtocol("openai-chat"); await loadProtocol("anthropic-messages")',
    },
    ...imports
      .filter(([id]) => has(id))
      .map(([id, script]) => ({
        subject: peers.find((peer) => peer.id === id)?.name ?? id,
        folder: folderOf(id),
        script,
      })),
  ];
  /** @type {{ cpu: number, memory: number }[][]} */
  const samples = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    step(`imports, round ${round + 1} of ${rounds}`);
    const bare = costOfChild("");
    for (const [index, { folder, script }] of subjects.entries()) {
      const { cpu, resident } = costOfChild(`(async () => { ${script} })();`, {}, folder);
      samples[index]?.push({ cpu: cpu - bare.cpu, memory: resident - bare.resident });
    }
  }
  /** @param {"cpu" | "memory"} key @returns {Cell[]} */
  const cells = (key) =>
    subjects.map(({ subject }, index) => ({
      subject,
      spread: spreadOf((samples[index] ?? []).map((sample) => sample[key])),
    }));
  return {
    id: "import",
    title: "Import",
    text: "What a process needs above one that does nothing, to load the entry that a program imports; of AI SDK `ai` and one provider, of pi-ai the root, which loads APIs when they are called.",
    rows: [
      { name: "CPU time", unit: "ms", cells: cells("cpu") },
      { name: "memory", unit: "MiB", cells: cells("memory") },
    ],
  };
}
