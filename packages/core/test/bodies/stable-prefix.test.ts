import type { Conversation, Json, Loss, Message, Profile, Protocol, WireRequest } from "@rolecall/core";
import {
  createConversation,
  createConverter,
  createTool,
  createToolCall,
  isJsonObject,
  RolecallError,
} from "@rolecall/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { pairs } from "../protocols.ts";
import { loopsOf, readCorpus } from "./bodies.ts";
import { parallelFixtures } from "./parallel-fixtures.ts";
import { firstBreak } from "./prefix.ts";

/** Servers whose rules about instructions within the conversation differ. */
const targets: { readonly [protocol: string]: readonly (Profile & { readonly name: string })[] } = {
  "openai-chat": [{ name: "openai" }, { name: "ollama", provider: "ollama" }],
  "anthropic-messages": [
    { name: "claude 4.5", model: "claude-sonnet-4-5" },
    { name: "claude 4.8", model: "claude-opus-4-8" },
  ],
};

const settings = pairs.flatMap(([source, to]) =>
  (targets[to.id] ?? [{ name: "any" }]).map(({ name, ...target }) => ({
    name: `${source.id} to ${name}`,
    source,
    to,
    target,
  })),
);

/** Losses that say that the beginning of the prompt is another than before. */
const tellsBreak = ({ code }: Pick<Loss, "code">): boolean => code === "cache.prefix_changed";

interface Outcome {
  /** The source was no prefix already: the client edited its history. */
  readonly skipped: boolean;
  readonly fault?: number;
}

function check(source: Protocol, to: Protocol, target: Profile, earlier: WireRequest, later: WireRequest): Outcome {
  if (firstBreak(earlier.body, later.body) !== undefined) return { skipped: true };
  const converter = createConverter(source, to);
  const options = { target: { ...target, fallbacks: { media: "drop", n: "first" } } };
  const before = converter.convertRequest(earlier, options);
  const after = converter.convertRequest(later, options);
  const place = firstBreak(before.value.body, after.value.body);
  const told = after.losses.some(tellsBreak);
  return { skipped: false, ...(place !== undefined && !told && { fault: place }) };
}

/** The ways in which a conversation goes on. After each of them a request is sent. */
const word = fc.constantFrom("ja", "list the files", "Ω ≠ ω", "read it", " spaces ", "x");
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("round" as const),
      text: fc.option(word),
      calls: fc.integer({ min: 1, max: 2 }),
      question: fc.option(word),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("answer" as const), text: word, question: word }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("instruction" as const),
      text: word,
      authority: fc.constantFrom("system" as const, "developer" as const),
      answered: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("question" as const), text: word }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("tools" as const), added: fc.boolean(), question: word }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function messagesOf(next: Step, index: number): Message[] {
  const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
  const says = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
  switch (next.type) {
    case "round": {
      const ids = Array.from({ length: next.calls }, (_, call) => `call_${index}_${call}`);
      return [
        {
          role: "assistant",
          content: [
            ...(next.text === null ? [] : [{ type: "text" as const, text: next.text }]),
            ...ids.map((id) => createToolCall(id, "read", { path: `${id}.txt` })),
          ],
        },
        ...ids.map(
          (id): Message => ({
            role: "toolResult",
            toolCallId: id,
            content: [{ type: "text", text: `of ${id}` }],
            isError: false,
          }),
        ),
        ...(next.question === null ? [] : [user(next.question)]),
      ];
    }
    case "question":
      return [user(next.text)];
    case "answer":
      return [says(next.text), user(next.question)];
    case "instruction": {
      const instruction: Message = {
        role: "system",
        authority: next.authority,
        content: [{ type: "text", text: next.text }],
      };
      return next.answered ? [instruction, says("yes"), user("go on")] : [says("yes"), user("go on"), instruction];
    }
    case "tools":
      return [
        says("yes"),
        user(next.question),
        {
          role: "system",
          authority: "system",
          content: [],
          ...(next.added
            ? { toolsAdded: [createTool({ name: `tool_${index}` })] }
            : { toolsRemoved: [{ name: "read" }] }),
        },
      ];
  }
}

function conversationOf(steps: readonly Step[]): Conversation {
  const { messages } = createConversation([
    { role: "system", content: "Be brief.", toolsAdded: [createTool({ name: "read", description: "Reads a file." })] },
    { role: "user", content: "What is in a.txt?" },
  ]);
  return {
    messages: [...messages, ...steps.flatMap(messagesOf)],
    settings: { model: "example-model", maxTokens: 100 },
  };
}

describe.each(settings)("$name: a conversation that goes on", ({ source, to, target }) => {
  // Instructions and tools within the conversation need a source that has them.
  const profile: Profile = { model: "claude-opus-4-8", supportsToolChanges: true };

  test("keeps what was sent, or says so", () => {
    let [checked, skipped] = [0, 0];
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const write = (count: number): WireRequest =>
          source.encodeRequest(conversationOf(steps.slice(0, count)), profile).value;
        for (let count = 1; count <= steps.length; count++) {
          const outcome = check(source, to, target, write(count - 1), write(count));
          if (outcome.skipped) skipped++;
          else checked++;
          expect(outcome.fault).toBeUndefined();
        }
      }),
      { seed: 20261101, numRuns: 200 },
    );
    expect(checked).toBeGreaterThan(skipped);
  });
});

/** The requests of a client that had sent a body's messages one turn after the other. */
function growing(wire: WireRequest): WireRequest[] {
  const body = wire.body as { readonly [key: string]: readonly { readonly role: string }[] | undefined };
  const key = body["contents"] === undefined ? "messages" : "contents";
  const messages = body[key] ?? [];
  return messages.flatMap(({ role }, index) =>
    role === "assistant" ||
    role === "model" ||
    messages[index + 1]?.role === "tool" ||
    index < messages.findIndex((message) => message.role === "user")
      ? []
      : [{ ...wire, body: { ...body, [key]: messages.slice(0, index + 1) } as Json }],
  );
}

describe.each(settings)("$name: a fixture that grows", ({ source, to, target }) => {
  test.each(parallelFixtures.filter(({ operation }) => operation === "request"))("$name", ({ body }) => {
    const requests = growing(body(source.id));
    const faults = requests
      .slice(1)
      .map((later, index) => attempt(() => check(source, to, target, requests[index]!, later)).fault);
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });
});

/** Requests that the target cannot take tell nothing. */
function attempt(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof RolecallError) return { skipped: true };
    throw error;
  }
}

/** False for requests that only count tokens and hold another. */
const holdsTurns = (body: Json): boolean =>
  isJsonObject(body) && ("messages" in body || "contents" in body || "input" in body);

describeWithCorpus("recorded agent loops", (folder) => {
  const loops = loopsOf(readCorpus(folder).requests);

  test.each(settings)("$name: each request begins as the one before, or says so", ({ source, to, target }) => {
    const steps = loops
      .filter((loop) => loop.every(({ protocol, wire }) => protocol === source.id && holdsTurns(wire.body)))
      .flatMap((loop) => loop.slice(1).map((later, index) => ({ path: later.path, earlier: loop[index]!, later })));
    const outcomes = steps.map(({ path, earlier, later }) => ({
      path,
      ...attempt(() => check(source, to, target, earlier.wire, later.wire)),
    }));
    expect(outcomes.flatMap(({ path, fault }) => (fault === undefined ? [] : [`${path}: ${fault}`]))).toEqual([]);
    const skipped = outcomes.filter((outcome) => outcome.skipped).length;
    expect(skipped, "clients that edited their history").toBeLessThan(outcomes.length / 4);
  });
});
