import type { Json, Pointer, ProtocolId } from "@rolecall/core";
import { isJsonObject, jsonEqual } from "@rolecall/core";
import { changesOf } from "../../packages/cli/src/audit/change.ts";
import { createContentReader } from "../../packages/cli/src/audit/content.ts";
import { editAt } from "../../packages/cli/src/audit/edit.ts";
import type { Place } from "../../packages/cli/src/audit/leaves.ts";
import { survey } from "../../packages/cli/src/audit/leaves.ts";
import { placeKind } from "../../packages/cli/src/audit/place-kind.ts";
import type { Concept } from "./concept.ts";
import { conceptOf } from "./concept.ts";
import type { ExcuseReader } from "./excuse.ts";
import type { Sample } from "./samples.ts";

/** One place of a body, and bodies in which it is another. */
export interface Probe {
  readonly concept: Concept;
  readonly pointer: Pointer;
  /** The likeliest to be accepted first; the last one is without it. */
  readonly variants: readonly Variant[];
  /** The element of a list that holds the place, taken away. */
  readonly withoutHolder?: Json;
}

export interface Variant {
  readonly body: Json;
  /** The word that the change put there, where it must arrive. */
  readonly token?: string;
  readonly isRemoval: boolean;
}

/** A word that no fixture has. */
export const token = "ZqvXwJkp";

/** They only say what kind of object they stand in: another one makes another body of it. */
const discriminators = new Set(["type", "object"]);
/** They join a call with its result: all copies of one are changed together. */
const idKeys = new Set(["id", "tool_use_id", "tool_call_id", "call_id"]);
/** Pieces of texts in frames; in other bodies the reader of content knows what is text. */
const streamedTexts = new Set([
  "delta",
  "text",
  "content",
  "thinking",
  "partial_json",
  "arguments",
  "refusal",
  "reasoning_content",
]);
/** Where what goes back into the history stands in an answer. */
const historyPlaces: { readonly [protocol in ProtocolId]: string } = {
  "openai-chat": "/choices/0/message",
  "openai-responses": "/output",
  "anthropic-messages": "/content",
  "gemini-generate-content": "/candidates/0/content",
};
/** The nearest other word, so that the body stays valid. Other roles cannot be exchanged. */
const otherRoles = new Map([
  ["developer", "system"],
  ["system", "developer"],
  ["user", "assistant"],
]);
const otherGeminiRoles = new Map([["user", "model"]]);

/** Words that the fixtures have at a kind of place, so that a word of a protocol is changed into another one. */
export type Words = ReadonlyMap<string, readonly string[]>;

export function collectWords(samples: readonly Sample[]): Words {
  const words = new Map<string, string[]>();
  for (const { operation, protocol, body } of samples) {
    for (const { path, value } of survey(body).leaves) {
      if (typeof value !== "string" || !/^[a-zA-Z0-9_-]{1,30}$/.test(value)) continue;
      const key = wordKey(operation, protocol, body, path);
      const list = words.get(key) ?? [];
      if (!list.includes(value)) words.set(key, [...list, value]);
    }
  }
  return words;
}

const wordKey = (operation: string, protocol: string, body: Json, path: readonly string[]): string =>
  `${operation} ${protocol} ${placeKind(body, path)}`;

/** The probes of a sample. */
export function probesOf(sample: Sample, excuseOf: ExcuseReader, words: Words): Probe[] {
  const { operation, protocol, body, within } = sample;
  const isStream = operation === "stream";
  const isAnswer = operation !== "request";
  const isWanted = ({ pointer }: Pick<Place, "pointer">): boolean =>
    (operation !== "history" || isWithin(pointer, historyPlaces[protocol])) &&
    (within === undefined || within.some((place) => isWithin(pointer, place)));
  const readContent = isStream ? undefined : createContentReader(protocol, isAnswer ? "response" : "request");
  const { leaves, objects } = survey(body);
  const probes: Probe[] = [];
  const seenIds = new Set<string>();
  const done: Place[] = [];
  for (const leaf of leaves.filter(isWanted)) {
    const key = leaf.path.at(-1) ?? "";
    const isFree = placeKind(body, leaf.path).includes("/**");
    if (!isFree && idKeys.has(key) && typeof leaf.value === "string" && isCallId(body, leaf)) {
      if (seenIds.has(leaf.value)) continue;
      seenIds.add(leaf.value);
      probes.push({
        concept: "call ids",
        pointer: leaf.pointer,
        variants: [{ body: withOtherId(body, leaf.value), token, isRemoval: false }],
      });
      continue;
    }
    if (!isFree && discriminators.has(key)) continue;
    if (excuseOf(leaf.path, leaf.value, body) === "always") continue;
    const content = readContent?.(body, leaf.path) !== undefined;
    const isText = typeof leaf.value === "string" && (content || (isStream && streamedTexts.has(key)));
    const concept = conceptOf(body, leaf.path, { protocol, isAnswer, isStream });
    if (isStream && isRepeat(done, leaf)) continue;
    done.push(leaf);
    const isPiece = isStream && (key === "partial_json" || key === "arguments" || isArgumentDelta(body, leaf));
    const changed = isPiece
      ? withinPiece(leaf.value)
      : otherValues(leaf, content, key, protocol, words.get(wordKey(operation, protocol, body, leaf.path)) ?? []);
    if (changed.length === 0) continue;
    const variants = changed.map(({ value, marked }): Variant => {
      const copy = isStream ? withRepeats(body, leaf, value) : editAt(body, leaf.path, () => value);
      return { body: copy, isRemoval: false, ...(marked && isText && { token }) };
    });
    if (excuseOf(leaf.path, leaf.value, body) === "none")
      variants.push({ body: editAt(body, leaf.path, () => undefined), isRemoval: true });
    probes.push({ concept, pointer: leaf.pointer, variants, ...holderless(body, leaf.path) });
  }
  if (within === undefined) {
    for (const object of objects.filter(isWanted)) {
      const path = [...object.path, token];
      if (placeKind(body, path).includes("/**") || excuseOf(path, token, body) === "always") continue;
      if (isStream && object.path.length === 0) continue;
      probes.push({
        concept: "unknown fields",
        pointer: `${object.pointer}/${token}`,
        variants: [{ body: editAt(body, path, () => token), isRemoval: false }],
        ...holderless(body, object.path),
      });
    }
    probes.push(...movedInstructions(body, protocol === "openai-responses" ? "input" : "messages"));
  }
  return probes;
}

