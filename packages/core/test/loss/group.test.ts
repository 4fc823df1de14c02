import {
  compareLosses,
  groupLosses,
  lossCatalogue,
  lossDefinition,
  lossEffects,
  lossSeverities,
  summarizeLosses,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { createLoss } from "./loss.ts";

const losses = [
  createLoss("cache.mark", "/system/0/cache_control"),
  createLoss("reasoning.foreign", "/messages/1/content/0"),
  createLoss("cache.mark", "/messages/2/content/0/cache_control", { kind: "approximated" }),
  createLoss("instruction.authority", "/messages/0/role"),
  createLoss("cache.mark", "/messages/4/content/0/cache_control", { accepted: "known" }),
  createLoss("cache.mark", "/messages/6/content/0/cache_control"),
];

describe("a report is grouped", () => {
  test("by code, the gravest effect first", () => {
    expect(groupLosses(losses).map(({ code, count }) => `${code} ×${count}`)).toEqual([
      "instruction.authority ×1",
      "reasoning.foreign ×1",
      "cache.mark ×4",
    ]);
  });

  test("with the first places, the kinds, and what was accepted", () => {
    expect(groupLosses(losses).at(-1)).toMatchObject({
      paths: ["/system/0/cache_control", "/messages/2/content/0/cache_control", "/messages/4/content/0/cache_control"],
      kinds: ["dropped", "approximated"],
      accepted: 1,
      acceptedReasons: ["known"],
    });
  });

  test("apart by target", () => {
    const other = createLoss("cache.mark", "/system/0", { to: "gemini-generate-content" });
    expect(groupLosses([losses[0]!, other])).toHaveLength(2);
  });

  test("what was made up stands at its place in the target", () => {
    expect(groupLosses([createLoss("setting.synthesized", "", { targetPath: "/max_tokens" })])[0]?.paths).toEqual([
      "/max_tokens",
    ]);
  });

  test("nothing gives nothing", () => {
    expect(groupLosses([])).toEqual([]);
  });
});

describe("the figures of a report", () => {
  test("count all, and leave accepted losses out of the worst", () => {
    expect(summarizeLosses(losses)).toEqual({
      total: 6,
      groups: 3,
      worst: "warning",
      accepted: 1,
      safety: 0,
      authority: 1,
    });
    expect(summarizeLosses(losses.map((loss) => ({ ...loss, accepted: "all known" })))).not.toHaveProperty("worst");
  });
});

describe("what is new since the request before", () => {
  test("is a code that it did not have; then known codes at new places; then what repeats", () => {
    const before = [losses[0]!, losses[2]!];
    const { fresh, more, repeated } = compareLosses(losses, before);
    expect(fresh.map(({ code }) => code)).toEqual(["reasoning.foreign", "instruction.authority"]);
    expect(more.map(({ path }) => path)).toEqual([
      "/messages/4/content/0/cache_control",
      "/messages/6/content/0/cache_control",
    ]);
    expect(repeated).toEqual(before);
  });

  test("of the first request is everything", () => {
    expect(compareLosses(losses, []).fresh).toEqual(losses);
  });

  test("what was made up is known by its place in the target", () => {
    const made = (targetPath: string) => createLoss("setting.synthesized", "", { targetPath });
    expect(compareLosses([made("/a"), made("/b")], [made("/a")])).toMatchObject({
      repeated: [made("/a")],
      more: [made("/b")],
    });
  });
});

describe("the catalogue", () => {
  const entries = Object.entries(lossCatalogue);

  test.each(entries)("%s is complete", (code, { kind, effect, severity, detail, explain }) => {
    expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(lossEffects).toContain(effect);
    expect(lossSeverities).toContain(severity);
    expect(kind).not.toBe("");
    // One line beside its path, and a sentence for who asks.
    expect(detail).toMatch(/^[^\n]{5,90}$/);
    expect(detail).not.toMatch(/\.$/);
    expect(explain).toMatch(/\.$/);
  });

  test("knows its codes and nothing else", () => {
    expect(lossDefinition("cache.mark")).toBe(lossCatalogue["cache.mark"]);
    expect(lossDefinition("constructor")).toBeUndefined();
  });
});
