import type { Ledger } from "../../../codec/ledger.ts";
import {
  createLedger,
  describe,
  keepOdd,
  keepUnknown,
  readNumber,
  readString,
  spell,
  wireField,
} from "../../../codec/ledger.ts";
import { DecodeError } from "../../../errors/index.ts";
import type { AudioPart, Json, JsonObject, Part, Pointer, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { decodePart } from "../parts/block.ts";
import { decodeFunctionCall, decodeToolCall } from "../parts/calls.ts";
import { decodeAnnotations } from "../parts/citations.ts";
import { decodeReasoning, readSignatures } from "../parts/reasoning.ts";
import { decodeThinking } from "../parts/reasoning-content.ts";
import { assistantKeys, audioAnswerKeys, audioReferenceKeys } from "../wire.ts";

const protocol = "openai-chat";

/**
 * The content of an assistant message, in a history or in an answer: reasoning, text, refusal, audio, calls. `prefix` is the place of the
 * message inside of the ledger's object, with a trailing slash.
 */
export function decodeAssistant(
  message: JsonObject,
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): { readonly content: readonly Part[]; readonly name?: string } {
  const signatures = readSignatures(message, assistantKeys, ledger, reader, prefix);
  const thinking = decodeReasoning(message, pointer, prefix, ledger, reader, signatures);
  const texts = decodeText(message, pointer, prefix, ledger, reader);
  const cited = attachAnnotations(texts, message, pointer, prefix, ledger, reader);
  const content: Part[] = thinking.length === 0 ? cited : [...thinking, ...cited];
  const refusal = readString(ledger, message, "refusal", prefix);
  if (refusal !== undefined) {
    const part: Part = { type: "refusal", text: refusal };
    reader.trace.pointers.set(part, `${pointer}/refusal`);
    content.push(part);
  }
  const audio = decodeAudio(message["audio"], prefix, ledger);
  if (audio !== undefined) {
    reader.trace.pointers.set(audio, `${pointer}/audio`);
    content.push(audio);
  }
  decodeCalls(message, pointer, prefix, ledger, reader, content);
  const name = readString(ledger, message, "name", prefix);
  return name === undefined ? { content } : { content, name };
}

function decodeText(message: JsonObject, pointer: Pointer, prefix: string, ledger: Ledger, reader: Reader): Part[] {
  const { content } = message;
  if (content === undefined || content === null || content === "") {
    const absence = reader.response ? "absent" : "omitted";
    spell(ledger, `${prefix}content`, content === undefined ? absence : content);
    return [];
  }
  if (typeof content === "string") {
    const part: Part = { type: "text", text: content };
    reader.trace.pointers.set(part, pointer, "content");
    return [part];
  }
  const place = `${pointer}/content`;
  if (!Array.isArray(content))
    throw new DecodeError(place, `content at ${place} must be a string, an array or null, not ${describe(content)}`);
  if (content.length === 0) spell(ledger, `${prefix}content`, []);
  const parts = content.map(
    (part: Json, index) => decodeThinking(part, place, reader, index) ?? decodePart(part, place, reader, index),
  );
  if (parts.length > 0 && (reader.response || (parts.length === 1 && parts[0]?.type === "text")))
    spell(ledger, `${prefix}content`, "array");
  return parts;
}

/** Annotations stand on the text; without exactly one text nobody knows which, and they are kept. */
function attachAnnotations(
  parts: Part[],
  message: JsonObject,
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): Part[] {
  const only = parts.length === 1 && parts[0]?.type === "text" ? (parts[0] as TextPart) : undefined;
  if (only === undefined || !reader.response) {
    keepOdd(ledger, "annotations", message["annotations"], prefix);
    return parts;
  }
  const citations = decodeAnnotations(ledger, message, prefix, pointer, reader);
  if (citations === undefined) return parts;
  const cited: TextPart = { ...only, citations };
  const place = reader.trace.pointers.get(only);
  if (place !== undefined) reader.trace.pointers.set(cited, place);
  return [cited];
}

/** Spoken answers: in a history only their id, in an answer the sound with its transcript. */
function decodeAudio(value: Json | undefined, prefix: string, ledger: Ledger): AudioPart | undefined {
  if (!isJsonObject(value) || typeof value["id"] !== "string") return keepOdd(ledger, "audio", value, prefix);
  const { id, data } = value;
  const own = createLedger(protocol, ledger.absence);
  if (typeof data !== "string") {
    keepUnknown(own, value, audioReferenceKeys);
    spell(own, "audio", "reference");
    return { type: "audio", source: { type: "file", fileId: id }, ...wireField(own) };
  }
  keepUnknown(own, value, audioAnswerKeys);
  const transcript = readString(own, value, "transcript");
  const expiresAt = readNumber(own, value, "expires_at");
  spell(own, "audio", "answer");
  return {
    type: "audio",
    source: { type: "base64", mediaType: "audio/wav", data },
    ...(transcript !== undefined && { transcript }),
    ...(expiresAt !== undefined && { expiresAt }),
    state: [{ protocol, kind: "itemId", value: id }],
    ...wireField(own),
  };
}

/** The call that some servers send with every answer: a name and arguments without a letter, and nothing else. */
function isEmptyCall(call: JsonObject): boolean {
  return call["name"] === "" && call["arguments"] === "" && Object.keys(call).length === 2;
}

/** Adds the calls to the content of their message. */
function decodeCalls(
  message: JsonObject,
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
  content: Part[],
): void {
  const { function_call: deprecated, tool_calls: list } = message;
  const call = isJsonObject(deprecated)
    ? decodeFunctionCall(deprecated, `${pointer}/function_call`, reader)
    : undefined;
  if (call !== undefined) content.push(call);
  else if (isJsonObject(deprecated) && isEmptyCall(deprecated)) {
    // It calls nothing, which is the same as no call.
    spell(ledger, `${prefix}function_call/name`, "");
    spell(ledger, `${prefix}function_call/arguments`, "");
  } else keepOdd(ledger, "function_call", deprecated, prefix);
  if (!Array.isArray(list) || list.length === 0) {
    keepOdd(ledger, "tool_calls", list as Json | undefined, prefix);
    return;
  }
  const place = `${pointer}/tool_calls`;
  for (let index = 0; index < list.length; index++)
    content.push(decodeToolCall(list[index] as Json, place, reader, index));
}
