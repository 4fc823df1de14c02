import type { DecodedPart, DecodeProgress, EncodedPart, EncodeProgress } from "../../codec/course.ts";
import type { Decoded, EncodedRequest, History, WireRequest } from "../../codec/protocol.ts";
import { RolecallError } from "../../errors/index.ts";
import type { Conversation, Json, JsonObject, Message, Profile, Settings } from "../../ir/index.ts";
import { isJsonObject, jsonEqual } from "../../ir/index.ts";
import type { Protocol } from "../../stream/protocol.ts";
import type { Entry, ReadHistory } from "./cache.ts";
import type { WrittenItems } from "./written.ts";
import { noItems, writeItems } from "./written.ts";

/** A place where the conversion of a history can go on. */
interface Stop {
  readonly decoded: DecodedPart;
  readonly encoded: EncodedPart;
  readonly written: WrittenItems;
}

/** What a body became in one protocol. */
export interface Conversion {
  readonly target: Protocol;
  readonly from: Profile | undefined;
  readonly to: Profile | undefined;
  readonly body: JsonObject;
  readonly settings: Settings;
  /** Ascending. */
  readonly stops: readonly Stop[];
}

/** More are not worth their memory: what changes in a history that is sent again changes at its end. */
const mostStops = 4;
const mostConversions = 4;

export interface Grown {
  readonly decoded: Decoded<Conversation>;
  readonly encoded: EncodedRequest;
  /** Whether the beginning was known. */
  readonly isContinuation: boolean;
}

/**
 * Converts a request of which `read` knows what is new. Undefined where it is to be converted as a whole: the result is the same, but it takes
 * longer; and what is wrong with a request is told of the whole.
 */
export function convertGrown(
  source: Protocol,
  target: Protocol,
  wire: WireRequest & { readonly body: JsonObject },
  profiles: Profiles,
  read: ReadHistory,
): Grown | undefined {
  try {
    return convertNew(source, target, wire, profiles, read as Entry);
  } catch (error) {
    if (!(error instanceof RolecallError)) throw error;
    return undefined;
  }
}

interface Profiles {
  readonly source?: Profile;
  readonly target?: Profile;
}

function convertNew(
  source: Protocol,
  target: Protocol,
  wire: WireRequest & { readonly body: JsonObject },
  profiles: Profiles,
  entry: Entry,
): Grown | undefined {
  const { body } = wire;
  const { source: from, target: to } = profiles;
  const { history } = source;
  const items = body[history.key];
  if (!Array.isArray(items)) return undefined;
  const list = items as readonly Json[];
  const before = entry.before?.entry.conversions.find(
    (other) =>
      other.target === target &&
      isSame(from, other.from) &&
      isSame(to, other.to) &&
      isSameHead(body, other.body, history),
  );
  const shared = entry.before?.shared ?? 0;
  const known = before?.stops.filter(({ decoded }) => decoded.items <= shared) ?? [];
  const last = known.findLastIndex(({ decoded }) => isOfModel(list[decoded.items], source));
  const stops = known.slice(0, last + 1);
  const start = stops.at(-1);
  const reading: DecodeProgress = {
    from: start?.decoded,
    stops: stopsIn(list, start?.decoded.items ?? 0, source),
    kept: [],
  };
  const decoded = source.decodeRequest(wire, from, reading);
  const { messages, settings } = decoded.value;
  const kept = settledParts(messages, start?.decoded.count ?? 0, reading.kept);
  if (kept === undefined) return undefined;
  // What is written of a turn depends on settings, such as the time to live of cache marks.
  const isContinuation = start !== undefined && before !== undefined && jsonEqual(settings, before.settings);
  const parts = isContinuation ? kept : [...stops.map((stop) => stop.decoded), ...kept];
  const writing: EncodeProgress = {
    from: isContinuation ? start.encoded : undefined,
    stops: parts.map(({ count }) => count),
    kept: [],
  };
  const encoded = target.encodeRequest(decoded.value, to, { progress: writing });
  const reached = isContinuation ? stops : [];
  noteWritten(encoded.value.body as JsonObject, target.history.key, parts, writing.kept, reached, entry);
  entry.conversions.push({ target, from, to, body, settings, stops: reached.slice(-mostStops) });
  if (entry.conversions.length > mostConversions) entry.conversions.shift();
  return { decoded, encoded, isContinuation };
}

function isOfModel(item: Json | undefined, { history }: Protocol): boolean {
  return isJsonObject(item) && history.isOfModel(item);
}

function isOfOthers(item: Json | undefined, { history }: Protocol): boolean {
  return isJsonObject(item) && history.isOfOthers(item);
}

/** The last places behind `start` where a turn of the model follows what others said, or will. */
function stopsIn(list: readonly Json[], start: number, source: Protocol): ReadonlySet<number> {
  const stops = new Set<number>();
  for (let index = list.length; index > start && stops.size < mostStops; index--) {
    if (!isOfOthers(list[index - 1], source)) continue;
    if (index === list.length || isOfModel(list[index], source)) stops.add(index);
  }
  return stops;
}

/**
 * Of the parts that were kept those behind which nothing reaches back: no call is open, and no instruction follows. Undefined where an
 * instruction follows what was written before.
 */
function settledParts(
  messages: readonly Message[],
  start: number,
  parts: readonly DecodedPart[],
): readonly DecodedPart[] | undefined {
  const open = new Set<string>();
  const closed = new Set<number>();
  let lastInstruction = -1;
  for (let index = start; index < messages.length; index++) {
    if (open.size === 0) closed.add(index);
    const message = messages[index] as Message;
    if (message.role === "system") lastInstruction = index;
    else if (message.role === "toolResult") open.delete(message.toolCallId);
    else if (message.role === "assistant")
      for (const part of message.content) if (part.type === "toolCall") open.add(part.id);
  }
  if (open.size === 0) closed.add(messages.length);
  if (start > 0 && lastInstruction >= 0) return undefined;
  return parts.filter(({ count: length }) => {
    const next = messages[length];
    const last = messages[length - 1];
    return (
      length > lastInstruction &&
      closed.has(length) &&
      (last?.role === "user" || last?.role === "toolResult") &&
      (next === undefined || next.role === "assistant")
    );
  });
}

/** Writes the items up to each stop, and adds the stop. */
function noteWritten(
  body: JsonObject,
  key: string,
  decoded: readonly DecodedPart[],
  encoded: readonly EncodedPart[],
  stops: Stop[],
  { fragments, kind }: Entry,
): void {
  const list = body[key] as readonly Json[];
  let written = stops.at(-1)?.written ?? noItems;
  for (const part of encoded) {
    const own = decoded.find(({ count }) => count === part.messages);
    if (own === undefined) continue;
    written = writeItems(written, list, part.count, kind);
    stops.push({ decoded: own, encoded: part, written });
  }
  if (written.items > 0) fragments.lists.set(list, written);
}

/** True where instructions and tools are what they were. What was read before is the same object; nothing is compared in depth. */
function isSameHead(body: JsonObject, other: JsonObject, { heads }: History): boolean {
  return heads.every((name) => body[name] === other[name]);
}

function isSame(left: object | undefined, right: object | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && jsonEqual(left as Json, right as Json));
}
