import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, Loss } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { pagesOf as performancePagesOf } from "../bench/compare/pages.mjs";
import type { Direction, Output } from "../bench/fidelity/direction.ts";
import { combine, fateOf } from "../bench/fidelity/fate.ts";
import { historyOf } from "../bench/fidelity/history.ts";
import type { Tally } from "../bench/fidelity/measure.ts";
import { measureDirection, prepare } from "../bench/fidelity/measure.ts";
import { pagesOf as fidelityPagesOf } from "../bench/fidelity/pages.ts";
import { framesOfAnswer } from "../bench/fidelity/peers/frames.ts";
import { percent, sumOf } from "../bench/fidelity/results.ts";
import type { Sample } from "../bench/fidelity/samples.ts";
import { collectSamples } from "../bench/fidelity/samples.ts";
import { framesOf, writeFrames } from "../bench/fidelity/sse.ts";
import { writePlot } from "../bench/plot.mjs";
import { repository } from "./source-files.ts";

const read = (path: string): string => readFileSync(join(repository, path), "utf8");

describe.each([
  ["fidelity", fidelityPagesOf],
  ["performance", performancePagesOf],
] as const)("the page about %s", (name, pagesOf) => {
  test("is what the script writes from the figures", () => {
    const pages: { readonly [path: string]: string } = pagesOf(JSON.parse(read(`docs/figures/${name}.json`)));
    expect(Object.keys(pages)).toHaveLength(3);
    for (const [path, text] of Object.entries(pages)) expect(read(path), path).toBe(text);
  });
});

const request: Sample = {
  name: "a question",
  operation: "request",
  protocol: "openai-chat",
  body: {
    model: "m",
    temperature: 0.5,
    messages: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Which files changed?" },
    ],
  },
};

/** What becomes of the values of a sample in a conversion. */
async function tallyOf(sample: Sample, convert: Direction["convert"]): Promise<{ [concept: string]: Tally }> {
  const prepared = prepare([sample], () => () => "none");
  const direction: Direction = {
    operation: sample.operation,
    from: sample.protocol,
    to: "anthropic-messages",
    convert,
  };
  const { tallies } = await measureDirection(direction, prepared, () => {});
  return tallies as { [concept: string]: Tally };
}

const dropped = (path: string): Loss => ({ kind: "dropped", code: "x", path }) as unknown as Loss;
type Request = { temperature?: number; messages: { role: string; content: string }[] };

describe("the counting of what becomes of values", () => {
  test("finds all of a copy", async () => {
    const tallies = await tallyOf(request, (value) => ({ value }));
    expect(Object.values(tallies).flatMap(({ told, silent }) => [told, silent])).not.toContain(1);
    expect(tallies["settings"]).toEqual({ survived: 2, told: 0, silent: 0 });
    expect(tallies["unknown fields"]).toEqual({ survived: 3, told: 0, silent: 0 });
  });

  test("tells losses that are reported from others", async () => {
    const convert =
      (losses: readonly Loss[]) =>
      (value: Json): Output => {
        const { messages } = value as unknown as Request;
        return { value: { messages: messages.map(({ content }) => content) }, losses };
      };
    expect((await tallyOf(request, convert([])))["settings"]).toEqual({ survived: 0, told: 0, silent: 2 });
    expect((await tallyOf(request, convert([dropped("/temperature")])))["settings"]).toEqual({
      survived: 0,
      told: 1,
      silent: 1,
    });
    expect((await tallyOf(request, convert([dropped("")])))["settings"]).toEqual({ survived: 0, told: 0, silent: 2 });
  });

  test("wants a text to arrive, and not only to make a difference", async () => {
    const tallies = await tallyOf(request, (value) => ({ value: JSON.stringify(value).length }));
    expect(tallies["texts, calls and results"]?.silent).toBe(1);
    expect(tallies["instructions and their place"]).toEqual({ survived: 2, told: 0, silent: 1 });
  });

  test("counts a warning that goes away with what holds a value", async () => {
    const tallies = await tallyOf(request, (value) => {
      const { messages } = value as unknown as Request;
      const users = messages.filter(({ role }) => role !== "developer");
      return { value: users as unknown as Json, warnings: messages.length > users.length ? ["no developer here"] : [] };
    });
    expect(tallies["instructions and their place"]?.told).toBeGreaterThan(0);
    expect(tallies["settings"]?.silent).toBe(2);
  });

  test("leaves out bodies that are refused, and takes a change that is refused for told", async () => {
    const refuse = (value: Json): Output => {
      if (JSON.stringify(value) !== JSON.stringify(request.body)) throw new Error("no");
      return { value };
    };
    expect((await tallyOf(request, refuse))["settings"]).toEqual({ survived: 0, told: 2, silent: 0 });
    const none = await tallyOf(request, () => {
      throw new Error("never");
    });
    expect(none).toEqual({});
  });

  test("does not take what differs each time for an arrival", async () => {
    const tallies = await tallyOf(request, () => ({
      value: { id: crypto.randomUUID(), created: Math.floor(Date.now() / 1000) },
    }));
    expect(Object.values(tallies).every(({ survived }) => survived === 0)).toBe(true);
  });

  test("changes the copies within a stream together", async () => {
    const events = [
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Two files." } },
      { type: "end", whole: "Two files." },
    ];
    const stream: Sample = { name: "a stream", operation: "stream", protocol: "anthropic-messages", body: { events } };
    const tallies = await tallyOf(stream, (body) => ({
      value: (body as unknown as { events: Json[] }).events[1] ?? null,
    }));
    expect(tallies["texts, calls and results"]).toEqual({ survived: 1, told: 0, silent: 0 });
  });

  test("counts the best of the changes, and a removal only where no change is accepted", () => {
    expect(
      combine([
        { fate: "silent", isRemoval: false },
        { fate: "survived", isRemoval: true },
      ]),
    ).toBe("silent");
    expect(
      combine([
        { fate: "refused", isRemoval: false },
        { fate: "survived", isRemoval: true },
      ]),
    ).toBe("survived");
    expect(
      combine([
        { fate: "silent", isRemoval: false },
        { fate: "told", isRemoval: false },
      ]),
    ).toBe("told");
    expect(combine([{ fate: "refused", isRemoval: false }])).toBe("told");
  });

  test("finds a text that was cut into pieces", () => {
    const base = { output: { value: ["a"] }, text: "a" };
    const cut = { output: { value: ["wo", "rd"] }, text: "b" };
    expect(fateOf(base, cut, { pointer: "/x", token: "word" })).toBe("survived");
    expect(fateOf(base, cut, { pointer: "/x", token: "wort" })).toBe("silent");
    expect(fateOf(base, undefined, { pointer: "/x" })).toBe("refused");
  });

  test("sums what is documented apart from unknown fields", () => {
    const tallies = {
      media: { survived: 1, told: 2, silent: 3 },
      "unknown fields": { survived: 4, told: 5, silent: 6 },
    };
    const figures = [
      { operation: "request", from: "openai-chat", to: "own", bodies: 1, refused: 0, tallies, examples: [] } as const,
    ];
    expect(sumOf(figures, () => true)).toEqual(tallies.media);
    expect(sumOf(figures, () => true, "unknown fields")).toEqual(tallies["unknown fields"]);
    expect(sumOf(figures, () => false)).toEqual({ survived: 0, told: 0, silent: 0 });
  });

  test("calls nothing 0 or 100 percent that is not", () => {
    expect([
      percent(0, 9),
      percent(9, 9),
      percent(1, 9000),
      percent(1, 300),
      percent(8999, 9000),
      percent(1, 3),
      percent(0, 0),
    ]).toEqual(["0 %", "100 %", "< 0.1 %", "0.3 %", "> 99.9 %", "33 %", "–"]);
  });
});

