import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ThinkingLevel } from "../../src/models/index.ts";
import { clampThinkingLevel, estimateCost, thinkingLevels } from "../../src/models/index.ts";
import { samples } from "./answers.ts";
import { events, json } from "./service.ts";
import { start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };

describe("the level of thinking", () => {
  test("is the nearest that the model has, upward first", () => {
    const thinkingLevels = { off: null, minimal: null, low: "low", medium: null, high: "high", xhigh: null, max: null };
    const of = (level: ThinkingLevel) => clampThinkingLevel({ thinkingLevels }, level);
    expect(["off", "minimal", "medium", "xhigh", "max"].map((level) => of(level as ThinkingLevel))).toEqual([
      "low",
      "low",
      "high",
      "high",
      "high",
    ]);
    expect(clampThinkingLevel({ reasoning: false }, "high")).toBe("off");
  });

  test("is one that the model has, whatever it has", () => {
    const levels = fc.dictionary(fc.constantFrom(...thinkingLevels), fc.constantFrom(null, "low"));
    fc.assert(
      fc.property(levels, fc.constantFrom(...thinkingLevels), (stated, asked) => {
        const given = clampThinkingLevel({ thinkingLevels: stated }, asked);
        if (stated[asked] !== null) expect(given).toBe(asked);
        else if (thinkingLevels.some((level) => stated[level] !== null)) expect(stated[given]).not.toBe(null);
      }),
    );
  });

  test.each(samples)("that $api has not is told, with what was sent", async (sample) => {
    const { models, model, service } = await start(
      sample,
      (_request, response) => events(response, sample.stream),
      {},
      { model: { reasoning: true, thinkingLevels: { minimal: null, low: "low" } } },
    );
    const stream = models.stream(model, context, { thinkingLevel: "minimal" });
    const message = await stream.result();
    expect(message).toMatchObject({ thinkingLevel: "minimal", providerThinkingLevel: "low" });
    expect(stream.losses.find(({ code }) => code === "reasoning.effort")).toMatchObject({
      path: "/settings/reasoning/effort",
      detail: 'effort "minimal" sent as "low"',
    });
    expect(JSON.stringify(service.received[0]?.body).toLowerCase()).toContain('"low"');
  });
});

describe("the estimate of the cost", () => {
  const price = {
    input: 3,
    output: 15,
    cacheRead: 0.3,
    cacheWrite: 3.75,
    tiers: [{ above: 200_000, input: 6, output: 22.5 }],
  };
  const usage = { input: 1000, output: 100, cacheRead: 2000, cacheWrite: 400, totalTokens: 3500 };
  test("takes each bucket once", () => {
    expect(estimateCost(price, usage)?.total).toBeCloseTo((1000 * 3 + 100 * 15 + 2000 * 0.3 + 400 * 3.75) / 1e6, 12);
    expect(estimateCost(price, { ...usage, cacheWrite1h: 400 })?.cacheWrite).toBeCloseTo((400 * 6) / 1e6, 12);
    expect(estimateCost(price, { ...usage, reasoning: 60 })).toEqual(estimateCost(price, usage));
  });
  test("takes the tier of the whole prompt", () => {
    const long = { ...usage, input: 199_000, cacheRead: 2000 };
    expect(estimateCost(price, long)?.output).toBeCloseTo((100 * 22.5) / 1e6, 12);
    expect(estimateCost(price, long)?.cacheRead).toBeCloseTo((2000 * 6) / 1e6, 12);
  });
  test("is none without a price or counts", () => {
    expect(estimateCost(undefined, usage)).toBeUndefined();
    expect(estimateCost(price, { ...usage, unreported: ["output"] })).toBeUndefined();
  });
  test("stands in the message", async () => {
    const [sample] = samples as [(typeof samples)[number]];
    const { models, model } = await start(
      sample,
      (_request, response) => events(response, sample.stream),
      {},
      { model: { cost: price } },
    );
    const { usage: counted } = await models.complete(model, context);
    expect(counted.cost?.total).toBeCloseTo((12 * 3 + 7 * 15) / 1e6, 12);
  });
});

describe.each(samples)("a service of $api", (sample) => {
  test("tells which models it has, page by page", async () => {
    const pages: { readonly [api: string]: readonly object[] } = {
      "openai-chat": [{ object: "list", data: [{ id: "a" }, { id: "m" }] }],
      "openai-responses": [{ object: "list", data: [{ id: "a" }, { id: "m" }] }],
      "anthropic-messages": [
        { data: [{ id: "a", display_name: "A" }], has_more: true, last_id: "a" },
        { data: [{ id: "m" }], has_more: false, last_id: "m" },
      ],
      "gemini-generate-content": [
        { models: [{ name: "models/a", displayName: "A" }], nextPageToken: "2" },
        { models: [{ name: "models/m" }] },
      ],
    };
    const list = pages[sample.api] as readonly object[];
    const { models, model, service } = await start(
      sample,
      (_request, response, number) => json(response, 200, list[number]),
      {},
      { model: { contextWindow: 1000 } },
    );
    const found = await models.refresh(model.provider);
    expect(found.map(({ id }) => id)).toEqual(["a", "m"]);
    expect(service.received).toHaveLength(list.length);
    expect(models.getModel(model.provider, "m")?.contextWindow).toBe(1000);
    expect(models.getModel(model.provider, "a")?.api).toBe(sample.api);
    expect(await models.getAvailableOfType("chat")).toHaveLength(2);
    expect(await models.getAvailableOfType("image")).toEqual([]);
  });

  test("that refuses the list says why", async () => {
    const { models, model } = await start(sample, (_request, response) => json(response, 401, sample.error));
    await expect(models.refresh(model.provider)).rejects.toThrow("slow down");
  });
});

describe("a cost", () => {
  const cost = { input: 1, output: 2, date: "2026-11-20" };
  const sample = samples[0] as (typeof samples)[number];
  const askedFor = async (billed: unknown) => {
    const whole = structuredClone(sample.whole) as { usage: { cost?: unknown } };
    if (billed !== undefined) whole.usage.cost = billed;
    const { models, model } = await start(
      sample,
      (_request, response) => json(response, 200, whole),
      {},
      { model: { cost } },
    );
    return (await models.complete(model, context, { stream: false })).usage.cost;
  };

  test("is an estimate by the list, with its day", async () => {
    expect(await askedFor(undefined)).toMatchObject({
      basis: "list",
      priceDate: "2026-11-20",
      total: expect.closeTo(26e-6, 12),
    });
  });

  test("is what was billed, where the service says it", async () => {
    expect(await askedFor(0.5)).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      total: 0.5,
      basis: "billed",
    });
  });

  test.each([-1, "1", null, {}])("is no bill where the service says %j", async (billed) => {
    expect(await askedFor(billed)).toMatchObject({ basis: "list" });
  });
});
