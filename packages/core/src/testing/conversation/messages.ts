import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Message, SystemMessage, ToolCallPart, ToolResultMessage, UserMessage } from "../../ir/index.ts";
import { arbitraryJson } from "../json.ts";
import { few, maybe, mostly, oneWord, shape, weighted } from "../shape.ts";
import { arbitraryText, callId, plainText, toolName } from "../text.ts";
import { modelParts, openCall, resultParts, systemParts, userParts } from "./parts.ts";
import { cacheBreakpoint, nodeFields } from "./text.ts";
import { toolReferences, tools } from "./tools.ts";

const section = shape({ name: oneWord("style", "task", "constructor"), text: fc.option(arbitraryText()) });

const systemFields = {
  lifetime: oneWord("always", "nextUserTurn", "untilReplaced"),
  scope: plainText,
  delegatesTo: oneWord("system", "developer", "user"),
  sections: few(section, 2, 0),
  effort: oneWord("low", "high"),
  timestamp: fc.nat(),
};

/** An instruction at the front, which holds the tools of the request. */
const head: Arbitrary<SystemMessage> = shape<SystemMessage>(
  { role: oneWord("system"), authority: oneWord("system", "developer"), content: systemParts },
  { ...systemFields, toolsAdded: maybe(tools, 0) },
  3,
);

/** An instruction within the conversation; it may add and withdraw tools. */
const instruction: Arbitrary<SystemMessage> = shape<SystemMessage>(
  {
    role: oneWord("system"),
    authority: oneWord("system", "developer", "user", "guideline"),
    content: systemParts,
  },
  { ...systemFields, toolsAdded: tools, toolsRemoved: toolReferences },
  3,
);

const user: Arbitrary<UserMessage> = shape<UserMessage>(
  { role: oneWord("user"), content: userParts },
  { name: plainText, timestamp: fc.nat(), origin: nodeFields["origin"] as Arbitrary<unknown> },
  5,
);

const assistant: Arbitrary<Message> = shape<Message>(
  { role: oneWord("assistant"), content: modelParts },
  { name: plainText, timestamp: fc.nat() },
  5,
);

const openResult: Arbitrary<ToolResultMessage> = shape<ToolResultMessage>(
  { role: oneWord("toolResult"), content: resultParts, isError: fc.boolean() },
  {
    toolName,
    value: maybe(arbitraryJson(), 2),
    details: maybe(arbitraryJson(), 2),
    cacheBreakpoint,
    timestamp: fc.nat(),
  },
  3,
);

interface CallTurn {
  readonly before: Message["content"];
  readonly after: Message["content"];
  readonly calls: readonly {
    readonly call: ToolCallPart;
    readonly id: string;
    readonly result: ToolResultMessage;
    readonly place: number;
  }[];
  readonly fault: "none" | "missing" | "orphan" | "twice" | "early";
  readonly apart: readonly Message[];
}

/**
 * A turn with calls and its results: in any order, one too few, one of nobody, one answered twice, one before its call, or with messages
 * between the turn and its results.
 */
const callTurn: Arbitrary<CallTurn> = shape<CallTurn>({
  before: modelParts,
  after: mostly(fc.constant([]), modelParts),
  calls: few(shape({ call: openCall, id: callId, result: openResult, place: fc.nat(9) })),
  fault: mostly(fc.constant("none"), oneWord("missing", "orphan", "twice", "early")),
  apart: mostly<readonly Message[]>(
    fc.constant([]),
    few(weighted<Message>([3, user], [1, instruction], [1, assistant]), 2),
  ),
});

function writeTurn({ before, after, calls, fault, apart }: CallTurn, turn: number): Message[] {
  const named = calls.map((item, index) => ({ ...item, id: `${item.id}${turn}${index}` }));
  const results = [...named]
    .sort((left, right) => left.place - right.place)
    .map(({ id, result }): ToolResultMessage => ({ ...result, toolCallId: id }));
  const first = results[0] as ToolResultMessage;
  if (fault === "missing" || fault === "early") results.shift();
  if (fault === "orphan") results.push({ ...first, toolCallId: "call_of_nobody" });
  if (fault === "twice") results.push({ ...first });
  const content = [...before, ...named.map(({ call, id }) => ({ ...call, id })), ...after] as Message["content"];
  return [...(fault === "early" ? [first] : []), { role: "assistant", content } as Message, ...apart, ...results];
}

/** The messages of a conversation, with ids of calls that stand once. */
export const messages: Arbitrary<readonly Message[]> = fc
  .tuple(
    maybe(head, 1),
    fc.array(weighted<Message | CallTurn>([4, user], [3, assistant], [4, callTurn], [1, instruction]), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([first, items]) => [
    ...(first === undefined ? [] : [first]),
    ...items.flatMap((item, index) => ("calls" in item ? writeTurn(item, index) : [item])),
  ]);
