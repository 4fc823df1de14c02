import type { DecodeProgress } from "../../../codec/course.ts";
import { keepDecoded } from "../../../codec/course.ts";
import { startTurn } from "../../../codec/identity/call-ids.ts";
import type { Open } from "../../../codec/ledger.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keepOdd,
  keepUnknown,
  knownKeys,
  plainWire,
  spell,
  wireOf,
} from "../../../codec/ledger.ts";
import { DecodeError } from "../../../errors/index.ts";
import type { Json, JsonObject, Message, Part, Pointer, ToolResultMessage, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { copyReader } from "../context.ts";
import { decodePart, decodeParts } from "../parts/block.ts";
import { answeredCall } from "../parts/calls.ts";
import { groupOf, inCamelCase, spelledWire } from "../spelling.ts";
import { contentKeys, functionResponseKeys, partShape, resultKeys } from "../wire.ts";

const protocol = "gemini-generate-content";

/** `contents`: a list, or the only item of one. */
export function decodeContents(
  value: Json | undefined,
  reader: Reader,
  messages: Message[],
  progress: DecodeProgress | undefined,
): void {
  if (isJsonObject(value)) {
    decodeContent(value, "/contents", reader, messages);
    return;
  }
  const items = expectArray(value, "/contents", "contents");
  for (let index = progress?.from?.items ?? 0; index < items.length; index++) {
    keepDecoded(progress, index, messages, () => copyReader(reader));
    const pointer = `/contents/${index}`;
    decodeContent(expectObject(items[index], pointer, "a content"), pointer, reader, messages);
  }
  keepDecoded(progress, items.length, messages, () => copyReader(reader));
}

function decodeContent(content: JsonObject, pointer: Pointer, reader: Reader, messages: Message[]): void {
  const { role } = content;
  if (role === "model") decodeModel(content, pointer, reader, messages);
  else if (role === undefined || role === null || role === "user" || role === "function")
    decodeUser(content, pointer, reader, messages);
  else throw new DecodeError(`${pointer}/role`, `a content has the role "user" or "model" (at ${pointer}/role)`);
}

export interface ReadParts {
  readonly list: readonly Json[];
  /** Where an item stands. */
  readonly at: (index: number) => readonly [pointer: Pointer, index?: number];
}

/** The parts of a content: a list, or the only item of one. */
export function partsOf(content: JsonObject, pointer: Pointer): ReadParts {
  const { parts } = content;
  if (parts === undefined || parts === null) return { list: [], at: () => [pointer] };
  if (isJsonObject(parts)) return { list: [parts], at: () => [`${pointer}/parts`] };
  const place = `${pointer}/parts`;
  return { list: expectArray(parts, place, "the parts of a content"), at: (index) => [place, index] };
}

/** The wire form of the first node of a content: its residue goes to `group`. */
function containerWire(content: JsonObject, usual: string): WireForm {
  const { role, parts } = content;
  if (role === usual && Array.isArray(parts) && Object.keys(content).length === 2) return plainWire(protocol);
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, content, contentKeys);
  if (role === undefined) spell(ledger, "role", "absent");
  else if (role !== usual) spell(ledger, "role", role);
  if (parts === undefined) spell(ledger, "parts", "omitted");
  else if (isJsonObject(parts)) spell(ledger, "parts", "object");
  else if (parts === null) spell(ledger, "parts", null);
  const group = groupOf(wireOf(ledger));
  return group === undefined ? plainWire(protocol) : { protocol, group };
}

function decodeModel(content: JsonObject, pointer: Pointer, reader: Reader, messages: Message[]): void {
  startTurn(reader.callIds);
  const { list, at } = partsOf(content, pointer);
  const turn: Message = {
    role: "assistant",
    content: Array.isArray(content["parts"])
      ? decodeParts(list, `${pointer}/parts`, reader)
      : list.map((value, index) => decodePart(value, at(index)[0], reader)),
    wire: containerWire(content, "model"),
  };
  reader.trace.pointers.set(turn, pointer);
  messages.push(turn);
}

