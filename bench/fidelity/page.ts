import type { Bar, Group } from "../plot.mjs";
import { writePlot } from "../plot.mjs";
import { concepts } from "./concept.ts";
import type { Operation } from "./direction.ts";
import type { DirectionFigures, Tally } from "./measure.ts";
import type { Results, Scope, SubjectFigures } from "./results.ts";
import { isAcross, isOf, isWithin, keyOf, percent, sameAs, sumOf, totalOf } from "./results.ts";

/** How converters are compared: those that take bodies of protocols, and those that read answers into objects of their own. */
const comparisons: readonly { readonly title: string; readonly scope: Scope; readonly ids: readonly string[] }[] = [
  {
    title: "requests, answers and streams from one protocol to another",
    scope: (figures) => isAcross(figures) && isOf("request", "response", "stream")(figures),
    ids: ["llm-bridge", "portkey", "llms"],
  },
  {
    title: "answers that were read and go back with the next request, to the same or another protocol",
    scope: isOf("history"),
    ids: ["ai-sdk", "pi-ai"],
  },
];

const names: { readonly [protocol: string]: string } = {
  "openai-chat": "Chat",
  "openai-responses": "Responses",
  "anthropic-messages": "Messages",
  "gemini-generate-content": "Gemini",
  own: "its objects",
};

const operationNames: { readonly [operation in Operation]: string } = {
  request: "request",
  response: "answer",
  stream: "stream",
  history: "answer in the next request",
};

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(head),
  row(head.map((_, index) => (index === 0 ? "---" : "---:"))),
  ...rows.map(row),
];

/** Shares of a tally: survived, told, silent. */
const shares = (tally: Tally): string[] =>
  [tally.survived, tally.told, tally.silent].map((part) => percent(part, totalOf(tally)));

/** The shares that are counted against a peer, and what Rolecall does on the same ways. */
interface Pair {
  readonly peer: SubjectFigures;
  readonly own: Tally;
  readonly rolecall: Tally;
  readonly ways: number;
}

function pairsOf({ subjects }: Results, scope: Scope, ids: readonly string[]): Pair[] {
  const rolecall = subjects.find(({ id }) => id === "rolecall");
  return subjects
    .filter(({ id }) => ids.includes(id))
    .map((peer) => {
      const isSame = sameAs(peer.figures);
      return {
        peer,
        own: sumOf(peer.figures, scope),
        rolecall: sumOf(rolecall?.figures ?? [], (figures) => scope(figures) && isSame(figures)),
        ways: peer.figures.filter(scope).length,
      };
    });
}

/** The plot that stands on the page and in the README. */
export function writeFidelityPlot(results: Results): string {
  const bar = (label: string, tally: Tally): Bar => {
    const part = (key: keyof Tally): number => (100 * tally[key]) / Math.max(1, totalOf(tally));
    return {
      label,
      segments: (["survived", "told", "silent"] as const).map((kind) => ({
        kind,
        label: kind,
        value: part(kind),
        text: percent(tally[kind], totalOf(tally)),
      })),
      note: `${percent(tally.silent, totalOf(tally))} silent`,
    };
  };
  const groups = comparisons.flatMap(({ title, scope, ids }): Group[] =>
    pairsOf(results, scope, ids).map(({ peer, own, rolecall }, index) => ({
      title: index === 0 ? title[0]?.toUpperCase() + title.slice(1) : "",
      bars: [bar(peer.name, own), bar("Rolecall, same ways", rolecall)],
    })),
  );
  return writePlot({
    title: "What becomes of each value of a body",
    kinds: {
      survived: { name: "arrives", light: "#1a7f37", dark: "#3fb950" },
      told: { name: "does not arrive, and is told", light: "#bf8700", dark: "#d29922" },
      silent: { name: "is lost in silence", light: "#cf222e", dark: "#f85149" },
    },
    groups,
    scale: "linear",
    ticks: [0, 25, 50, 75, 100].map((value) => ({ value, text: `${value} %` })),
  });
}

