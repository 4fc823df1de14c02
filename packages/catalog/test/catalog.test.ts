import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Model } from "@rolecall/core/models";
import { estimateCost } from "@rolecall/core/models";
import { describe, expect, test } from "vitest";
import { catalogFiles } from "../../../scripts/catalog/files.mjs";
import { overrides } from "../../../scripts/catalog/overrides.mjs";
import type { CatalogRow } from "../src/index.ts";
import { catalogProviders, loadCatalog } from "../src/index.ts";
import { models as ofAnthropic } from "../src/providers/anthropic.ts";
import { isRow } from "./check-row.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

async function rowOf(provider: (typeof catalogProviders)[number], id: string): Promise<CatalogRow> {
  return (await loadCatalog(provider)).find((row) => row.id === id)!;
}

describe("the files", () => {
  const generated = catalogFiles();

  test.each([...generated.keys()])("%s is what the script makes of its source", (path) => {
    expect(readFileSync(join(repository, path), "utf8")).toBe(generated.get(path));
  });

  test("are those of the providers, and no others", () => {
    const files = readdirSync(join(repository, "packages/catalog/src/providers"));
    expect(files.sort()).toEqual(catalogProviders.map((name) => `${name}.ts`).sort());
    const { exports } = JSON.parse(readFileSync(join(repository, "packages/catalog/package.json"), "utf8"));
    expect(Object.keys(exports)).toEqual([".", ...catalogProviders.map((name) => `./${name}`), "./package.json"]);
  });
});

describe.each(catalogProviders)("the rows of %s", (provider) => {
  test("are rows", async () => {
    const rows = await loadCatalog(provider);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !isRow(row))).toEqual([]);
    expect(rows.filter((row) => row.provider !== provider)).toEqual([]);
  });

  test("have ids of their own, in order", async () => {
    const ids = (await loadCatalog(provider)).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

describe("what is known", () => {
  test("of a model of Anthropic", async () => {
    const row = await rowOf("anthropic", "claude-sonnet-4-6");
    expect(row).toMatchObject({
      type: "chat",
      api: "anthropic-messages",
      contextWindow: 1_000_000,
      input: ["text", "image", "pdf"],
      cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      thinkingLevels: { xhigh: null, max: "max" },
    });
    expect(ofAnthropic).toContainEqual(row);
  });

  test("of a model of OpenAI whose price rises within its window", async () => {
    const row = await rowOf("openai", "gpt-5.5");
    expect(row.api).toBe("openai-responses");
    expect(row.contextWindow).toBe(1_050_000);
    expect(row.cost?.tiers).toEqual([{ above: 272_000, input: 10, output: 45, cacheRead: 1 }]);
    expect(row.cost).not.toHaveProperty("cacheWrite");
    expect(await rowOf("openai", "gpt-5")).toMatchObject({ contextWindow: 400_000, thinkingLevels: { off: null } });
  });

  test("of models of Google that think within a budget, and of those that do not", async () => {
    expect((await rowOf("google", "gemini-2.5-pro")).thinkingLevels).toEqual({
      off: null,
      minimal: 128,
      xhigh: null,
      max: 32_768,
    });
    expect((await rowOf("google", "gemini-3-flash-preview")).thinkingLevels).toMatchObject({ xhigh: null, low: "low" });
  });

  test("of models for images", async () => {
    expect(await rowOf("openai", "gpt-image-1")).toMatchObject({ type: "image", api: "openai-images" });
    const ofOpenRouter = (await loadCatalog("openrouter")).filter(({ type }) => type === "image");
    expect(ofOpenRouter.length).toBeGreaterThan(0);
    expect(ofOpenRouter.filter(({ output }) => !output?.includes("image"))).toEqual([]);
  });

  test("is free only where a model says so", async () => {
    const rows = await loadCatalog("openrouter");
    const free = rows.filter(({ cost }) => cost?.input === 0 && cost.output === 0);
    expect(free.length).toBeGreaterThan(0);
    expect(free.filter(({ id }) => !id.endsWith(":free"))).toEqual([]);
    expect(await rowOf("openrouter", "openrouter/auto")).not.toHaveProperty("cost");
  });

  test.each(overrides.map((override, index) => ({ ...override, index })))(
    "by override $index is used",
    async (override) => {
      const rows = await loadCatalog(override.provider as (typeof catalogProviders)[number]);
      expect(rows.some(({ id, source }) => override.models.test(id) && source.includes(override.source))).toBe(true);
    },
  );
});

test("core takes the rows as models, and their prices", async () => {
  const models: readonly Model[] = await loadCatalog("openai");
  const price = models.find(({ id }) => id === "gpt-5.5")?.cost;
  const usage = { input: 300_000, output: 1000, cacheRead: 100_000, cacheWrite: 0, totalTokens: 401_000 };
  expect(estimateCost(price, usage)?.total).toBeCloseTo(0.3 * 10 + 0.001 * 45 + 0.1 * 1, 9);
});

test("a provider that is not there is refused", async () => {
  await expect(loadCatalog("constructor" as "openai")).rejects.toThrow(RangeError);
});

describe("the check of a row", () => {
  const row = {
    id: "a",
    type: "chat",
    provider: "b",
    api: "openai-chat",
    source: "https://example.com/a",
    date: "2026-11-30",
  };
  const cost = { input: 1, output: 2, source: row.source, date: row.date };

  test("takes what is right", () => {
    expect(isRow(row)).toBe(true);
    expect(isRow({ ...row, cost: { ...cost, tiers: [{ above: 5, input: 2, output: 3 }] } })).toBe(true);
  });

  test.each([
    { ...row, id: "" },
    { ...row, type: "embedding" },
    { ...row, api: "bedrock" },
    { ...row, extra: 1 },
    { ...row, source: undefined },
    { ...row, source: "somewhere" },
    { ...row, date: "2026-02-30" },
    { ...row, date: "30.11.2026" },
    { ...row, contextWindow: 0 },
    { ...row, maxTokens: 1.5 },
    { ...row, input: ["text", "text"] },
    { ...row, media: {} },
    { ...row, thinkingLevels: { highest: "max" } },
    { ...row, thinkingLevels: { off: -1 } },
    { ...row, cost: { ...cost, input: -1 } },
    { ...row, cost: { ...cost, output: Number.NaN } },
    { ...row, cost: { input: 1, output: 2, source: row.source } },
    {
      ...row,
      cost: {
        ...cost,
        tiers: [
          { above: 5, input: 2, output: 3 },
          { above: 5, input: 3, output: 4 },
        ],
      },
    },
  ])("refuses %j", (wrong) => {
    expect(isRow(wrong)).toBe(false);
  });
});