/** What a user says is one message, each result another, and what stands between results too. */
function decodeUser(content: JsonObject, pointer: Pointer, reader: Reader, messages: Message[]): void {
  const { list, at } = partsOf(content, pointer);
  const wire = containerWire(content, "user");
  let opener: Message | undefined;
  let said: Part[] | undefined;
  const add = (node: Message, place: readonly [pointer: Pointer, index?: number]): void => {
    reader.trace.pointers.set(node, ...place);
    messages.push(node);
    if (opener === undefined) {
      reader.trace.containers.set(node, pointer);
      opener = node;
    } else reader.trace.shared.add(opener);
  };
  if (!list.some(isResult)) {
    const parts = list.map((value, index) => {
      const [place, item] = at(index);
      return decodePart(value, place, reader, item);
    });
    add({ role: "user", content: parts, wire }, [pointer]);
    return;
  }
  list.forEach((value, index) => {
    const own = index === 0 ? wire : plainWire(protocol, true);
    const [place, item] = at(index);
    const result = decodeResult(value, place, item, reader, own);
    if (result !== undefined) {
      said = undefined;
      add(result, at(index));
    } else if (said === undefined) {
      said = [decodePart(value, place, reader, item)];
      add({ role: "user", content: said, wire: own }, at(index));
    } else said.push(decodePart(value, place, reader, item));
  });
}

const isResult = (part: Json): boolean =>
  isJsonObject(part) && ("functionResponse" in part || "function_response" in part);

const outputKeys = knownKeys("output");
const errorKeys = knownKeys("error");

/** True for an object with this key alone, which holds a text. */
function holdsText(response: JsonObject, key: "output" | "error"): boolean {
  const known = key === "output" ? outputKeys : errorKeys;
  for (const name in response) if (known[name] === undefined) return false;
  return typeof response[key] === "string";
}

/** An object that says what went wrong is a failure, whatever else it holds. */
export function tellsFailure(response: JsonObject): boolean {
  const { error } = response;
  return error !== undefined && error !== null && error !== false && error !== "";
}

function decodeResult(
  value: Json,
  list: Pointer,
  index: number | undefined,
  reader: Reader,
  container: WireForm,
): ToolResultMessage | undefined {
  if (!isResult(value) || !isJsonObject(value)) return undefined;
  const { value: part, snake } = inCamelCase(value, partShape);
  const inner = part["functionResponse"];
  if (!isJsonObject(inner)) return undefined;
  const { id, name, response, parts } = inner;
  if (typeof name !== "string" || !isJsonObject(response)) return undefined;
  if (!(parts === undefined || Array.isArray(parts))) return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, resultKeys);
  keepUnknown(ledger, inner, functionResponseKeys, "functionResponse/");
  if (typeof id !== "string" || id === "") {
    spell(ledger, "id", "omitted");
    keepOdd(ledger, "functionResponse/id", id);
  }
  const place = index === undefined ? list : `${list}/${index}`;
  const spelled = `${place}/${snake?.includes("function_response") === true ? "function_response" : "functionResponse"}`;
  const content: Part[] = [];
  const key = holdsText(response, "output") ? "output" : holdsText(response, "error") ? "error" : undefined;
  // Beside media an empty text says nothing.
  if (key !== undefined && !(response[key] === "" && Array.isArray(parts) && parts.length > 0)) {
    const text: Part = { type: "text", text: response[key] as string };
    reader.trace.pointers.set(text, `${spelled}/response/${key}`);
    content.push(text);
  }
  if (Array.isArray(parts)) {
    if (parts.length === 0) spell(ledger, "parts", "empty");
    content.push(...decodeParts(parts as readonly Json[], `${spelled}/parts`, reader));
  }
  const toolCallId = answeredCall(reader, id, name);
  const result: Open<ToolResultMessage> = {
    role: "toolResult",
    toolCallId,
    content,
    isError: key === "error" || (key === undefined && tellsFailure(response)),
    wire: withContainer(spelledWire(ledger, snake), container),
  };
  // The call says it, where there is one.
  if (reader.callNames.get(toolCallId) !== name) result.toolName = name;
  if (key === undefined) result.value = response;
  return result;
}

/** A result that opens its container carries the residue of that too; any other is joined. */
function withContainer(own: WireForm | undefined, container: WireForm): WireForm {
  if (own === undefined) return container;
  return { ...own, ...(container.joined === true && { joined: true as const }), ...groupField(container) };
}

function groupField({ group }: WireForm): Pick<WireForm, "group"> {
  return group === undefined ? {} : { group };
}
