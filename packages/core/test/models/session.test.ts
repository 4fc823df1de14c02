import { expect, test } from "vitest";
import type { Message, Usage } from "../../src/index.ts";
import { sessionUsage } from "../../src/models/index.ts";

const usage = (more: Partial<Usage>): Usage => ({
  input: 10,
  output: 5,
  cacheRead: 2,
  cacheWrite: 1,
  totalTokens: 18,
  ...more,
});
const parts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const answer = (own?: Usage): Message => ({ role: "assistant", content: [], ...(own !== undefined && { usage: own }) });

test("what a conversation took is added up, its tools apart, and what is billed apart from what is estimated", () => {
  const messages: readonly Message[] = [
    { role: "user", content: [{ type: "text", text: "hi" }] },
    answer(usage({ reasoning: 3, cost: { ...parts, total: 0.5, basis: "billed" } })),
    {
      role: "toolResult",
      toolCallId: "c",
      content: [],
      isError: false,
      usage: usage({ cost: { ...parts, total: 0.25, basis: "list" } }),
    },
    answer(usage({ cost: { ...parts, total: 0.125, basis: "list" } })),
    answer(usage({})),
    answer(usage({ input: 0, output: 0, unreported: ["input", "output"] })),
    answer(),
  ];
  expect(sessionUsage(messages)).toEqual({
    models: {
      calls: 3,
      input: 30,
      output: 15,
      cacheRead: 6,
      cacheWrite: 3,
      reasoning: 3,
      totalTokens: 54,
      billed: 0.5,
      listed: 0.125,
      unpriced: 1,
    },
    tools: {
      calls: 1,
      input: 10,
      output: 5,
      cacheRead: 2,
      cacheWrite: 1,
      reasoning: 0,
      totalTokens: 18,
      billed: 0,
      listed: 0.25,
      unpriced: 0,
    },
  });
});

test("nothing took nothing", () => {
  expect(sessionUsage([]).models).toMatchObject({ calls: 0, totalTokens: 0, billed: 0, listed: 0 });
});
