import type { ContextMessage, Message, Tool } from "@rolecall/core";
import {
  collapseSystemMessages,
  createTranscriptReader,
  effectiveInstructions,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  getDeclaredTools,
  getToolStateChanges,
  normalizeContext,
  readTranscript,
  resolveTranscript,
  toolName,
  writeTranscript,
} from "@rolecall/core";
import { arbitraryAssistantMessage, arbitraryConversation } from "@rolecall/core/testing";
import fc from "fast-check";
import { expectSame } from "../laws/differences.ts";
import { law } from "../laws/law.ts";

/** Histories as applications make them: all roles, with answers that say who gave them. */
const histories: fc.Arbitrary<readonly Message[]> = fc
  .tuple(arbitraryConversation(), fc.option(arbitraryAssistantMessage(), { nil: undefined }))
  .map(([{ messages }, answer]) => (answer === undefined ? messages : [...messages, answer]));

function freeze(value: unknown): void {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
}

const names = fc.constantFrom("style", "task", "10", "2", "constructor", "__proto__");
const texts = fc.constantFrom("", "A", "B", "C");
const toolNames = fc.constantFrom("read", "write", "__proto__");

/** Dense changes of the system state, between user messages that let lifetimes end. */
const user: fc.Arbitrary<ContextMessage> = fc.constant({ role: "user", content: "hi" });
const update = fc.record(
  {
    role: fc.constant("system"),
    content: texts,
    authority: fc.constantFrom("system", "developer"),
    lifetime: fc.constantFrom("always", "nextUserTurn", "untilReplaced"),
    scope: fc.constantFrom("a", "b"),
    origin: fc.constantFrom({ trust: "trusted" }, { source: "file", trust: "untrusted" }),
    sections: fc.array(fc.record({ name: names, text: fc.option(texts) }), { maxLength: 3 }),
    toolsAdded: fc.array(fc.record({ name: toolNames, description: texts }), { maxLength: 2 }),
    toolsRemoved: fc.array(toolNames, { maxLength: 2 }),
    effort: fc.constantFrom("low", "high"),
    timestamp: fc.nat(),
  },
  { requiredKeys: ["role", "content"] },
) as fc.Arbitrary<ContextMessage>;
const updates: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.oneof({ weight: 1, arbitrary: user }, { weight: 3, arbitrary: update }), { maxLength: 12 })
  .map((messages) => normalizeContext({ messages }).messages);

const transcripts = fc.oneof(updates, histories);
const copied = (messages: readonly Message[]): Message[] => readTranscript(writeTranscript(messages));

law(
  "prompt, tools and effort are the same through replay, through collapse and through lines",
  600,
  fc.property(transcripts, (messages) => {
    for (const other of [
      collapseSystemMessages(messages),
      copied(messages),
      collapseSystemMessages(copied(messages)),
      copied(collapseSystemMessages(messages)),
      resolveTranscript(normalizeContext({ messages }), false).messages,
    ]) {
      expectSame(getCurrentSystemPrompt(other), getCurrentSystemPrompt(messages), "the prompt");
      expectSame(getCurrentTools(other), getCurrentTools(messages), "the tools");
      expectSame(getCurrentSystemMessage(other)?.effort, getCurrentSystemMessage(messages)?.effort, "the effort");
    }
  }),
);

law(
  "what is collapsed once is collapsed, and nothing else than the system state changes",
  400,
  fc.property(transcripts, (messages) => {
    const collapsed = collapseSystemMessages(messages);
    expectSame(collapseSystemMessages(collapsed), collapsed);
    const dialogue = (list: readonly Message[]) => list.filter(({ role }) => role !== "system");
    expectSame(dialogue(collapsed), dialogue(messages));
    const first = collapsed.findIndex(({ role }) => role !== "system");
    expectSame(first < 0 ? [] : dialogue(collapsed.slice(first)), first < 0 ? [] : collapsed.slice(first));
  }),
);

law(
  "no instruction changes its authority, scope or origin when it is collapsed",
  400,
  fc.property(updates, (messages) => {
    const standing = (list: readonly Message[]) =>
      effectiveInstructions(list)
        .filter(({ replacedBy, text }) => replacedBy === undefined && text !== "")
        .flatMap(({ text, authority, scope, origin }) =>
          // Folded contents are one text of several.
          text.split("\n\n").map((one) => JSON.stringify([one, authority, scope, origin])),
        )
        .sort();
    expectSame(standing(collapseSystemMessages(messages)), standing(messages));
  }),
);

law(
  "the prompt is what is in force, and nothing that was replaced",
  400,
  fc.property(updates, (messages) => {
    const inForce = effectiveInstructions(messages).filter(
      ({ replacedBy, text }) => replacedBy === undefined && text !== "",
    );
    const prompt = getCurrentSystemPrompt(messages);
    expectSame(
      prompt === "" ? [] : prompt.split("\n\n").sort(),
      inForce.flatMap(({ text }) => text.split("\n\n")).sort(),
    );
  }),
);

law(
  "changes between two sets of tools lead from one to the other",
  300,
  fc.property(histories, histories, (one, other) => {
    const [before, after] = [getCurrentTools(one), getCurrentTools(other)];
    const head: Message = { role: "system", authority: "system", content: [], toolsAdded: before };
    const update: Message = { role: "system", authority: "system", content: [], ...getToolStateChanges(before, after) };
    const sorted = (tools: readonly Tool[]) => tools.map((tool) => JSON.stringify(tool)).sort();
    expectSame(sorted(getCurrentTools([head, update])), sorted(after));
    expectSame(getToolStateChanges(after, after), { toolsAdded: [], toolsRemoved: [] });
    const declared = new Set(getDeclaredTools(one).map(toolName));
    expectSame(
      before.map(toolName).filter((name) => !declared.has(name)),
      [],
    );
  }),
);

law(
  "normal form stays what it is, through JSON as well",
  400,
  fc.property(histories, (messages) => {
    const once = normalizeContext({ messages }).messages;
    expectSame(once, messages);
    expectSame(normalizeContext({ messages: once }).messages, once);
    expectSame(normalizeContext(JSON.parse(JSON.stringify({ messages: once }))).messages, once);
  }),
);

law(
  "lines give the same messages, however they are cut",
  400,
  fc.property(histories, fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), fc.boolean(), (messages, sizes, asBytes) => {
    const text = writeTranscript(messages);
    expectSame(readTranscript(text), messages);
    const reader = createTranscriptReader();
    const whole = asBytes ? new TextEncoder().encode(text) : text;
    const read: Message[] = [];
    let start = 0;
    for (const size of [...sizes, whole.length]) {
      read.push(...reader.push(whole.slice(start, start + size)));
      start += size;
    }
    expectSame([...read, ...reader.finish()], messages);
  }),
);

law(
  "what is given is not changed, and may be frozen",
  300,
  fc.property(transcripts, (messages) => {
    const before = JSON.stringify(messages);
    freeze(messages);
    const context = normalizeContext({ messages });
    for (const transcript of [messages, context]) {
      collapseSystemMessages(transcript);
      effectiveInstructions(transcript);
      getCurrentSystemMessage(transcript);
      getDeclaredTools(transcript);
      writeTranscript(transcript);
    }
    expectSame(JSON.stringify(messages), before);
  }),
);
