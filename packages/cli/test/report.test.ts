import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Loss } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import type { Output } from "../src/environment.ts";
import { supportsColor } from "../src/environment.ts";
import { measure } from "../src/report/measure.ts";
import { renderReport } from "../src/report/render.ts";
import { createReport, newsSince } from "../src/report/report.ts";
import { columnsOf } from "../src/terminal/text.ts";
import { anthropicRequest, atTerminal, repository, rolecall, temporaryFolder } from "./command.ts";

const { write, path } = temporaryFolder();
const demo = join(repository, "fixtures/demo/claude-code-like.json");
const toChat = ["convert", "--to", "openai-chat"];

function terminal(columns: number, color = false): Output {
  return { isTerminal: true, columns, supportsColor: color, write: () => {}, drained: async () => {} };
}

function loss(code: string, more: Partial<Loss> = {}): Loss {
  return {
    code,
    kind: "dropped",
    effect: "control",
    severity: "warning",
    stage: "encode",
    from: "anthropic-messages",
    to: "openai-chat",
    path: `/${code.replace(".", "/")}`,
    detail: `no place for ${code}`,
    ...more,
  };
}

const rendered = (losses: readonly Loss[], columns = 100, verbose = false): string[] =>
  renderReport(
    { report: createReport("anthropic-messages", "openai-chat", losses), size: "1 KB", verbose },
    terminal(columns),
  )
    .trimEnd()
    .split("\n");

describe("a report at the terminal", () => {
  test("is a handful of lines for an agent's request", async () => {
    const { status, stdout, stderr } = await atTerminal([...toChat, demo]);
    const lines = stderr.trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /^anthropic-messages → openai-chat {3}3 tools · 5 messages · 5 KB {3}\d+ losses in \d groups$/,
    );
    expect(lines.length).toBeLessThanOrEqual(1 + 8 + 1);
    expect(lines.at(-1)).toMatch(/rolecall explain CODE$/);
    expect(lines.find((line) => line.includes("cache.mark"))).toMatch(/^ {2}cost +· cache\.mark +×4 {2}/);
    expect(stdout).toContain('\n  "messages": [\n');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(rolecall([...toChat, demo]).stdout));
    expect(status).toBe(0);
  });

  test.each([20, 40, 60, 80, 100, 160])("fits %d columns", async (columns) => {
    const wide = structuredClone(anthropicRequest) as Record<string, unknown>;
    wide["字段".repeat(20)] = 1;
    wide["🧑‍🚀".repeat(9)] = 2;
    const files = [demo, write("wide.json", wide)];
    for (const file of files) {
      for (const flags of [[], ["--verbose"], ["--time"]]) {
        const { stderr } = await atTerminal([...toChat, ...flags, file], { columns });
        for (const line of stderr.trimEnd().split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        if (columns >= 80) expect(stderr).toMatch(/losses in \d groups\n/);
      }
    }
  });

  test("begins with the time where it is asked for", async () => {
    const { stderr } = await atTerminal([...toChat, "--time", demo]);
    expect(stderr).toMatch(/^14:02:11 {2}anthropic-messages → openai-chat/);
  });

  test("is not printed with --json", async () => {
    const { stderr } = await atTerminal([...toChat, "--json", demo]);
    expect(stderr).toBe("");
  });

  test("asks for a file where nothing is piped in", async () => {
    const { status, stderr } = await atTerminal(toChat);
    expect(stderr).toContain("no FILE is named and nothing is piped in");
    expect(status).toBe(2);
  });

  test("of nothing lost is one line", () => {
    expect(rendered([])).toEqual(["anthropic-messages → openai-chat   1 KB   no losses"]);
  });

  test("shows the next turn's news only", async () => {
    const body = JSON.parse(readFileSync(demo, "utf8"));
    body.messages.push({
      role: "assistant",
      content: [{ type: "thinking", thinking: "Ten percent.", signature: "YQ==" }],
    });
    body.messages.push({ role: "user", content: "Yes." });
    const next = write("next.json", body);
    const report = path("report.json");
    await atTerminal([...toChat, "--report", report, demo]);
    const { stderr } = await atTerminal([...toChat, "--previous", report, next]);
    expect(stderr).toMatch(/1 new loss in 1 group · \d+ as before\n/);
    expect(stderr.match(/\n {2}\w/g)).toHaveLength(2);
    expect(stderr).toContain("/messages/5/content/0");
  });
});

