import type {
  AssistantMessage,
  Conversation,
  JsonObject,
  Message,
  Part,
  Settings,
  SystemMessage,
  ToolResultMessage,
} from "@rolecall/core";
import { getCurrentTools, isJsonObject, readArguments, withoutWire } from "@rolecall/core";

/** Fields for the host alone, which no protocol sends; and how reasoning was shown. */
const hostFields: ReadonlySet<string> = new Set(["origin", "timestamp", "details"]);

/** A conversation as what it means, so that two of the same meaning are equal. */
export function meaning(conversation: Conversation): unknown {
  const ids = new Map<string, string>();
  const plain = withoutWire(conversation);
  const messages = oneHead(plain.messages)
    .map((message) => messageOf(message, ids))
    .filter((message) => !isNothing(message));
  return { messages, settings: settingsOf(plain.settings) };
}

/** An answer as what it means. The service's own word for why it ended follows from the reason. */
export function answerMeaning(message: AssistantMessage): unknown {
  const ids = new Map<string, string>();
  const one = ({ alternatives, ...answer }: AssistantMessage): object => {
    const { api: _api, provider: _provider, model: _model, rawStopReason: _raw, ...rest } = withoutWire(answer);
    return {
      ...messageOf(rest, ids),
      timestamp: answer.timestamp,
      ...(alternatives !== undefined && { alternatives: alternatives.map(one) }),
    };
  };
  return one(message);
}

/** The tools of all instructions before the conversation ride on the first one; a home of tools without text is none of its own. */
function oneHead(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex((message) => message.role !== "system" || message.authority === "user");
  const leading = messages.slice(0, end < 0 ? messages.length : end) as readonly SystemMessage[];
  const tools = getCurrentTools(leading).toSorted((left, right) => (left.name ?? "").localeCompare(right.name ?? ""));
  const [first, ...others] = leading.map(({ toolsAdded: _tools, ...message }) => message);
  if (first === undefined) return messages;
  const rest = messages.slice(leading.length);
  const [second, ...more] = others;
  const says = (first.content as readonly Part[]).some((part) => !isBareNothing(part));
  if (says || second === undefined) return [{ ...first, toolsAdded: tools }, ...others, ...rest];
  return [{ ...second, toolsAdded: tools }, ...more, ...rest];
}

/** Ids join call and result: each is told by the order in which it first stands, because derived ones depend on their place. */
function named(ids: Map<string, string>, id: string): string {
  if (!ids.has(id)) ids.set(id, `call ${ids.size}`);
  return ids.get(id) as string;
}

function messageOf(message: Message, ids: Map<string, string>): JsonObject {
  // An empty text says nothing.
  const content = (message.content as readonly Part[])
    .map((part) => withoutEmpty(partOf(part, ids)) as object)
    .filter((part) => !isBareNothing(part as Part));
  const link = message.role === "toolResult" ? { toolCallId: named(ids, message.toolCallId) } : {};
  const { cacheBreakpoint: mark, ...rest } = message as ToolResultMessage;
  // The mark of a result is that of its last part.
  const last = content.at(-1) ?? { type: "text", text: "" };
  const marked = mark === undefined ? content : [...content.slice(0, -1), { ...last, cacheBreakpoint: mark }];
  return withoutEmpty({
    ...rest,
    content: marked,
    ...link,
    ...instructionOf(message, content.length > 0),
    toolName: undefined,
  }) as JsonObject;
}

/** What holds always needs no lifetime; an instruction with a user's authority is what a user says; one that says nothing has none. */
function instructionOf(message: Message, hasContent: boolean): object {
  if (message.role !== "system") return {};
  return {
    ...(!hasContent && message.authority === "developer" && { authority: "system" }),
    ...(message.authority === "user" && { role: "user", authority: undefined }),
    ...(message.lifetime === "always" && { lifetime: undefined }),
  };
}

const isBareNothing = (part: Part): boolean =>
  part.type === "text" &&
  part.text === "" &&
  Object.keys(part).every((key) => key === "type" || key === "text" || hostFields.has(key));

/** Arguments as the object that the text says; free text, and text that says none, as it is. */
function partOf(part: Part, ids: Map<string, string>): object {
  if (part.type === "thinking") return { ...part, kind: undefined, redacted: undefined };
  if (part.type === "opaque") return { ...part, slot: undefined };
  if (part.type === "image" && part.detail === "auto") return { ...part, detail: undefined };
  if (part.type !== "toolCall") return part;
  const { argumentsText, arguments: value, argumentsError: _error, ...rest } = part;
  const read = value === undefined && part.kind === "function" ? readArguments(argumentsText) : undefined;
  const input = read !== undefined && "value" in read ? { arguments: read.value } : { argumentsText, arguments: value };
  return { ...rest, ...input, id: named(ids, part.id) };
}

/** Without what is for the host, and lists of nothing. Content stays a list. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const copy: { [key: string]: unknown } = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || (hostFields.has(key) && ("type" in value || "role" in value))) continue;
    if (key !== "content" && Array.isArray(item) && item.length === 0) continue;
    Object.defineProperty(copy, key, {
      value: foreign.has(key) ? item : withoutEmpty(item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

/** JSON of others. */
const foreign: ReadonlySet<string> = new Set([
  "arguments",
  "parameters",
  "value",
  "input",
  "inputExamples",
  "outputSchema",
  "caller",
]);

/** A message that says nothing, such as the home of tools that are gone. */
function isNothing(message: JsonObject): boolean {
  if ((message["content"] as readonly unknown[]).length > 0) return false;
  return Object.keys(message).every((key) => key === "role" || key === "authority" || key === "content");
}

/** Without stated defaults, empty objects, and options of the stream, which are for the client. */
function settingsOf({ streamOptions: _options, reasoning, cache, ...settings }: Settings): JsonObject {
  const { toolChoice, n, responseFormat, modalities } = settings;
  const defaults: { readonly [key: string]: boolean } = {
    toolChoice: toolChoice?.mode === "auto" && toolChoice.names === undefined,
    n: n === 1,
    responseFormat: responseFormat?.type === "text",
    modalities: modalities?.every((modality) => modality === "text") === true,
    parallelToolCalls: settings.parallelToolCalls === true,
    logprobs: settings.logprobs === false,
  };
  const { custom: _custom, ...choice } = toolChoice ?? {};
  const all = { ...settings, toolChoice: choice, reasoning: reasoningOf(reasoning), cache: cacheOf(cache) };
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => {
      const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
      return value !== undefined && !isEmpty && defaults[key] !== true;
    }),
  ) as JsonObject;
}

/** Effort says that the model reasons. */
function reasoningOf(reasoning: Settings["reasoning"]): Settings["reasoning"] {
  if (reasoning?.mode !== "enabled" || reasoning.effort === undefined) return reasoning;
  const { mode: _mode, ...rest } = reasoning;
  return rest;
}

/** The time to live of the automatic mark stands with the mark. */
function cacheOf(cache: Settings["cache"]): object | undefined {
  if (cache === undefined || (cache.mode !== "automatic" && cache.breakpoint === undefined)) return cache;
  const { breakpoint, ttl, mode: _mode, ...rest } = cache;
  const time = breakpoint?.ttl ?? ttl;
  return time === undefined ? rest : { ...rest, ttl: time };
}
