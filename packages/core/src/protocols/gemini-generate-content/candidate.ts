import type { WireObject } from "../../codec/restore.ts";
import { formOf, isStated, restore } from "../../codec/restore.ts";
import type { AssistantMessage, Json, JsonObject, RefusalPart } from "../../ir/index.ts";
import { isJsonObject, jsonEqual } from "../../ir/index.ts";
import { lose } from "../../loss/index.ts";
import type { Writer } from "./context.ts";
import { blockedForm } from "./fields.ts";
import { encodePart } from "./parts/block.ts";
import type { WrittenText } from "./parts/citations.ts";
import { citedTexts, encodeGrounding, groundingRest, readGrounding, withCitations } from "./parts/citations.ts";
import { encodeStop } from "./stop-reason.ts";

const protocol = "gemini-generate-content";

/** True for an answer that was filtered before it began: the API has no candidate for it, and says why. */
export function isBlocked(message: AssistantMessage): boolean {
  const { wire, content, alternatives = [] } = message;
  if (message.stopReason !== "error" || content.length > 0 || alternatives.length > 0) return false;
  if (wire?.protocol === protocol) return formOf(wire, protocol, blockedForm) === true;
  return message.stopDetail === "contentFilter";
}

/** One candidate. `prefix` is its place in the form of its node. */
export function encodeCandidate(message: AssistantMessage, index: number, prefix: string, writer: Writer): WireObject {
  const form = (key: string): Json | undefined => formOf(message.wire, protocol, prefix + key);
  const stated = (key: string): boolean => isStated(message.wire, protocol, prefix + key);
  const candidate: WireObject = {};
  const refusals = message.content.filter((part) => part.type === "refusal");
  const parts: JsonObject[] = [];
  const texts: WrittenText[] = [];
  for (const part of message.content) {
    if (part.type === "refusal") continue;
    const encoded = encodePart(part, writer);
    if (encoded === undefined) continue;
    if (part.type === "text") texts.push({ part, index: parts.length });
    parts.push(encoded);
  }
  const content: WireObject = {};
  if (parts.length > 0) content["parts"] = parts;
  if (form("content/role") !== "omitted" && !stated("content/role")) content["role"] = "model";
  const isBare =
    parts.length === 0 && (form("content") === "omitted" || stated("content") || isRefused(message, refusals));
  if (!isBare) candidate["content"] = content as JsonObject;
  writeStop(candidate, message, form, stated, writer);
  writeRefusals(candidate, refusals, writer);
  const grounding = groundingOf(message, texts, prefix, writer);
  if (grounding !== undefined) candidate["groundingMetadata"] = grounding;
  if (form("index") !== "omitted" && !stated("index")) candidate["index"] = index;
  return candidate;
}

/** A refusal of another protocol comes without any content. */
const isRefused = (message: AssistantMessage, refusals: readonly RefusalPart[]): boolean =>
  message.wire?.protocol !== protocol && refusals.length > 0;

function writeStop(
  candidate: WireObject,
  message: AssistantMessage,
  form: (key: string) => Json | undefined,
  stated: (key: string) => boolean,
  { report }: Writer,
): void {
  const isLeftOut = form("finishReason") === "omitted" || stated("finishReason");
  if (isLeftOut && message.stopReason === "stop" && message.rawStopReason === undefined) return;
  const stop = encodeStop(message);
  if (!stop.exact) {
    const code =
      message.stopDetail === "unknown"
        ? "stop.unknown"
        : message.stopReason === "error" && message.stopDetail === undefined
          ? "response.error"
          : "stop.approximated";
    lose(report, code, message, "stopReason", { values: { raw: message.rawStopReason ?? "", sent: String(stop.raw) } });
  }
  if (message.stopSequence !== undefined) lose(report, "stop.sequence", message, "stopSequence");
  if (stop.raw !== null) candidate["finishReason"] = stop.raw;
}

function writeRefusals(
  candidate: WireObject,
  refusals: readonly RefusalPart[],
  { report, faithful, link }: Writer,
): void {
  if (refusals.length === 0) return;
  candidate["finishMessage"] = refusals.map((part) => part.text).join("");
  for (const part of refusals) {
    if (part.category !== undefined) lose(report, "refusal.detail", part, "category");
    if (!faithful) lose(report, "refusal.text", part, "", { values: { sent: "finishMessage" } });
    link?.(part, candidate);
  }
}

/** The metadata as it came, while the citations are those that it gave; else anew. */
function groundingOf(
  message: AssistantMessage,
  texts: readonly WrittenText[],
  prefix: string,
  writer: Writer,
): JsonObject | undefined {
  const own = ownGrounding(message, prefix);
  // Supports and chunks are completed by their residue.
  return own === undefined ? encodeGrounding(texts, writer) : own;
}

function ownGrounding(message: AssistantMessage, prefix: string): JsonObject | undefined {
  const form = formOf(message.wire, protocol, `${prefix}grounding`);
  if (!isJsonObject(form)) return undefined;
  const bare = message.content.map((part) => {
    if (part.type !== "text" || part.citations === undefined) return part;
    const { citations: _citations, ...others } = part;
    return others;
  });
  const before = withCitations(bare, readGrounding(form, "", citedTexts(bare)));
  const cited = (parts: readonly object[]): Json =>
    parts.map((part) => ("citations" in part ? (part.citations as readonly object[]).map(withoutWire) : [])) as Json;
  return jsonEqual(cited(before), cited(message.content)) ? { ...form } : undefined;
}

function withoutWire(citation: object): object {
  const { wire: _wire, ...others } = citation as { readonly wire?: unknown };
  return others;
}

/** Writes the residue of a candidate back; what belongs to metadata that was written anew stays away. */
export function restoreCandidate(object: WireObject, message: AssistantMessage, prefix: string, _writer: Writer): void {
  const isOwn = ownGrounding(message, prefix) !== undefined;
  const gone = isOwn ? [] : groundingRest(message.wire?.rest, prefix);
  restore(object, message.wire, protocol, gone);
}