function summary(results: Results): string[] {
  return comparisons.flatMap(({ title, scope, ids }) => {
    const rows = pairsOf(results, scope, ids).map(({ peer, own, rolecall, ways }) => [
      peer.name,
      String(ways),
      String(totalOf(own)),
      ...shares(own),
      percent(rolecall.told, totalOf(rolecall)),
      percent(rolecall.silent, totalOf(rolecall)),
    ]);
    return [
      "",
      `${title[0]?.toUpperCase()}${title.slice(1)}:`,
      "",
      ...table(["", "Ways", "Values", "Arrive", "Told", "Silent", "Rolecall on the same ways: told", "silent"], rows),
    ];
  });
}

function byConcept(results: Results, { scope, ids }: (typeof comparisons)[number]): string[] {
  const shown = results.subjects.filter(({ id }) => id === "rolecall" || ids.includes(id));
  const cell = (tally: Tally): string =>
    totalOf(tally) === 0
      ? "–"
      : shares(tally)
          .map((share) => share.replace(" %", ""))
          .join(" / ");
  const rows = concepts.map((concept) => [
    concept,
    ...shown.map(({ figures }) => cell(sumOf(figures, scope, concept))),
  ]);
  return table(["", ...shown.map(({ name }) => name)], rows);
}

function byWay(results: Results): string[] {
  const ways = new Map<string, DirectionFigures>();
  for (const { figures } of results.subjects)
    for (const direction of figures) if (!ways.has(keyOf(direction))) ways.set(keyOf(direction), direction);
  const rows = [...ways].map(([key, { operation, from, to }]) => [
    `${operationNames[operation]}, ${names[from]} → ${names[to]}`,
    ...results.subjects.map(({ figures }) => {
      const own = figures.find((direction) => keyOf(direction) === key);
      if (own === undefined) return "";
      const tally = sumOf([own], () => true);
      const refused = own.refused > 0 ? `, ${own.refused} of ${own.bodies} refused` : "";
      return `${percent(tally.silent, totalOf(tally))}${refused}`;
    }),
  ]);
  return table(["", ...results.subjects.map(({ name }) => name)], rows);
}

function within(results: Results): string[] {
  const rows = results.subjects.flatMap(({ name, figures }) => {
    const scope: Scope = (direction) => isWithin(direction) && isOf("request", "response", "stream")(direction);
    const documented = sumOf(figures, scope);
    if (totalOf(documented) === 0) return [];
    const unknown = sumOf(figures, scope, "unknown fields");
    return [
      [name, String(figures.filter(scope).length), ...shares(documented), percent(unknown.silent, totalOf(unknown))],
    ];
  });
  return table(["", "Ways", "Arrive", "Told", "Silent", "Unknown fields: silent"], rows);
}

function readAnswers(results: Results): string[] {
  const rows = results.subjects.flatMap(({ name, figures }) =>
    figures
      .filter(({ to }) => to === "own")
      .map((direction) => [`${name}, ${names[direction.from]}`, ...shares(sumOf([direction], () => true))]),
  );
  return table(["", "Can be read", "Told", "Silent"], rows);
}

const MOST_EXAMPLES = 8;

function examples(results: Results): string[] {
  return results.subjects.flatMap(({ id, name, figures }) => {
    const most = id === "rolecall" ? 40 : MOST_EXAMPLES;
    const found = new Map<string, string>();
    for (const direction of figures.filter(({ to }) => to !== "own")) {
      for (const example of direction.examples) {
        const [kind = ""] = example.split(" (");
        const concept = id === "rolecall" ? kind : (kind.split(":")[0] ?? "");
        if (!found.has(concept)) found.set(concept, `${names[direction.from]} → ${names[direction.to]}, ${example}`);
      }
    }
    const lines = [...found.values()].slice(0, most).map((text) => `- ${text.replace(/: (\S+)/, ": `$1`")}`);
    return [
      "",
      `${name}${id === "rolecall" ? ", all kinds of places" : ""}:`,
      "",
      ...(lines.length > 0 ? lines : ["- none"]),
    ];
  });
}

