import type { AssistantMessage, Conversation, Loss, Message, Part, Settings, TraceEntry } from "@rolecall/core";
import { escapeSegment, isJsonObject, isToolCall, pointerSegments, readArguments, withoutWire } from "@rolecall/core";

/** One thing that an IR value says, and where. */
export interface Fact {
  readonly pointer: string;
  /** The place without positions, so that the same thing elsewhere has the same key. */
  readonly key: string;
  readonly value: string;
}

/** For the host alone, links, and what follows from other facts. */
const silent: ReadonlySet<string> = new Set([
  ..."type origin timestamp details id toolCallId toolName argumentsError slot streamOptions custom kind".split(" "),
  ..."api provider model rawStopReason alternatives totalTokens unreported cacheWrite1h".split(" "),
]);
/** JSON of others counts as a whole. */
const whole: ReadonlySet<string> = new Set(
  "arguments argumentsText parameters inputExamples outputSchema value input schema metadata logitBias caller".split(
    " ",
  ),
);

/** What a conversation or an answer says, each scalar and each JSON of others by itself. */
export function factsOf(value: Conversation | AssistantMessage): Fact[] {
  const facts: Fact[] = [];
  const plain = withoutWire(value);
  if ("messages" in plain) {
    plain.messages.forEach((message, index) => {
      collect(normal(message), `/messages/${index}`, message.role, facts);
    });
    const settings = singled(plain.settings);
    if (Object.keys(settings).length > 0) collect(settings, "/settings", "settings", facts);
  } else collect(normal(plain), "", "answer", facts);
  return facts;
}

/** A call that must be of a subset of one is a call of that one. */
function singled(settings: Settings): Settings {
  const { toolChoice } = settings;
  if (toolChoice?.mode !== "required" || toolChoice.names?.length !== 1) return settings;
  const { subset: _subset, ...choice } = toolChoice;
  return { ...settings, toolChoice: choice };
}

/** Arguments as the object that the text says. */
function normal(message: Message): unknown {
  const content = (message.content as readonly { readonly type: string }[]).map((part) => {
    const { argumentsText, ...call } = part as { readonly type: string; readonly argumentsText?: string };
    const read = argumentsText === undefined ? undefined : readArguments(argumentsText);
    return read !== undefined && "value" in read ? { ...call, arguments: read.value } : part;
  });
  const { role: _role, ...rest } = message;
  // The home of tools without a text that says something has nobody's authority.
  const isHome = message.role === "system" && !content.some(isText) && message.sections === undefined;
  return { ...rest, content, ...(isHome && { authority: undefined }) };
}

const isText = (part: object): boolean => "text" in part && String(part.text).trim() !== "";

function collect(value: unknown, pointer: string, key: string, facts: Fact[]): void {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      collect(item, `${pointer}/${index}`, key, facts);
    });
    return;
  }
  if (!isJsonObject(value)) {
    const text = typeof value === "string" ? value.toWellFormed() : value;
    if (!isDefault(key, text)) facts.push({ pointer, key, value: JSON.stringify(text) });
    return;
  }
  // A mark without anything in it is a mark.
  if (Object.keys(value).length === 0) facts.push({ pointer, key, value: "{}" });
  for (const [name, item] of Object.entries(value)) {
    if (silent.has(name)) continue;
    const place = `${pointer}/${escapeSegment(name)}`;
    if (whole.has(name)) facts.push({ pointer: place, key: `${key}.${name}`, value: canonical(item) });
    else collect(item, place, `${key}.${name}`, facts);
  }
}

/** Stated defaults, and texts that say nothing. */
function isDefault(key: string, value: unknown): boolean {
  if (value === "") return key.endsWith(".text") || key.endsWith(".description");
  if (key === "system.content.text" && String(value).trim() === "") return true;
  // The words of the decoder where the service has none.
  if (key.startsWith("answer.error") && String(value).endsWith("gave no reason")) return true;
  return defaults.has(`${key}=${String(value)}`);
}

