import type { ContextMessage, Message } from "@rolecall/core";
import {
  collapseSystemMessages,
  createTranscriptReader,
  effectiveInstructions,
  getCurrentSystemMessage,
  getCurrentTools,
  getDeclaredTools,
  getToolStateChanges,
  normalizeContext,
  readTranscript,
  writeTranscript,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";

/** Updates of which each adds a tool and a section, of every lifetime, between turns. */
function history(turns: number): readonly ContextMessage[] {
  const lifetimes = ["always", "nextUserTurn", "untilReplaced"] as const;
  return Array.from({ length: turns }, (_, index): readonly ContextMessage[] => [
    {
      role: "system",
      content: `rule ${index}`,
      lifetime: lifetimes[index % 3]!,
      sections: [
        { name: `section ${index}`, text: "new" },
        { name: `section ${index - 20}`, text: null },
        { name: "one", text: "again" },
      ],
      toolsAdded: [{ name: `tool ${index}` }, { name: "again" }],
      toolsRemoved: [`tool ${index - 50}`],
    },
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ id: `c${index}`, name: "again", arguments: { index } }] },
    { role: "toolResult", toolCallId: `c${index}`, content: "done" },
  ]).flat();
}

const loose = [history(500), history(4_000)] as const;
const messages = loose.map((list) => normalizeContext({ messages: list }).messages);
const texts = messages.map(writeTranscript);
const tools = messages.map(getDeclaredTools);

/** How many times as long the larger one takes: the shortest times of rounds in turn, because other work of the machine only makes them longer. */
function growth(run: (size: 0 | 1) => unknown): number {
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  for (let round = 0; round < 15; round++)
    for (const size of [0, 1] as const) {
      const start = performance.now();
      run(size);
      best[size] = Math.min(best[size], performance.now() - start);
    }
  return best[1] / best[0];
}

/** A line of one message that comes in so many pieces. */
function readPieces(count: number): Message[] {
  const reader = createTranscriptReader();
  const piece = "x".repeat(64);
  reader.push(`${texts[0]!.slice(0, texts[0]!.indexOf("\n") + 1)}{"role":"user","content":"`);
  for (let index = 0; index < count; index++) reader.push(piece);
  return reader.push('"}\n');
}

describe("eight times as much takes about eight times as long, and not 64 times", () => {
  test.each<[what: string, run: (size: 0 | 1) => unknown]>([
    ["normalizeContext", (size) => normalizeContext({ messages: loose[size] })],
    ["getCurrentTools", (size) => getCurrentTools(messages[size]!)],
    ["getDeclaredTools", (size) => getDeclaredTools(messages[size]!)],
    ["getToolStateChanges", (size) => getToolStateChanges(tools[size]!, [...tools[size]!].reverse())],
    ["getCurrentSystemMessage", (size) => getCurrentSystemMessage(messages[size]!)],
    ["effectiveInstructions", (size) => effectiveInstructions(messages[size]!)],
    ["collapseSystemMessages", (size) => collapseSystemMessages(messages[size]!)],
    ["writeTranscript", (size) => writeTranscript(messages[size]!)],
    ["readTranscript", (size) => readTranscript(texts[size]!)],
    ["a line in many pieces", (size) => readPieces(size === 0 ? 4_000 : 32_000)],
  ])("%s", { retry: 3 }, (_what, run) => {
    expect(growth(run)).toBeLessThan(28);
  });
});
