import type { MessageInput } from "@rolecall/core";
import { createMessage, effectiveInstructions } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const found = (...inputs: MessageInput[]) => effectiveInstructions(inputs.map(createMessage));
const trusted = { source: "operator", trust: "trusted" };

describe("instructions", () => {
  test("stand in order, with whose they are: conflicts stay", () => {
    expect(
      found(
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
        { role: "system", authority: "developer", content: "In German.", scope: "answers", delegatesTo: "user" },
      ),
    ).toEqual([
      { authority: "system", index: 0, text: "Be brief.", origin: trusted },
      { authority: "developer", index: 2, text: "In German.", scope: "answers", delegatesTo: "user", origin: trusted },
    ]);
  });

  test("are those of a conversation as well as those of its messages", () => {
    const messages = [createMessage({ role: "system", content: "A" })];
    expect(effectiveInstructions({ messages })).toEqual(effectiveInstructions(messages));
  });

  test("without a text are none", () => {
    expect(found({ role: "system", content: "" }, { role: "system", content: [{ type: "text", text: "" }] })).toEqual(
      [],
    );
  });

  test("say from where they come, and are untrusted where any part of them is", () => {
    const web = { source: "retrieval", trust: "untrusted" } as const;
    const entries = found(
      { role: "system", content: "A", origin: web, sections: { s: "S" } },
      {
        role: "system",
        content: [
          { type: "text", text: "B" },
          { type: "text", text: "C", origin: web },
        ],
        sections: { t: "T" },
      },
    );
    expect(entries.map(({ text, origin }) => [text, origin])).toEqual([
      ["A", web],
      ["S", web],
      ["B\n\nC", web],
      ["T", trusted],
    ]);
  });

  test.each<[what: string, inputs: MessageInput[], expected: string[]]>([
    [
      "of one turn end with the user turn after the next",
      [
        { role: "user", content: "1" },
        { role: "system", content: "now", lifetime: "nextUserTurn" },
        { role: "user", content: "2" },
        { role: "user", content: "3" },
      ],
      ["now until 3"],
    ],
    [
      "of one turn hold for the next user turn",
      [
        { role: "system", content: "now", lifetime: "nextUserTurn" },
        { role: "user", content: "1" },
      ],
      ["now"],
    ],
    [
      "of one turn may be sections, and what they replaced does not come back",
      [
        { role: "system", sections: { hint: "always" } },
        { role: "system", sections: { hint: "now" }, lifetime: "nextUserTurn" },
        { role: "user", content: "1" },
        { role: "user", content: "2" },
        { role: "system", sections: { hint: "new" } },
      ],
      ["always until 1", "now for 0 until 3", "new"],
    ],
    [
      "until replaced end with the next instruction",
      [
        { role: "system", content: "first", lifetime: "untilReplaced" },
        { role: "user", content: "1" },
        { role: "system", content: "second" },
      ],
      ["first until 2", "second for 0"],
    ],
    [
      "until replaced are replaced once",
      [
        { role: "system", content: "1", lifetime: "untilReplaced" },
        { role: "system", content: "2", lifetime: "untilReplaced" },
        { role: "system", content: "3" },
        { role: "system", content: "4" },
      ],
      ["1 until 1", "2 for 0 until 2", "3 for 1", "4"],
    ],
    [
      "until replaced are not ended by another authority, nor in another scope",
      [
        { role: "system", content: "rule", lifetime: "untilReplaced" },
        { role: "system", content: "lower", authority: "guideline" },
        { role: "system", content: "elsewhere", scope: "style" },
      ],
      ["rule", "lower", "elsewhere"],
    ],
    [
      "in sections replace each other by name",
      [
        { role: "system", sections: { style: "Plain.", files: "a" } },
        { role: "user", content: "1" },
        { role: "system", sections: { style: "Florid.", files: null } },
      ],
      ["Plain. until 2", "a until 2", "Florid. for 0"],
    ],
    [
      "in sections may have names of JavaScript",
      [
        { role: "system", sections: [{ name: "__proto__", text: "p" }] },
        { role: "system", sections: [{ name: "constructor", text: "c" }] },
        { role: "system", sections: [{ name: "__proto__", text: null }] },
      ],
      ["p until 2", "c"],
    ],
  ])("%s", (_what, inputs, expected) => {
    expect(
      found(...inputs).map(({ text, replaces, replacedBy }) =>
        [
          text,
          ...(replaces === undefined ? [] : [`for ${replaces}`]),
          ...(replacedBy === undefined ? [] : [`until ${replacedBy}`]),
        ].join(" "),
      ),
    ).toEqual(expected);
  });
});
