import { loseReasoning } from "../../../codec/content/reasoning.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import {
  createLedger,
  keep,
  keepOdd,
  keepUnknown,
  plainWire,
  readString,
  spell,
  wireOf,
} from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, isStated, restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, OpaqueState, ThinkingPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { reasoningKeys } from "../wire.ts";
import { itemState, readStatus, writeItemId, writeStatus } from "./item.ts";

const protocol = "openai-responses";
const between = "\n\n";

/** The two lists of a reasoning item: what the model thought, and what it is summed up as. */
const lists = {
  content: { type: "reasoning_text", kind: "full" },
  summary: { type: "summary_text", kind: "summary" },
} as const;
type List = keyof typeof lists;

/** A reasoning item is one part: its text is the reasoning itself where the service shows it, else the summary. */
export function decodeReasoning(item: JsonObject, reader: Reader): ThinkingPart {
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, reasoningKeys);
  readStatus(ledger, item);
  const content = readTexts(item["content"], "content");
  const summary = readTexts(item["summary"], "summary");
  const list: List = content !== undefined ? "content" : "summary";
  const texts = content ?? summary;
  for (const key of ["content", "summary"] as const)
    if (texts === undefined || key !== list) noteList(ledger, key, item[key]);
  if (texts !== undefined && (texts.length > 1 || list === "content")) spell(ledger, list, segments(texts, list));
  const sealed = readString(ledger, item, "encrypted_content");
  const issuer = issuedBy(reader.provider);
  const state: OpaqueState[] = [...(itemState(item, ledger, reader) ?? [])];
  if (sealed !== undefined)
    state.push({ protocol, ...issuer, kind: "encrypted", value: sealed, bindsTo: "prefix", replay: "required" });
  return {
    type: "thinking",
    thinking: texts?.join(between) ?? "",
    ...(texts !== undefined && { kind: lists[list].kind }),
    ...(state.length > 0 && { state }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

/** Lengths of the texts, so that they come apart again. One text of a content says only where it stood. */
function segments(texts: readonly string[], list: List): Json {
  return texts.length === 1 ? list : texts.map((text) => text.length);
}

/** The texts of a list that holds nothing else; undefined where there are none. */
function readTexts(value: Json | undefined, list: List): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts: string[] = [];
  for (const part of value as readonly Json[]) {
    if (!isJsonObject(part) || part["type"] !== lists[list].type || typeof part["text"] !== "string") return undefined;
    if (Object.keys(part).length !== 2) return undefined;
    texts.push(part["text"]);
  }
  return texts;
}

/** A list that gives no text: its absence and its emptiness are spellings, anything else is kept. */
function noteList(ledger: Ledger, key: List, value: Json | undefined): void {
  if (value === undefined) {
    if (key === "summary") spell(ledger, key, "omitted");
  } else if (Array.isArray(value) && value.length === 0) {
    if (key === "content") keepOdd(ledger, key, []);
  } else if (value === null) keepOdd(ledger, key, value);
  else keep(ledger, key, value);
}

/** The item of a reasoning part; undefined for reasoning of another model, which is reported. */
export function encodeReasoning(part: ThinkingPart, writer: Writer): JsonObject | undefined {
  const own = part.wire?.protocol === protocol;
  const sealed = part.state?.find((state) => state.kind === "encrypted" && acceptsState(writer.target, state));
  const isOurs = own || sealed !== undefined || (writer.faithful && part.state === undefined);
  const isRefused = part.state?.some((state) => !acceptsState(writer.target, state)) === true;
  if ((!isOurs && !writer.response) || (isRefused && part.thinking === "" && !writer.response)) {
    loseReasoning(part, writer.report);
    return undefined;
  }
  if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  const object: WireObject = { type: "reasoning" };
  writer.reasoning.set(object, part);
  writeItemId(object, part, "rs", writer);
  const isFull = part.kind === "full";
  const [list, other]: readonly [List, List] = isFull ? ["content", "summary"] : ["summary", "content"];
  const texts = splitTexts(part, list);
  object[list] = texts.map((text) => ({ type: lists[list].type, text }));
  if (other === "summary" && !own) object["summary"] = [];
  if (texts.length === 0 && formOf(part.wire, protocol, "summary") === "omitted") delete object["summary"];
  if (sealed !== undefined) object["encrypted_content"] = sealed.value;
  writeStatus(object, part);
  if (texts.length === 0 && isStated(part.wire, protocol, "summary")) delete object["summary"];
  restore(object, part.wire, protocol);
  if (own && isFull && object["summary"] === undefined && formOf(part.wire, protocol, "summary") !== "omitted")
    object["summary"] = [];
  writer.link?.(part, object);
  return object as JsonObject;
}

/** The texts as they stood, while they still are what the part says. */
function splitTexts({ thinking, kind, wire }: ThinkingPart, list: List): readonly string[] {
  const lengths = formOf(wire, protocol, list);
  if (!Array.isArray(lengths) || lengths.length < 2) return thinking === "" && kind === undefined ? [] : [thinking];
  const texts: string[] = [];
  let place = 0;
  for (const [index, length] of (lengths as readonly number[]).entries()) {
    if (index > 0) {
      if (thinking.slice(place, place + between.length) !== between) return [thinking];
      place += between.length;
    }
    texts.push(thinking.slice(place, place + length));
    place += length;
  }
  return place === thinking.length ? texts : [thinking];
}