describe("groups", () => {
  test("are ranked by effect, then severity, then count", () => {
    const losses = [
      loss("cache.mark", { effect: "cost", severity: "info" }),
      loss("part.opaque", { effect: "content" }),
      loss("instruction.lowered", { effect: "authority", severity: "error" }),
      loss("text.lone_surrogate", { effect: "content", severity: "info" }),
    ];
    expect(
      rendered(losses)
        .slice(1, -1)
        .map((line) => line.trim().split(/ +/).slice(0, 3)),
    ).toEqual([
      ["authority", "!", "instruction.lowered"],
      ["content", "!", "part.opaque"],
      ["content", "·", "text.lone_surrogate"],
      ["cost", "·", "cache.mark"],
    ]);
  });

  test("of form are folded, unless they warn", () => {
    const losses = [
      loss("format.name", { effect: "form", severity: "info" }),
      loss("text.joined", { effect: "form", severity: "info" }),
      loss("text.joined", { effect: "form", severity: "info", path: "/b" }),
      loss("tool_result.moved", { effect: "form" }),
    ];
    const lines = rendered(losses);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("tool_result.moved");
    expect(lines[2]).toBe("  + 2 groups of form (3)   rolecall explain CODE");
    expect(rendered(losses, 100, true).filter((line) => line.includes("text.joined"))).toHaveLength(1);
    expect(rendered(losses, 100, true).join("\n")).not.toContain("+ 2 groups");
  });

  test("that only inform are folded beyond eight, the least first; what warns never is", () => {
    const informing = ["a", "b", "c", "d", "e", "f"].map((name) =>
      loss(`cache.${name}`, { effect: "cost", severity: "info" }),
    );
    const warning = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((name) => loss(`setting.${name}`));
    expect(rendered([...informing, ...warning.slice(0, 5)])).toHaveLength(1 + 8 + 1);
    expect(rendered([...informing, ...warning.slice(0, 5)]).at(-1)).toContain("+ 3 groups of cost (3)");
    const all = rendered([...informing, ...warning, loss("safety.x", { effect: "safety", severity: "info" })]);
    expect(all).toHaveLength(1 + 10 + 1);
    expect(all[1]).toContain("safety.x");
  });

  test("of several kinds say how many of each", () => {
    const losses = [loss("cache.mark"), loss("cache.mark", { kind: "approximated", path: "/b" })];
    expect(rendered(losses)[1]).toContain("(1 dropped, 1 approximated)");
  });

  test("that are accepted are summed up", () => {
    const losses = [
      loss("cache.mark", { accepted: "no cache" }),
      loss("cache.mark", { accepted: "no cache", path: "/b" }),
      loss("top.k", { accepted: "unused" }),
      loss("part.opaque"),
    ];
    const lines = rendered(losses);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe('  accepted: 2 by "no cache", 1 by "unused"   rolecall explain CODE');
  });
});

describe("what is not safe to show", () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\u2028\ud800x";

  test("is escaped in codes, details, places, reasons and profiles", () => {
    const losses = [
      loss(`field.${evil}`, { path: `/${evil}`, detail: evil, replacement: evil }),
      loss("cache.mark", { accepted: evil }),
    ];
    for (const verbose of [false, true]) {
      const text = rendered(losses, 400, verbose).join("\n");
      for (const character of [...evil].filter((item) => !/[\w;[\]]/.test(item))) expect(text).not.toContain(character);
      expect(text).toContain("\\u001b]0;title\\u0007");
    }
  });

  test("is escaped in the result at a terminal, which stays the same JSON", async () => {
    const body = { ...anthropicRequest, messages: [{ role: "user", content: "a\u009b31m\u202eb\u007f" }] };
    const { stdout } = await atTerminal([...toChat, write("evil.json", body)]);
    expect(stdout).toContain("a\\u009b31m\\u202eb\\u007f");
    expect(JSON.parse(stdout).messages.at(-1).content).toBe("a\u009b31m\u202eb\u007f");
  });
});

describe("colour", () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [true, { TERM: "dumb" }, false],
  ])("terminal %j with %j: %j", (isTerminal, variables, expected) => {
    expect(supportsColor(isTerminal, variables)).toBe(expected);
  });

  test("changes nothing but colour", async () => {
    const plain = await atTerminal([...toChat, "--verbose", demo]);
    const colored = await atTerminal([...toChat, "--verbose", demo], { color: true });
    expect(colored.stderr).not.toBe(plain.stderr);
    expect(stripVTControlCharacters(colored.stderr)).toBe(plain.stderr);
  });

  test("is read from the environment of the process", () => {
    const sequence = "\u001b[";
    expect(rolecall([...toChat, "--verbose", demo]).stderr).not.toContain(sequence);
    expect(rolecall([...toChat, "--verbose", demo], { env: { FORCE_COLOR: "1" } }).stderr).toContain(sequence);
    expect(rolecall(["explain"], { env: { FORCE_COLOR: "1" } }).stdout).toContain(sequence);
    expect(rolecall(["explain"], { env: { NO_COLOR: "1" } }).stdout).not.toContain(sequence);
  });
});

describe("the size of a body", () => {
  test.each([
    [{ messages: [{}, {}], tools: [{}] }, 5_000, "1 tool · 2 messages · 5 KB"],
    [
      { contents: [{}], tools: [{ functionDeclarations: [{}, {}] }, { googleSearch: {} }] },
      300,
      "3 tools · 1 message · 300 bytes",
    ],
    [{ input: "Hello" }, 2_000_000, "1 message · 1,953 KB"],
    [{ choices: [] }, 1, "1 byte"],
    [5, 1, "1 byte"],
  ])("%j", (body, bytes, words) => {
    expect(measure(body as never, bytes)).toBe(words);
  });
});

test("news is what the previous report had not", () => {
  const known = [loss("cache.mark")];
  const report = createReport("anthropic-messages", "openai-chat", [...known, loss("cache.mark", { path: "/new" })]);
  const news = newsSince(report, known);
  expect(news.report.losses.map((entry) => entry.path)).toEqual(["/new"]);
  expect(news.repeated).toBe(1);
});