const defaults: ReadonlySet<string> = new Set(
  [
    "settings.parallelToolCalls=true settings.n=1 settings.modalities=text settings.responseFormat.type=text",
    "settings.toolChoice.mode=auto settings.stream=false settings.logprobs=false system.toolsAdded.strict=false",
  ]
    .join(" ")
    .split(" "),
);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === "string") return JSON.stringify(value.toWellFormed());
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key.toWellFormed())}:${canonical(item)}`,
  );
  return `{${entries.sort().join()}}`;
}

/**
 * Facts of the first list that the second has less often and that no mention covers often enough: of facts that are the same nobody knows which
 * one is gone.
 */
export function silentFact(
  facts: readonly Fact[],
  others: readonly Fact[],
  mentions: readonly Mention[],
): Fact | undefined {
  const name = ({ key, value }: Fact): string => `${key}=${value}`;
  const counts = new Map<string, number>();
  for (const fact of others) counts.set(name(fact), (counts.get(name(fact)) ?? 0) + 1);
  for (const group of groupsOf(facts, name)) {
    const [first] = group;
    if (first === undefined) continue;
    const gone = group.length - (counts.get(name(first)) ?? 0);
    if (gone <= 0) continue;
    const uncovered = group.filter((fact) => !mentions.some((mention) => covers(mention, fact)));
    if (group.length - uncovered.length < gone) return uncovered[0];
  }
  return undefined;
}

/** Texts that stand once in both lists, in the order of the first and in that of the second. */
export function commonTexts(facts: readonly Fact[], others: readonly Fact[]): readonly [string[], string[]] {
  const textsOf = (list: readonly Fact[]): string[] =>
    list.filter(({ key }) => key.endsWith(".text")).map(({ value }) => value);
  const [left, right] = [textsOf(facts), textsOf(others)];
  const once = (text: string, list: readonly string[]): boolean => list.indexOf(text) === list.lastIndexOf(text);
  const isCommon = (text: string): boolean =>
    left.includes(text) && right.includes(text) && once(text, left) && once(text, right);
  return [left.filter(isCommon), right.filter(isCommon)];
}

/** For each text that one result alone holds, which of the calls that result answers. */
export function answeredCalls({ messages }: Conversation): Map<string, number> {
  const calls = messages.flatMap(({ content }) => (content as readonly Part[]).filter(isToolCall));
  const answered = new Map<string, number>();
  const repeated = new Set<string>();
  for (const message of messages) {
    if (message.role !== "toolResult") continue;
    for (const text of message.content.flatMap(textsOf)) {
      // A blank text tells no result from another: it may stand for none.
      if (text.trim() === "") continue;
      if (answered.has(text)) repeated.add(text);
      answered.set(
        text,
        calls.findIndex(({ id }) => id === message.toolCallId),
      );
    }
  }
  for (const text of repeated) answered.delete(text);
  return answered;
}

/** A text, also where it is a document. */
function textsOf(part: Part): readonly string[] {
  if (part.type === "text") return [part.text];
  if (part.type !== "document") return [];
  if (part.source.type === "text") return [part.source.text];
  return part.source.type === "content" ? part.source.content.flatMap(textsOf) : [];
}

function groupsOf(facts: readonly Fact[], name: (fact: Fact) => string): Iterable<readonly Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    const group = groups.get(name(fact));
    if (group === undefined) groups.set(name(fact), [fact]);
    else group.push(fact);
  }
  return groups.values();
}

/** A place in the IR that a report mentions: a node with all below it, or one field of it. */
export interface Mention {
  readonly code: string;
  readonly node: string;
  readonly field: string;
}

const nodePattern =
  /^(?:\/messages\/\d+|\/alternatives\/\d+)?(?:\/(?:content|toolsAdded|toolsRemoved|citations|source\/content|tools)\/\d+)*/;

export function mentionOf(code: string, irPath: string): Mention {
  if (irPath.startsWith("/settings")) return { code, node: "/settings", field: irPath.slice("/settings".length) };
  const node = nodePattern.exec(irPath)?.[0] ?? "";
  return { code, node, field: irPath.slice(node.length) };
}

/** Losses that change all that a node holds, although they stand at one of its fields. */
const wide: ReadonlySet<string> = new Set([
  "tool_result.error_flag",
  "tool_result.value",
  "instruction.sections",
  "document.text",
  "tool.custom",
  "text.joined",
  "instruction.lowered",
]);

function covers({ code, node, field }: Mention, fact: Fact): boolean {
  // Texts are joined with those before them; a choice follows the name of its tool.
  // Those of an earlier turn, too, where the turns became one.
  if (code === "text.joined" && fact.key.endsWith(".content.text")) return indexOf(fact.pointer) <= indexOf(node);
  if (code === "text.joined") return fact.pointer.startsWith(node.replace(/\/content\/\d+$/, "/content/"));
  // Supports that cannot be read again are kept as a whole, and not one by one.
  if (field === "/groundingMetadata") return fact.key.includes(".citations.");
  if (code === "tool.name" && fact.key === "settings.toolChoice.names") return true;
  // Messages has the lifetime of a cache on each mark.
  if (code === "cache.mark" && fact.key === "settings.cache.ttl") return true;
  // What went wrong follows from the state of the answer, where the service says no more of it.
  if (code === "response.error" && fact.key.startsWith("answer.error")) return true;
  // Messages has both in one object.
  if (field === "/toolChoice" && fact.key === "settings.parallelToolCalls") return true;
  if (!fact.pointer.startsWith(node)) return false;
  if (field === "" || wide.has(code))
    return fact.pointer === node || fact.pointer.startsWith(`${node}/`) || node === "";
  const own = nodePattern.exec(fact.pointer)?.[0] ?? "";
  // Of an answer each field is one by itself.
  if (node === "" && !field.startsWith("/wire")) return fieldOf(fact.pointer) === fieldOf(field);
  if (fact.pointer.startsWith("/settings"))
    return fact.pointer.startsWith(node + field.split("/").slice(0, 2).join("/"));
  return own === node;
}

/** The field of an answer; why it ended is one. */
const fieldOf = (pointer: string): string => (pointer.split("/")[1] ?? "").replace(/^(?:stop|rawStop).*/, "stop");

/** The message, or the alternative, that a place is in. */
const indexOf = (pointer: string): number => Number(pointerSegments(pointer)[1] ?? 0);

/** What became of other nodes of the same place: a report says it once for all of them. */
export function mentionsBeside(
  losses: readonly Pick<Loss, "code" | "path">[],
  trace: readonly TraceEntry[],
): Mention[] {
  return losses.flatMap(({ code, path }) =>
    trace.flatMap(({ source = "", irPath }) =>
      source !== "" && (path === source || path === phaseBeside(source)) ? [{ code, node: irPath, field: "" }] : [],
    ),
  );
}

/** The phase of a text of Responses stands on the item that the text is a content of. */
const phaseBeside = (source: string): string => source.replace(/\/content\/\d+$/, "/phase");

/** Where losses of the target's body stand in the IR that it came from: at the nodes that became what they mention. */
export function mentionsAt(
  losses: readonly Pick<Loss, "code" | "path" | "irPath">[],
  trace: readonly TraceEntry[],
): Mention[] {
  const byTarget = new Map<string, string[]>();
  for (const { target, irPath } of trace) {
    if (target !== undefined && target !== "") byTarget.set(target, [...(byTarget.get(target) ?? []), irPath]);
  }
  return losses.flatMap(({ code, path, irPath }) => {
    // Settings, and what an answer says of itself, stand at one place in every IR.
    if (irPath !== undefined && !/^\/(?:messages|content|alternatives|wire)\b/.test(irPath))
      return [mentionOf(code, irPath)];
    const within = trace.filter(({ target }) => target?.startsWith(`${path}/`) === true && path !== "");
    if (within.length > 0) return within.map(({ irPath: node }) => ({ code, node, field: "" }));
    // A text alone, which no trace can hold: what the conversation begins with.
    if (path === "/instructions") return [{ code, node: "/messages/0", field: "" }];
    const segments = pointerSegments(path).map((segment) => `/${escapeSegment(segment)}`);
    for (let length = segments.length; length > 0; length--) {
      const found = byTarget.get(segments.slice(0, length).join(""));
      if (found !== undefined) return found.map((node) => ({ code, node, field: "" }));
    }
    if (path.endsWith("/groundingMetadata")) return [{ code, node: "", field: "/groundingMetadata" }];
    // What is said of a message is said of its first item, and those behind it are of the same.
    const [, list, number] = /^\/(input)\/(\d+)\//.exec(path) ?? [];
    for (let item = Number(number) - 1; list !== undefined && item >= 0; item--) {
      const found = byTarget.get(`/${list}/${item}`);
      if (found !== undefined) return found.map((node) => ({ code, node, field: "" }));
    }
    return [];
  });
}
