import { encodeArguments } from "../../../codec/content/call-object.ts";
import { plainName, reportCallKind } from "../../../codec/content/calls.ts";
import { assignCallId, resolveCallId } from "../../../codec/identity/call-ids.ts";
import { sendCallId, sendToolName } from "../../../codec/identity/names.ts";
import type { Open } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, spell } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, isStated } from "../../../codec/restore.ts";
import type { Json, JsonObject, Part, Pointer, ToolCallPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { NamedCalls, Reader, Writer } from "../context.ts";
import { finishObject, snakeOfWire, spelledWire, spellPointer } from "../spelling.ts";
import { callKeys, functionCallKeys } from "../wire.ts";
import { reportMark } from "./cache.ts";
import { readSignature, writeSignature } from "./reasoning.ts";

const protocol = "gemini-generate-content";
const argumentsPlace = "functionCall/args";

export function readFunctionCall(
  part: JsonObject,
  call: JsonObject,
  snake: readonly Pointer[] | undefined,
  reader: Reader,
): Part | undefined {
  const { name, args } = call;
  // Nobody can run a call without the name of its tool.
  if (typeof name !== "string" || name === "" || !(args === undefined || args === null || isJsonObject(args)))
    return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, callKeys);
  keepUnknown(ledger, call, functionCallKeys, "functionCall/");
  const signature = readSignature(ledger, part, reader);
  if (args === undefined) spell(ledger, argumentsPlace, "absent");
  else if (args === null) keepOdd(ledger, argumentsPlace, args);
  const stated = call["id"];
  if (typeof stated !== "string") {
    spell(ledger, "id", "omitted");
    keepOdd(ledger, "functionCall/id", stated);
  }
  const assigned = assignCallId(reader.callIds, typeof stated === "string" ? stated : "", name);
  noteCall(reader, assigned.id, name);
  const wire = spelledWire(ledger, snake);
  const decoded: Open<ToolCallPart> = {
    type: "toolCall",
    kind: "function",
    id: assigned.id,
    name,
    arguments: isJsonObject(args) ? args : {},
  };
  const own = typeof stated === "string" ? assigned.state : undefined;
  if (own !== undefined || signature !== undefined) decoded.state = [...(own ?? []), ...(signature ?? [])];
  if (wire !== undefined) decoded.wire = wire;
  return decoded;
}

/** Remembers a call for results that name no call: these answer the calls of one function in their order. */
function noteCall(reader: Reader, id: string, name: string): void {
  reader.callNames.set(id, name);
  const { turn } = reader.callIds;
  const before = reader.namedCalls.get(name);
  if (before?.turn === turn) before.ids.push(id);
  else reader.namedCalls.set(name, { turn, ids: [id], answered: 0 });
}

/** Our id of the call that a result answers: by the id that it states, else by its name and the order of the calls. */
export function answeredCall(reader: Reader, id: Json | undefined, name: string): string {
  const calls = reader.namedCalls.get(name);
  if (typeof id === "string" && (id !== "" || calls === undefined)) {
    const resolved = resolveCallId(reader.callIds, id);
    // A later result without an id answers another call.
    if (calls !== undefined && calls.ids[calls.answered] === resolved) noteAnswer(reader, name, calls);
    return resolved;
  }
  if (calls === undefined) return name;
  const call = calls.ids[Math.min(calls.answered, calls.ids.length - 1)] as string;
  noteAnswer(reader, name, calls);
  return call;
}

/** Another decoding may know the calls as well, so that they are not changed themselves. */
function noteAnswer(reader: Reader, name: string, calls: NamedCalls): void {
  reader.namedCalls.set(name, { ...calls, answered: calls.answered + 1 });
}

export function writeFunctionCall(part: ToolCallPart, writer: Writer): JsonObject {
  const plain = plainName(part, writer.response, writer.report);
  if (part.caller !== undefined) lose(writer.report, "tool_call.caller", part, "caller");
  reportCallKind(part, writer.report);
  reportMark(part, writer);
  const name = sendToolName(writer.names, plain, part);
  writer.callNames.set(part.id, name);
  const call: WireObject = {};
  const id = sendCallId(writer.names, part.id, part.state, part);
  if (formOf(part.wire, protocol, "id") !== "omitted") call["id"] = id;
  else writer.unnamedCalls.add(part.id);
  call["name"] = name;
  const args = encodeArguments(part, writer);
  const place = spellPointer(snakeOfWire(part.wire), argumentsPlace);
  const isOmitted = formOf(part.wire, protocol, place) === "absent" || isStated(part.wire, protocol, place);
  if (Object.keys(args).length > 0 || !isOmitted) call["args"] = args;
  const object: WireObject = { functionCall: call as JsonObject };
  writeSignature(object, part, writer);
  return finishObject(object, part.wire) as JsonObject;
}