/** Responses calls every piece `delta`. */
function isArgumentDelta(body: Json, { path }: Place): boolean {
  const frame = path.slice(0, 2).reduce<Json | undefined>(stepInto, body);
  return path.at(-1) === "delta" && isJsonObject(frame) && String(frame["type"]).includes("arguments");
}

const isWithin = (pointer: Pointer, place: Pointer): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** Ids of calls and results, not those of messages, items and answers. */
function isCallId(body: Json, { path, value }: Place): boolean {
  const key = path.at(-1);
  if (key !== "id") return true;
  const holder = path.slice(0, -1).reduce<Json | undefined>(stepInto, body);
  if (!isJsonObject(holder)) return false;
  const { type } = holder;
  const isCall =
    type === "tool_use" || type === "server_tool_use" || (type === "function" && holder["function"] !== undefined);
  return (
    (isCall || type === "custom" || path.includes("functionCall") || path.includes("functionResponse")) && value !== ""
  );
}

const stepInto = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: Json })[key] : undefined;

function withOtherId(body: Json, id: string): Json {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    idKeys.has(key) && value === id ? id + token : value,
  ) as Json;
}

function otherValues(
  { value }: Place,
  content: boolean,
  key: string,
  protocol: ProtocolId,
  known: readonly string[],
): readonly { readonly value: Json; readonly marked: boolean }[] {
  if (key === "role") {
    const roles = protocol === "gemini-generate-content" ? otherGeminiRoles : otherRoles;
    const other = typeof value === "string" ? roles.get(value) : undefined;
    return other === undefined ? [] : [{ value: other, marked: false }];
  }
  const changes = changesOf(value, token, content);
  if (content || typeof value !== "string") return changes;
  const others = known.filter((word) => word !== value).slice(0, 1);
  return [...others.map((word) => ({ value: word, marked: false })), ...changes];
}

/** Words are alike by chance, texts and ids are not. */
const SHORTEST_COPY = 6;
const isCopyable = (value: Json): value is string => typeof value === "string" && value.length >= SHORTEST_COPY;

/**
 * A stream says things several times: in each frame, or piece by piece and then as a whole. All copies are changed: texts that hold the same, other
 * values where they stand at the same place of their frames.
 */
function withRepeats(body: Json, { path, value }: Place, changed: Json): Json {
  const inner = path.slice(2);
  const isCopy = (leaf: Place): boolean =>
    jsonEqual(leaf.path.slice(2), inner)
      ? jsonEqual(leaf.value, value)
      : isCopyable(value) && isCopyable(leaf.value) && leaf.value.includes(value);
  return survey(body)
    .leaves.filter(isCopy)
    .reduce<Json>((copy, leaf) => {
      const isWhole = jsonEqual(leaf.value, value) || typeof leaf.value !== "string";
      const whole = isWhole ? changed : leaf.value.replace(String(value), () => String(changed));
      return editAt(copy, leaf.path, () => whole);
    }, body);
}

/** True where an earlier leaf of a stream said a part of the same, which was changed together with it. */
const isRepeat = (earlier: readonly Place[], { path, value }: Place): boolean =>
  earlier.some((leaf) =>
    jsonEqual(leaf.path.slice(2), path.slice(2))
      ? jsonEqual(leaf.value, value)
      : isCopyable(leaf.value) && isCopyable(value) && value.includes(leaf.value),
  );

/** A piece of JSON text stays one: the word is put behind the first quote of a value. */
function withinPiece(value: Json): readonly { readonly value: Json; readonly marked: boolean }[] {
  const changed = String(value).replace(/:\s*"/, (found) => found + token);
  return changed === value ? [] : [{ value: changed, marked: true }];
}

/** The body without the innermost element of a list that holds a place. */
function holderless(body: Json, path: readonly string[]): { withoutHolder?: Json } {
  const holders = path
    .map((_, depth) => path.slice(0, depth))
    .filter((above) => Array.isArray(above.reduce<Json | undefined>(stepInto, body)));
  const list = holders.at(-1);
  const index = list === undefined ? undefined : path[list.length];
  if (list === undefined || index === undefined) return {};
  return { withoutHolder: editAt(body, [...list, index], () => undefined) };
}

/** An instruction among the turns, one place earlier. */
function movedInstructions(body: Json, key: string): Probe[] {
  const turns = stepInto(body, key);
  if (!Array.isArray(turns)) return [];
  const isInstruction = (turn: Json | undefined): boolean =>
    ["system", "developer"].includes(String(turn === undefined ? "" : stepInto(turn, "role")));
  return turns.flatMap((turn: Json, index): Probe[] => {
    const before = turns[index - 1] as Json | undefined;
    if (!isInstruction(turn) || before === undefined || isInstruction(before)) return [];
    const moved = turns.with(index - 1, turn).with(index, before);
    return [
      {
        concept: "instructions and their place",
        pointer: `/${key}/${index}`,
        variants: [{ body: editAt(body, [key], () => moved), isRemoval: false }],
      },
    ];
  });
}
