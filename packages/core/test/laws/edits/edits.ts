import type {
  AssistantMessage,
  Conversation,
  Json,
  JsonObject,
  Message,
  Part,
  Settings,
  ThinkingPart,
  Tool,
  ToolCallPart,
  Usage,
} from "@rolecall/core";
import { isToolCall } from "@rolecall/core";
import { arbitraryConversation } from "@rolecall/core/testing";
import fc from "fast-check";

/** One change that a person or an agent makes to a decoded value. Gives undefined where the value has no place for it. */
export interface Edit {
  readonly name: string;
  /** What is brought in, to be seen in a counterexample. */
  readonly message?: Message | undefined;
  readonly apply: (conversation: Conversation) => Conversation | undefined;
}

type Place = readonly (string | number)[];

/** Words of a closed set, links, and what says what a node is: changing them makes another node, not another value. */
const fixed: ReadonlySet<string> = new Set([
  ..."type role kind protocol slot wire state id toolCallId authority lifetime mode custom subset effort summary".split(
    " ",
  ),
  ..."display context serviceTier speed detail phase mediaType unit strict dialect redacted usage model".split(" "),
  ..."isError timestamp stopReason stopDetail rawStopReason api provider alternatives responseModel".split(" "),
]);

function leavesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  // The name of a hosted tool is a copy of one in its value; redacted reasoning has no text.
  if ((value as Partial<Tool>).type === "server" || (value as Partial<ThinkingPart>).redacted === true) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    !Array.isArray(value) && fixed.has(key) ? [] : leavesOf(item, [...place, Array.isArray(value) ? Number(key) : key]),
  );
}

function at(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((inner, key) => (inner as { readonly [key: string]: unknown })[key], value);
}

