import type { Loss } from "@rolecall/core";
import { groupLosses, summarizeLosses } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import type { ExchangeRecord, Report } from "../src/index.ts";
import { createReportStore } from "../src/report/store.ts";
import { groupsOf, keepLosses, summaryOf, withoutDetails } from "../src/report/tally.ts";
import { chatText, json } from "./service.ts";
import { post, start } from "./start.ts";

const many = (count: number, start = 0): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${start + index}`, 1]));

const request = (fields: object, text = "hi") => ({
  model: "m",
  max_tokens: 5,
  messages: [{ role: "user", content: text }],
  ...fields,
});

const begin = () =>
  start({ protocol: "openai-chat", answer: (_request, response) => json(response, 200, chatText("ok")) });

async function reportOf(url: string, answer: Response): Promise<Report> {
  const id = /report="(\w+)"/.exec(answer.headers.get("rolecall-losses") ?? "")?.[1];
  await answer.text();
  return (await (await fetch(`${url}/rolecall/reports/${id}`)).json()) as Report;
}

describe("a request with very many losses", () => {
  test("is counted exactly, and told in part", async () => {
    const { url } = await begin();
    const answer = await post(url, "/v1/messages", request(many(20_000)));
    expect(answer.headers.get("rolecall-losses")).toMatch(/total=20\d\d\d, groups=\d, new=20\d\d\d,/);
    const report = await reportOf(url, answer);
    const unknown = report.groups.find(({ code }) => code === "field.no_counterpart")!;
    expect(unknown.count).toBe(20_000);
    expect(report.losses.length).toBe(1000);
    expect(report.losses.length + report.omitted.reduce((sum, { count }) => sum + count, 0)).toBe(report.summary.total);
    expect(JSON.stringify(report).length).toBeLessThan(500_000);
  });

  test("has news only where the request before it had none of a code, or fewer", async () => {
    const { url, records } = await begin();
    for (const count of [5000, 5000, 6000, 10]) await (await post(url, "/v1/messages", request(many(count)))).text();
    expect(records.map(({ fresh, turn }) => [turn, fresh > 5000])).toEqual([
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ]);
    expect(records[1]!.more).toBe(0);
    expect(records[2]!.more).toBe(1000);
  });
});

const effects = ["safety", "authority", "content", "form"] as const;

/** Losses of a few kinds, some of them accepted. */
function losses(count: number, place = ""): Loss[] {
  return Array.from({ length: count }, (_, index) => ({
    code: `a.${index % 7}`,
    kind: index % 2 === 0 ? "dropped" : "approximated",
    effect: effects[(index % 7) % 4]!,
    severity: index % 7 === 3 ? "error" : index % 7 === 5 ? "warning" : "info",
    stage: "encode",
    from: "openai-chat",
    to: "anthropic-messages",
    path: `/${place}/${index}`,
    detail: "d",
    ...(index % 3 === 0 && { accepted: "known" }),
  }));
}

test.each([0, 1, 5, 20, 99, 100, 101])("figures are the same with %i of 100 losses in detail", (room) => {
  const list = losses(100);
  for (const kept of [keepLosses(list, room), withoutDetails(keepLosses(list, room))]) {
    expect(summaryOf(kept)).toEqual(summarizeLosses(list));
    expect(groupsOf(kept)).toEqual(groupLosses(list));
  }
});

describe("the memory of reports", () => {
  const record = (
    id: string,
    list: readonly Loss[],
    outcome: ExchangeRecord["outcome"] = "complete",
  ): ExchangeRecord => ({
    id,
    time: 0,
    from: "openai-chat",
    to: "anthropic-messages",
    service: "s",
    stream: false,
    passed: false,
    requestBytes: 0,
    outcome,
    losses: list,
    omitted: [],
    fresh: 0,
    more: 0,
  });

  test("is bounded by bytes: the oldest keep their counts", () => {
    const store = createReportStore(100, 100_000);
    const first = record("r0", losses(100, "0"));
    store.put(first);
    for (let index = 1; index < 50; index++) store.put(record(`r${index}`, losses(100, String(index))));
    const told = store.list();
    expect(told.length).toBe(50);
    const detailed = told.filter(({ losses: list }) => list.length > 0).map(({ id }) => id);
    expect(detailed.length).toBeGreaterThan(2);
    expect(detailed.length).toBeLessThan(10);
    // The latest come first.
    expect(detailed).toEqual(told.slice(0, detailed.length).map(({ id }) => id));
    for (const one of told) expect(summaryOf(one)).toEqual(summarizeLosses(losses(100)));
    // Whoever was given a record keeps it as it was.
    expect(first.losses.length).toBe(100);
  });

  test("counts what records share once, and what runs is left alone", () => {
    const store = createReportStore(100, 100_000);
    const shared = store.share(losses(100));
    for (let index = 0; index < 50; index++) store.put(record(`r${index}`, shared));
    expect(store.list().every(({ losses: list }) => list === shared)).toBe(true);
    const other = createReportStore(100, 1000);
    other.put(record("running", losses(100), "running"));
    expect(other.get("running")?.losses.length).toBe(100);
    other.put(record("next", losses(100, "b")));
    expect(other.get("running")?.losses.length).toBe(100);
    expect(other.get("next")?.losses.length).toBe(0);
  });

  test("of conversations is bounded, too", () => {
    const store = createReportStore(100, 50_000);
    for (let index = 0; index < 20; index++)
      store.compare(`c${index}`, { losses: losses(100, String(index)), omitted: [] });
    const again = (name: string, place: string) => store.compare(name, { losses: losses(100, place), omitted: [] });
    expect(again("c19", "19")).toEqual({ fresh: 0, more: 0, turn: 2 });
    expect(again("c0", "0")).toEqual({ fresh: 100, more: 0, turn: 1 });
  });
});
