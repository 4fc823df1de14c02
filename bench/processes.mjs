// What only a process of its own shows: the cost of an import, and the most memory that a conversion takes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversation } from "./conversation.mjs";
import { costOfChild, spreadOf } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Figure} Figure */

/**
 * CPU time and resident memory of an import above `node --eval ""`.
 * @param {number} rounds
 * @returns {Figure[]}
 */
export function importFigures(rounds) {
  const modules = [
    { name: "@rolecall/core", cpu: 30, memory: 8 },
    { name: "@rolecall/core/protocols/anthropic-messages", cpu: undefined, memory: undefined },
    { name: "@rolecall/core/providers/anthropic", cpu: 45, memory: undefined },
  ];
  const samples = Array.from({ length: rounds }, () => {
    const bare = costOfChild("");
    return modules.map(({ name }) => {
      const { cpu, resident } = costOfChild(`import(${JSON.stringify(name)});`);
      return { cpu: cpu - bare.cpu, memory: resident - bare.resident };
    });
  });
  return modules.flatMap(({ name, cpu, memory }, index) => {
    const of = (/** @type {"cpu" | "memory"} */ key) =>
      spreadOf(samples.map((sample) => sample[index]?.[key] ?? Number.NaN));
    const note = "above node --eval ''";
    return [
      { name: `import ${name}, CPU`, unit: "ms", target: cpu, spread: of("cpu"), note },
      { name: `import ${name}, memory`, unit: "MiB", target: memory, spread: of("memory"), note },
    ];
  });
}

const load = `
  const { createConverter } = await import("@rolecall/core");
  const from = (await import("@rolecall/core/protocols/anthropic-messages")).protocol;
  const to = (await import("@rolecall/core/protocols/openai-chat")).protocol;
  const text = (await import("node:fs")).readFileSync(process.env.BENCH_TEXT, "utf8");`;

/**
 * Peak memory of one conversion of about 7 MB in a fresh process, above a process that only loads the text, as a multiple of its bytes.
 * @param {number} rounds
 * @returns {Figure[]}
 */
export function memoryFigures(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "rolecall-bench-"));
  try {
    const source = conversation("anthropic-messages", 100);
    const file = join(folder, "conversation.json");
    writeFileSync(file, source);
    const peakOf = (/** @type {string} */ work) =>
      costOfChild(`(async () => {${load}${work}})();`, { BENCH_TEXT: file }).peak;
    const mebibytes = Buffer.byteLength(source) / 2 ** 20;
    const samples = Array.from({ length: rounds }, () => {
      const loaded = peakOf("");
      const json = peakOf("JSON.stringify(JSON.parse(text));") - loaded;
      return {
        json: json / mebibytes,
        own: (peakOf("createConverter(from, to).convertRequest(text);") - loaded) / mebibytes,
      };
    });
    const json = spreadOf(samples.map((sample) => sample.json)).median.toFixed(1);
    return [
      {
        name: "peak memory anthropic-messages → openai-chat",
        unit: "× text",
        target: 15,
        spread: spreadOf(samples.map(({ own }) => own)),
        note: `text of ${mebibytes.toFixed(1)} MiB, JSON alone × ${json}`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