/** A copy with another value at a place. */
export function withAt<T>(value: T, [key, ...rest]: Place, next: unknown): T {
  if (key === undefined) return next as T;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as { [key: string | number]: unknown };
  const inner = withAt(copy[key], rest, next);
  Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy as T;
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

function changed(value: unknown, text: string): unknown {
  if (typeof value === "string") return value === text ? `${text}!` : text;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : undefined;
}

/** Changes one text, number or switch anywhere outside of wire and state. Argument text stays JSON. */
function leafEdit<T>(value: T, index: number, text: string): T | undefined {
  const places = leavesOf(value).filter((place) => changed(at(value, place), text) !== undefined);
  const place = pick(places, index);
  if (place === undefined) return undefined;
  const next = place.at(-1) === "argumentsText" ? JSON.stringify({ edited: text }) : changed(at(value, place), text);
  return withAt(value, place, next);
}

const insert = <T>(list: readonly T[], index: number, item: T): T[] => list.toSpliced(index, 0, item);

function editMessages(
  conversation: Conversation,
  edit: (messages: readonly Message[]) => readonly Message[] | undefined,
): Conversation | undefined {
  const messages = edit(conversation.messages);
  return messages === undefined ? undefined : { ...conversation, messages };
}

/** Where messages may be inserted: the first one, which holds the tools, stays the first. */
const freePlace = (messages: readonly Message[], index: number): number =>
  messages[0]?.role === "system" ? 1 + (index % messages.length) : index % (messages.length + 1);

function editContent(
  conversation: Conversation,
  index: number,
  edit: (message: Message) => readonly Part[] | undefined,
): Conversation | undefined {
  const places = conversation.messages.flatMap((message, place) => (edit(message) === undefined ? [] : [place]));
  const place = pick(places, index);
  const message = place === undefined ? undefined : conversation.messages[place];
  if (place === undefined || message === undefined) return undefined;
  return withAt(conversation, ["messages", place, "content"], edit(message));
}

function editTools(
  conversation: Conversation,
  edit: (tools: readonly Tool[]) => readonly Tool[] | undefined,
): Conversation | undefined {
  const [first] = conversation.messages;
  if (first?.role !== "system" || first.toolsAdded === undefined) return undefined;
  const tools = edit(first.toolsAdded);
  return tools === undefined ? undefined : withAt(conversation, ["messages", 0, "toolsAdded"], tools);
}

const hasCalls = (message: Message): boolean =>
  (message.content as readonly Part[]).some((part) => part.type === "toolCall");

function sharesId(messages: readonly Message[], place: number): boolean {
  const removed = messages[place];
  if (removed?.role !== "toolResult") return false;
  const calls = messages.flatMap((message) => (message.content as readonly Part[]).filter(isToolCall));
  const wireId = ({ id, state }: ToolCallPart): Json => state?.find(({ kind }) => kind === "callId")?.value ?? id;
  const call = calls.find(({ id }) => id === removed.toolCallId);
  return call !== undefined && calls.some((other) => other !== call && wireId(other) === wireId(call));
}

/** Text stands before the calls, behind the thinking, in every protocol. */
const textPlace = (content: readonly Part[]): number => {
  const place = content.findIndex((part) => part.type !== "thinking");
  return place < 0 ? content.length : place;
};

const newTool = (text: string, parameters: JsonObject): Tool => ({
  type: "function",
  name: "added_tool",
  description: text,
  parameters,
});

const text = fc.constantFrom("edited", "two\nlines", "東京", '{"a":1}', "constructor");
const settingEdits: fc.Arbitrary<Settings> = fc.record(
  {
    model: text,
    maxTokens: fc.nat(),
    temperature: fc.constantFrom(0.5, 1),
    topP: fc.constant(0.5),
    stopSequences: fc.array(text, { minLength: 1, maxLength: 5 }),
    stream: fc.boolean(),
    userId: text,
    toolChoice: fc.constantFrom({ mode: "auto" }, { mode: "required" }, { mode: "required", names: ["added_tool"] }),
    reasoning: fc.constantFrom({ effort: "low" }, { mode: "disabled" }),
    responseFormat: fc.constant({ type: "jsonSchema", schema: { type: "object" } }),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<Settings>;

/** Edits that both protocols can hold: they show, and nothing else does. */
export const plainEdit: fc.Arbitrary<Edit> = fc
  .record({
    index: fc.nat(),
    text,
    settings: settingEdits,
    parameters: fc.constant<JsonObject>({ type: "object", properties: {} }),
    kind: fc.constantFrom(
      ..."leaf insertUser insertAssistant removeMessage insertText removePart addTool removeTool setSettings removeSetting".split(
        " ",
      ),
    ),
  })
  .map(({ index, text: word, settings, parameters, kind }): Edit => {
    const part: Part = { type: "text", text: word };
    const apply = (conversation: Conversation): Conversation | undefined => {
      switch (kind) {
        case "leaf":
          return leafEdit(conversation, index, word);
        case "insertUser":
        case "insertAssistant": {
          const role = kind === "insertUser" ? "user" : "assistant";
          return editMessages(conversation, (list) => insert(list, freePlace(list, index), { role, content: [part] }));
        }
        case "removeMessage":
          return editMessages(conversation, (list) => {
            // Results without their call are of nobody, and a later call may have their id.
            const place = pick(
              list.flatMap((message, at) => (hasCalls(message) ? [] : [at])),
              index,
            );
            // An instruction within the conversation that became its head could not say how long it holds.
            if (place === undefined || (place === 0 && list[1]?.role === "system")) return undefined;
            // Of several results under one id, the order alone says which call each belongs to.
            if (sharesId(list, place)) return undefined;
            return list.toSpliced(place, 1);
          });
        case "insertText":
          return editContent(conversation, index, ({ role, content }) =>
            insert<Part>(content, role === "assistant" ? textPlace(content) : index % (content.length + 1), part),
          );
        case "removePart":
          return editContent(conversation, index, ({ content }) => {
            const part = pick<Part>(content, index);
            return part === undefined || part.type === "toolCall"
              ? undefined
              : (content as readonly Part[]).toSpliced(index % content.length, 1);
          });
        case "addTool":
          return editTools(conversation, (tools) => [newTool(word, parameters), ...tools]);
        case "removeTool":
          return editTools(conversation, (tools) => tools.toSpliced(index % tools.length, 1));
        case "setSettings":
          return { ...conversation, settings: { ...conversation.settings, ...settings } };
        default: {
          const key = pick(Object.keys(conversation.settings), index);
          if (key === undefined) return undefined;
          const { [key as keyof Settings]: _removed, ...rest } = conversation.settings;
          return { ...conversation, settings: rest };
        }
      }
    };
    return { name: kind, apply };
  });

const isConsistent = ({ input, output, cacheRead, cacheWrite, totalTokens }: Usage): boolean =>
  totalTokens === input + output + cacheRead + cacheWrite;

export interface AnswerEdit {
  readonly name: string;
  readonly apply: (message: AssistantMessage) => AssistantMessage | undefined;
}

/** Edits of an answer. */
export const answerEdit: fc.Arbitrary<AnswerEdit> = fc
  .record({ index: fc.nat(), text, kind: fc.constantFrom("leaf", "insertText", "removePart", "usage", "alternative") })
  .map(({ index, text: word, kind }): AnswerEdit => {
    const apply = (message: AssistantMessage): AssistantMessage | undefined => {
      const { content, usage, alternatives } = message;
      switch (kind) {
        case "leaf":
          return leafEdit(message, index, word);
        case "insertText":
          // An answer without any reason to end is none.
          if (message.rawStopReason === undefined) return undefined;
          return { ...message, content: insert<Part>(content, textPlace(content), { type: "text", text: word }) };
        case "removePart":
          return { ...message, content: content.toSpliced(index % (content.length + 1), 1) };
        case "usage":
          if (usage.unreported?.includes("output") === true || !isConsistent(usage)) return undefined;
          return { ...message, usage: { ...usage, output: usage.output + 1, totalTokens: usage.totalTokens + 1 } };
        default: {
          const edited = alternatives?.[0] === undefined ? undefined : leafEdit(alternatives[0], index, word);
          return edited === undefined ? undefined : { ...message, alternatives: alternatives?.with(0, edited) ?? [] };
        }
      }
    };
    return { name: kind, apply };
  });

/** Nodes and settings of any kind brought in from another conversation: what the protocol cannot hold is reported. */
export const graft: fc.Arbitrary<Edit> = fc
  .record({ from: arbitraryConversation(), index: fc.nat(), kind: fc.constantFrom("message", "part", "settings") })
  .map(({ from, index, kind }): Edit => {
    const apply = (conversation: Conversation): Conversation | undefined => {
      const message = pick(from.messages, index);
      if (kind === "settings") return { ...conversation, settings: { ...conversation.settings, ...from.settings } };
      if (message === undefined) return undefined;
      // Tools have no authority: where they are listed, the message that brought them keeps its text alone.
      if (message.role === "system" && message.authority !== "system" && message.toolsAdded !== undefined)
        return undefined;
      if (kind === "message")
        return editMessages(conversation, (list) => insert(list, freePlace(list, index), message));
      const part = pick<Part>(message.content, index);
      if (part === undefined) return undefined;
      return editContent(conversation, index, ({ role, content }) =>
        role === message.role ? insert<Part>(content, textPlace(content), part) : undefined,
      );
    };
    return { name: `graft ${kind}`, apply, ...(kind !== "settings" && { message: pick(from.messages, index) }) };
  });