/** Concepts of which more arrives by way of a peer, or less is lost in silence, than Rolecall does on the same ways. */
function whereOthersKeepMore(results: Results): string[][] {
  const rolecall = results.subjects.find(({ id }) => id === "rolecall")?.figures ?? [];
  return comparisons.flatMap(({ scope, ids }) =>
    results.subjects
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ name, figures }) =>
        concepts.flatMap((concept) => {
          const isSame = sameAs(figures);
          const own = sumOf(figures, scope, concept);
          const other = sumOf(rolecall, (direction) => scope(direction) && isSame(direction), concept);
          const share = (tally: Tally, key: keyof Tally): number => tally[key] / Math.max(1, totalOf(tally));
          const isMore =
            share(own, "survived") > share(other, "survived") + 0.01 ||
            share(own, "silent") < share(other, "silent") - 0.001;
          if (totalOf(own) === 0 || !isMore) return [];
          return [[concept, name, ...shares(own), ...shares(other)]];
        }),
      ),
  );
}

/** The page, from what was measured. */
export function writeFidelityPage(results: Results): string {
  const versions = results.subjects.map(({ name, versions: list }) => `${name} (${list.join(", ")})`);
  return [
    "# Fidelity",
    "",
    "<!-- Written by `npm run fidelity` from docs/figures/fidelity.json; the words stand in bench/fidelity/page.ts. -->",
    "",
    "What becomes of each value of a conversation when it goes from one protocol to another: does it arrive, is its loss told, or is it lost in silence?",
    "Measured for Rolecall and for converters and gateways that npm offers, on the same bodies and by the same rule.",
    "",
    "![Shares of the values that arrive, are told, and are lost in silence](figures/fidelity.svg)",
    ...summary(results),
    "",
    `Measured: ${versions.join("; ")}. Node ${results.node}, ${results.system}; ${Math.round(results.seconds)} s. Nothing here depends on the speed of a machine.`,
    "",
    "In a fresh clone, with Node 20.19 or newer:",
    "",
    "```sh",
    "npm ci && npm run fidelity                        # installs the others (250 MB, apart from the workspace), measures, writes this page",
    "npm run --silent fidelity -- --only llm-bridge    # some of them, printed and not written; --json for all figures",
    "```",
    "",
    "## The rule",
    "",
    "- The bodies are the repository's own [fixtures](../fixtures/README.md): all of `fixtures/parallel`, and of each example of `fixtures/matrix` what it adds",
    "  to the least body. They were written to show what the protocols have; whoever writes the fixtures knows what they look for, so look at them.",
    "- Each value of a body is changed, one at a time, into another value that the fixtures have at such a place or by a mark in it. Where no changed body is",
    "  accepted, it is taken away. `type` and `object` are not changed: they make another thing of what holds them. Copies of one id, and repetitions within a",
    "  stream, are changed together. An instruction among the turns is also moved.",
    "- It **arrives** where the output changes with it; a text that a model or a person reads must stand in the output. Nothing is asked of the place: also a",
    "  value that stands in the target under a name that the target does not have counts as arrived. That flatters converters that copy fields.",
    "- It is **told** where it does not arrive and the report says so: a loss at its place, a warning that goes away with what holds the value, or any change",
    "  of the report. A changed body that is only ever refused is told, too.",
    "- It is **lost in silence** otherwise.",
    "- What need not show (constants, values that equal a documented default, `null` for absent) is listed for each protocol in",
    "  `packages/core/src/protocols/*/redundancy.ts`, and left out for all alike.",
    "- A mark as an unknown key is put into each object as well. These *unknown fields* are not in the figures above, but in the table by concept.",
    "- A body that a converter refuses as it stands is counted as refused, and its values in no share.",
    "",
    "## What was measured of each",
    "",
    "- **Rolecall**: `createConverter(…).convertRequest`, `convertResponse`, `convertStream`, without options but the time of an answer; its report are the losses.",
    "- **llm-bridge**: `toUniversal` and `fromUniversalWithInfo`, as its `translateBetweenProviders` puts them together, and `handleUniversalStreamRequest`. It has",
    "  no call for whole answers. Its report is what `fromUniversalWithInfo` gives beside the result: a quality in percent and counts. Its universal form keeps",
    "  the source under `_original`, which goes into no body of another protocol.",
    "- **Portkey gateway**: started as its README says, in front of a service on this machine (`x-portkey-custom-host`), with",
    "  `x-portkey-strict-open-ai-compliance: false`, because it leaves blocks of thinking out of answers otherwise. `hono` and `@hono/node-server` are held at",
    '  older versions by `overrides`: with those that a fresh installation brings, 4.13.19 and 1.19.19, every stream fails on Node 20 ("TypeError: immutable"). Clients of Messages and Responses reach only services of the same',
    '  protocol: for others it answers "is not supported by".',
    "- **@musistudio/llms**: its server with a provider of each protocol. It has no way from Chat to Messages and none for clients of Responses or Gemini; answers",
    "  of a service of Messages go unchanged to any client.",
    "- **AI SDK** and **pi-ai** do not take bodies of a protocol: their requests start from objects of their own. So they get answers, from a `fetch` of ours or",
    "  a service on this machine, and the next request is looked at that they send with the answer in its history. Of Rolecall the same is measured as a client",
    "  does it that keeps the answer as its vendor says and sends it by way of Rolecall. AI SDK's report are its `warnings`, which name what was left out; pi-ai",
    "  has none. pi-ai only asks for streams: it gets each answer as a stream that says the same (`bench/fidelity/peers/frames.ts`). AI SDK is asked with",
    "  `store: false`; the `reasoning_content` of Chat is read by another of its packages, `@ai-sdk/openai-compatible`.",
    "- Model names of the fixtures are unknown to all of them, so nothing is decided by a catalogue of models.",
    "",
    "## By concept",
    "",
    "Shares in percent that arrive / are told / are lost in silence. The columns cover the ways that each offers, so they differ in their protocols.",
    ...comparisons.flatMap((comparison) => [
      "",
      `${comparison.title[0]?.toUpperCase()}${comparison.title.slice(1)}:`,
      "",
      ...byConcept(results, comparison),
    ]),
    "",
    "Signatures and sealed reasoning are of use to the service only that made them: toward another protocol Rolecall leaves them out and says so. Where they arrive by",
    "way of others, they stand in fields that the target does not have (`content_blocks` of an answer of Chat, by Portkey; `thinking` of a message of Chat, by llms), within a",
    "text (a whole part of Gemini as JSON in a message of Chat, by llm-bridge), or in the field for signatures of another service (Messages and Gemini, by llms). pi-ai leaves",
    "thinking out of the next request when the model changes, as its README says.",
    "",
    "## Within one protocol",
    "",
    "A gateway that only passes on should change nothing.",
    "",
    ...within(results),
    "",
    "## What a program can read of an answer",
    "",
    "Values of answers that reach the objects which a library hands out. Of AI SDK these are content, messages, finish reason, usage and provider metadata, without",
    "the raw body that it also offers; of pi-ai the message; of Rolecall the message of its representation with what it keeps for its own protocol.",
    "",
    ...readAnswers(results),
    "",
    "## Way by way",
    "",
    "Shares lost in silence, without unknown fields.",
    "",
    ...byWay(results),
    "",
    "## Some of what is lost in silence",
    "",
    "One place for each concept, with the fixture that shows it. `*` stands for an index, `…` for an unknown key.",
    ...examples(results),
    "",
    "## Where another one is better",
    "",
    "More arrives by way of another converter than by way of Rolecall, on the same ways (in percent; `arrive` counts copies of fields that the target does not have, too):",
    "",
    ...table(["", "", "Arrive", "Told", "Silent", "Rolecall: arrive", "told", "silent"], whereOthersKeepMore(results)),
    "",
    "And besides:",
    "",
    "- **llm-bridge** is a fraction of the size of Rolecall's core, and quicker on small requests: see [performance](performance.md).",
    "- **Portkey gateway** reaches far more providers, and offers retries, fallbacks, load balancing and guardrails; Rolecall converts between four protocols.",
    "- **AI SDK** and **pi-ai** are made for writing programs with models: tools that are run, structured output, catalogues of models and prices, many providers.",
    "  Their objects say what programs need most; that not everything of an answer is in them is a choice, which shows where a conversation goes on.",
    "- **@musistudio/llms** hands a signature of Gemini to a client of Messages as that of a block of thinking, and puts what such a client sends back into the next request to",
    "  Gemini, which so gets back what it signed; Rolecall leaves it out of the answer, and says so. It also has transformers for single providers and models, which can be put",
    "  together in its configuration.",
    "- A gateway that passes the bytes of a body on loses nothing, whoever it is: see the table within one protocol.",
    "- What each costs to run and to install is another matter: see [performance](performance.md).",
    "",
  ].join("\n");
}
