import type { Json, Pointer } from "./json.ts";
import { setOwn } from "./json.ts";
import type { AssistantTurn, Conversation, Message, SystemMessage, ToolResultMessage, UserMessage } from "./message.ts";
import type { Node, OpaqueState, Origin } from "./node.ts";
import type { OpaquePart, Part, ToolCallPart } from "./part.ts";
import { visitNodes } from "./walk.ts";

/** Every instruction, in order, with its place among the messages. */
export function instructions(
  conversation: Conversation,
): { readonly message: SystemMessage; readonly index: number }[] {
  return conversation.messages.flatMap((message, index) => (message.role === "system" ? [{ message, index }] : []));
}

/** The dialogue without instructions: user messages, assistant turns and tool results, in order. */
export function turns(conversation: Conversation): (UserMessage | AssistantTurn | ToolResultMessage)[] {
  return conversation.messages.filter((message) => message.role !== "system");
}

export interface ToolCallView {
  readonly call: ToolCallPart;
  /** Ours. */
  readonly id: string;
  /** The issuer's own spelling; the same as ours where it could be taken over. */
  readonly providerCallId: string;
  readonly messageIndex: number;
  readonly result?: ToolResultMessage;
}

/** Every call with its result and both its ids. */
export function toolCalls(conversation: Pick<Conversation, "messages">): ToolCallView[] {
  const results = new Map<string, ToolResultMessage>();
  for (const message of conversation.messages) {
    if (message.role === "toolResult" && !results.has(message.toolCallId)) results.set(message.toolCallId, message);
  }
  return conversation.messages.flatMap((message, messageIndex) =>
    message.role !== "assistant"
      ? []
      : message.content.flatMap((part) => {
          if (part.type !== "toolCall") return [];
          const result = results.get(part.id);
          const state = part.state?.find((item) => item.kind === "callId")?.value;
          const providerCallId = typeof state === "string" ? state : part.id;
          return [{ call: part, id: part.id, providerCallId, messageIndex, ...(result !== undefined && { result }) }];
        }),
  );
}

export type OpaqueItem =
  | { readonly type: "state"; readonly pointer: Pointer; readonly node: Node; readonly state: OpaqueState }
  | { readonly type: "part"; readonly pointer: Pointer; readonly node: Part; readonly part: OpaquePart };

/** Everything that only its issuer understands, with the pointer of the node it stands on. */
export function opaqueItems(conversation: Conversation): OpaqueItem[] {
  const items: OpaqueItem[] = [];
  visitNodes(conversation, (node, pointer) => {
    for (const state of node.state ?? []) items.push({ type: "state", pointer, node, state });
    if ("type" in node && (node as Part).type === "opaque") {
      items.push({ type: "part", pointer, node: node as Part, part: node as OpaquePart });
    }
  });
  return items;
}

/** The text of a message, its text parts joined; other parts are left out. */
export function textOf(message: Message): string {
  return (message.content as readonly Part[]).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** What is known of a role's origin when nothing is stated: results are data, whatever they say. */
const origins: { readonly [role in Message["role"]]: Required<Origin> } = {
  system: { source: "operator", trust: "trusted" },
  user: { source: "user", trust: "trusted" },
  assistant: { source: "model", trust: "untrusted" },
  toolResult: { source: "tool", trust: "untrusted" },
};

/** Where a message, or one of its parts, comes from: stated on the part, else on the message, else by role. */
export function originOf(message: Message, part?: Part): Required<Origin> {
  return { ...origins[message.role], ...message.origin, ...part?.origin };
}

/** Fields that hold JSON of others: whatever their keys are called, they are no fields of nodes. */
const foreignJson: ReadonlySet<string> = new Set([
  "arguments",
  "parameters",
  "inputExamples",
  "outputSchema",
  "value",
  "input",
  "details",
  "schema",
  "metadata",
  "logitBias",
  "caller",
  "allowedCallers",
  "error",
]);

/** A copy of an IR value without `wire` and `state`, and without the raw usage: what is left means the same in every protocol. */
export function withoutWire<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutWire) as T;
  if (typeof value !== "object" || value === null) return value;
  const copy: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === "wire" || key === "state" || (key === "raw" && "totalTokens" in value)) continue;
    setOwn(copy, key, foreignJson.has(key) ? item : withoutWire(item));
  }
  return copy as T;
}
