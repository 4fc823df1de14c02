// The page and the plot of the comparison, from what was measured.
import { writePlot } from "../plot.mjs";

/** @typedef {import("./section.mjs").Cell} Cell */
/** @typedef {import("./section.mjs").Row} Row */
/** @typedef {import("./section.mjs").Section} Section */
/** @typedef {{ node: string, processor: string, cores: number, system: string, seconds: number, rounds: number, load: number, versions: string[], sections: Section[] }} Results */

/** @param {number} value @param {string} unit */
export function figure(value, unit) {
  const digits = value >= 100 || unit === "" ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** @param {Cell} cell @param {string} unit */
function cellText({ spread, note }, unit) {
  const { median, minimum, maximum } = spread;
  const range = minimum === maximum ? "" : ` (${figure(minimum, unit)}–${figure(maximum, unit)})`;
  return `**${figure(median, unit)}**${range}${note === undefined ? "" : `, ${note}`}`;
}

/** @param {Section} section @returns {string[]} */
function sectionText({ title, text, rows }) {
  const subjects = [...new Set(rows.flatMap(({ cells }) => cells.map(({ subject }) => subject)))];
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [
    "",
    `## ${title}`,
    "",
    text,
    "",
    line(["", ...subjects]),
    line(["---", ...subjects.map(() => "---:")]),
    ...rows.map(({ name, unit, cells }) =>
      line([
        unit === "" ? name : `${name}, ${unit}`,
        ...subjects.map((subject) => {
          const cell = cells.find((candidate) => candidate.subject === subject);
          return cell === undefined ? "" : cellText(cell, unit);
        }),
      ]),
    ),
  ];
}

/** What the plot of the README shows: rows, by their section and the beginning of their names. */
const shown = /** @type {const} */ ([
  ["conversion", "700 KB request, Messages → Chat", "700 KB request in one process, Messages → Chat"],
  [
    "conversion",
    "the next turn of 700 KB, Messages → Chat",
    "The next turn of a conversation of 700 KB in one process, Messages → Chat",
  ],
  ["gateway", "same protocol (Chat): small request", "Gateway, one protocol: small request"],
  ["gateway", "same protocol (Chat): stream of 1,000 deltas at once", "Gateway, one protocol: stream of 1,000 deltas"],
  ["gateway", "Messages client, Chat service: 700 KB request", "Gateway, Messages to Chat: 700 KB request"],
  [
    "gateway",
    "Messages client, Chat service: the next turn of 700 KB",
    "Gateway, Messages to Chat: the next turn of a conversation of 700 KB",
  ],
]);

/** @param {Results} results */
export function writePerformancePlot({ sections }) {
  const rows = shown.flatMap(([section, name, title]) => {
    const row = sections.find(({ id }) => id === section)?.rows.find((candidate) => candidate.name === name);
    return row === undefined ? [] : [{ title, row }];
  });
  const groups = rows.map(({ title, row }) => ({
    title: `${title}, ${row.unit}`,
    bars: row.cells.slice(1).map(({ subject, spread }) => ({
      label: subject,
      segments: [
        {
          kind: subject.startsWith("Rolecall") ? "own" : "other",
          label: row.unit,
          value: spread.median,
          text: figure(spread.median, row.unit),
        },
      ],
      note: figure(spread.median, row.unit),
    })),
  }));
  return writePlot({
    title: "CPU time as a multiple of that of JSON alone, or of a pipe (less is better, logarithmic)",
    kinds: {
      own: { name: "Rolecall", light: "#0969da", dark: "#4493f8" },
      other: { name: "others", light: "#818b98", dark: "#818b98" },
    },
    groups,
    scale: "log",
    ticks: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].map((value) => ({ value, text: `${value} ×` })),
  });
}

/** Rows in which somebody needs less than Rolecall. @param {readonly Section[]} sections */
function whereOthersAreBetter(sections) {
  const floors = ["JSON alone", "pipe", "by hand"];
  return sections.flatMap(({ title, rows }) =>
    rows.flatMap(({ name, unit, cells }) => {
      const own = cells.find(({ subject }) => subject.includes("olecall"));
      const others = cells.filter(
        ({ subject, spread }) => !floors.includes(subject) && own !== undefined && spread.median < own.spread.median,
      );
      return others
        .filter(({ subject }) => !subject.includes("olecall"))
        .map(({ subject, spread }) => {
          const rolecall = own === undefined ? "" : figure(own.spread.median, unit);
          return (
            `- ${title}, ${name}: ${subject} ${figure(spread.median, unit)} ${unit}`.trimEnd() +
            `, Rolecall ${rolecall}`
          );
        });
    }),
  );
}

/** @param {Results} results */
export function writePerformancePage(results) {
  const { node, processor, cores, system, seconds, rounds, load, versions, sections } = results;
  const better = whereOthersAreBetter(sections);
  return [
    "# Performance beside others",
    "",
    "<!-- Written by `npm run bench:peers` from docs/figures/performance.json; the words stand in bench/compare. -->",
    "",
    "What conversions and gateways cost: Rolecall beside converters and gateways that npm offers, each figure against the least that Node needs for it in the same run.",
    "What they lose on the way is on [another page](fidelity.md): some are quick because they leave out what others carry.",
    "",
    "![CPU time of conversions and gateways](figures/performance.svg)",
    "",
    `Measured on ${cores} × ${processor}, Node ${node}, ${system}, load ${load.toFixed(1)} at the start; ${rounds} rounds in which all take turns, ${Math.round(seconds)} s in all.`,
    "Each figure is the median of the rounds, with the least and the most in brackets. Ratios hold on other machines of the same Node; times do not.",
    `Versions: ${versions.join(", ")}.`,
    "",
    "In a fresh clone, with Node 20.19 or newer:",
    "",
    "```sh",
    "npm ci && npm run bench:peers                                 # installs the others (250 MB, apart from the workspace), measures, writes this page",
    "npm run --silent bench:peers -- --only llm-bridge --rounds 5  # some of them, printed and not written; --json for all figures",
    "```",
    ...sections.flatMap(sectionText),
    "",
    "## Where another one needs less",
    "",
    ...(better.length > 0 ? better : ["- In no row."]),
    "",
  ].join("\n");
}