describe("the bodies that are measured", () => {
  const samples = collectSamples();

  test("are of every kind and protocol", () => {
    const kinds = new Set(samples.map(({ operation, protocol }) => `${operation} ${protocol}`));
    expect(kinds.size).toBe(16);
  });

  test("stand in the history of the next request as they are", () => {
    for (const { protocol, body } of samples.filter(({ operation }) => operation === "history")) {
      const text = JSON.stringify(historyOf(protocol, body).body);
      const [root] =
        protocol === "openai-responses" ? ["output"] : protocol === "anthropic-messages" ? ["content"] : [];
      if (root !== undefined)
        expect(text).toContain(JSON.stringify((body as { [key: string]: Json })[root]).slice(1, -1));
    }
  });

  test("lose nothing when they are written as a stream", () => {
    for (const { name, protocol, body } of samples.filter(({ operation }) => operation === "response")) {
      const text = JSON.stringify(
        framesOf(writeFrames({ events: framesOfAnswer(protocol, body) as Json[] }, protocol)),
      );
      const missing = textsOf(body).filter((word) => !text.includes(JSON.stringify(word).slice(1, -1)));
      expect(missing, `${name} of ${protocol}`).toEqual(
        protocol === "openai-chat" ? missing.filter((word) => word === "chat.completion") : [],
      );
    }
  });
});

function textsOf(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe("a plot", () => {
  const kinds = { own: { name: "ours & <others>", light: "#111111", dark: "#eeeeee" } };
  const bar = (label: string, value: number) => ({
    label,
    segments: [{ label: "time", kind: "own", value }],
    note: String(value),
  });
  const widths = (text: string): number[] =>
    [...text.matchAll(/<rect class="own" [^>]*width="([\d.]+)" height="14"/g)].map(([, width]) => Number(width));

  test("draws bars to scale", () => {
    const ticks = [0, 50, 100].map((value) => ({ value, text: `${value} %` }));
    const text = writePlot({
      title: "t",
      kinds,
      groups: [{ title: "", bars: [bar("a", 25), bar("b", 100)] }],
      scale: "linear",
      ticks,
    });
    const [quarter = 0, whole = 0] = widths(text);
    expect(quarter * 4).toBeCloseTo(whole, 0);
    expect(text).toContain("25 %".slice(0, 2));
  });

  test("draws each factor as the same length on a logarithmic scale, and nothing below its least", () => {
    const ticks = [1, 10, 100].map((value) => ({ value, text: `${value} ×` }));
    const bars = [bar("a", 10), bar("b", 100), bar("c", 0.5)];
    const [ten = 0, hundred = 0, less = 1] = widths(
      writePlot({ title: "t", kinds, groups: [{ title: "g", bars }], scale: "log", ticks }),
    );
    expect(ten * 2).toBeCloseTo(hundred, 0);
    expect(less).toBe(0);
  });

  test("escapes what it says and has colours for light and dark ground", () => {
    const ticks = [
      { value: 0, text: "0" },
      { value: 1, text: "1" },
    ];
    const text = writePlot({ title: 'a "b"', kinds, groups: [], scale: "linear", ticks });
    expect(text).toContain("ours &amp; &lt;others&gt;");
    expect(text).toContain('aria-label="a &quot;b&quot;"');
    expect(text).toMatch(/\.own\{fill:#111111\}@media\(prefers-color-scheme:dark\)\{.*\.own\{fill:#eeeeee\}\}/);
  });
});
