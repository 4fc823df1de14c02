import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Conversation, Message } from "../../src/index.ts";
import { protocolIds } from "../../src/index.ts";
import { protocolOf } from "../protocols.ts";

/** A text with a mark that nothing else has. */
let marks = 0;
const text = fc.constant("").map(() => `mark${marks++}x`);

const system = fc
  .record({
    authority: fc.constantFrom("system" as const, "developer" as const),
    content: fc.array(text, { maxLength: 2 }),
    sections: fc.uniqueArray(fc.record({ name: fc.constantFrom("style", "skills", "1"), text: fc.option(text) }), {
      maxLength: 2,
      selector: ({ name }) => name,
    }),
    tools: fc.boolean(),
  })
  .map(
    ({ authority, content, sections, tools }): Message => ({
      role: "system",
      authority,
      content: content.map((part) => ({ type: "text" as const, text: part })),
      ...(sections.length > 0 && { sections }),
      ...(tools && {
        toolsAdded: [{ type: "function" as const, name: `tool${marks++}`, parameters: { type: "object" as const } }],
      }),
    }),
  );
const turns = text.map((part): readonly Message[] => [
  { role: "user", content: [{ type: "text", text: part }] },
  { role: "assistant", content: [{ type: "text", text: `mark${marks++}x` }] },
]);
const conversation = fc.tuple(system, turns, fc.array(fc.tuple(system, turns), { maxLength: 3 })).map(
  ([first, second, more]): Conversation => ({
    messages: [
      first,
      ...second,
      ...more.flatMap(([one, two]) => [one, ...two]),
      { role: "user", content: [{ type: "text", text: "go on" }] },
    ],
    settings: { model: "m" },
  }),
);

const profiles = [
  {},
  { supportsMidConversationSystem: true },
  { supportsMidConversationSystem: false },
  { supportsDeveloperRole: true },
];

describe.each(protocolIds)("what instructs a model reaches %s", (id) => {
  test.each(profiles)("with %j", (profile) => {
    fc.assert(
      fc.property(conversation, (value) => {
        const { value: request, losses } = protocolOf(id).encodeRequest(value, profile);
        const body = JSON.stringify(request.body);
        const all = JSON.stringify(value.messages).match(/mark\d+x/g) ?? [];
        expect(all.filter((mark) => !body.includes(`"${mark}`) && !body.includes(mark))).toEqual([]);
        expect(losses.filter(({ kind }) => kind === "dropped").map(({ code }) => code)).not.toContain(
          "instruction.sections",
        );
      }),
      { numRuns: 300 },
    );
  });
});
