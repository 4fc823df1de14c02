import type { KnownKeys } from "../../../codec/ledger.ts";
import { createLedger, keepUnknown, knownKeys, plainWire, wireOf } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { assignOwn, restore } from "../../../codec/restore.ts";
import { entryOf, scalarText } from "../../../codec/table.ts";
import type { JsonObject, Part, Pointer, ServerToolCallPart, ServerToolResultPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { fieldsOf } from "./calls.ts";
import { itemType, readStatus, writeStatus } from "./item.ts";

const protocol = "openai-responses";

/** An item that holds what a hosted tool was asked and what it found. */
interface HostedCall {
  readonly name: string;
  readonly input: readonly string[];
  readonly result: readonly string[];
  readonly known: KnownKeys;
}

function hostedCall(name: string, input: readonly string[], result: readonly string[]): HostedCall {
  return { name, input, result, known: knownKeys("type", "id", "status", ...input, ...result) };
}

const mcp = hostedCall("", ["arguments"], ["output", "error"]);
const mcpKeys = knownKeys(...Object.keys(mcp.known), "name", "server_label");

const hostedCalls: { readonly [type: string]: HostedCall } = {
  web_search_call: hostedCall("web_search", ["action"], ["results"]),
  file_search_call: hostedCall("file_search", ["queries"], ["results"]),
  code_interpreter_call: hostedCall("code_interpreter", ["code", "container_id"], ["outputs"]),
  image_generation_call: hostedCall("image_generation", ["action", "revised_prompt"], ["result"]),
  mcp_call: mcp,
};

/** The call of a hosted tool, and its result where the item holds one; undefined for any other item. */
export function decodeHostedCall(item: JsonObject, pointer: Pointer, reader: Reader): readonly Part[] | undefined {
  const type = itemType(item);
  const hosted = entryOf(hostedCalls, type);
  const { id } = item;
  if (hosted === undefined || typeof id !== "string") return undefined;
  const isMcp = type === "mcp_call";
  const name = isMcp ? item["name"] : hosted.name;
  const server = isMcp ? item["server_label"] : undefined;
  if (typeof name !== "string" || (isMcp && typeof server !== "string")) return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, isMcp ? mcpKeys : hosted.known);
  readStatus(ledger, item);
  const result = fieldsOf(item, hosted.result);
  const issuer = reader.provider === undefined ? {} : { provider: reader.provider };
  const call: ServerToolCallPart = {
    type: "serverToolCall",
    id,
    name,
    input: { type, ...fieldsOf(item, hosted.input) },
    ...(typeof server === "string" && { server }),
    ...issuer,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  reader.trace.pointers.set(call, pointer);
  if (Object.keys(result).length === 0) return [call];
  const found: ServerToolResultPart = {
    type: "serverToolResult",
    toolCallId: id,
    protocol,
    ...issuer,
    value: result,
    wire: plainWire(protocol, true),
  };
  reader.trace.pointers.set(found, pointer);
  return [call, found];
}

/** The item of a hosted call; undefined where the target is not the service that ran it, which is reported. */
export function encodeHostedCall(part: ServerToolCallPart, writer: Writer): WireObject | undefined {
  const { input, provider } = part;
  const isAccepted =
    part.wire?.protocol === protocol &&
    acceptsState(writer.target, { protocol, ...(provider !== undefined && { provider }) });
  if (!isAccepted || !isJsonObject(input)) {
    lose(writer.report, "server_tool.record", part, "", { values: { from: part.wire?.protocol ?? "another service" } });
    return undefined;
  }
  const { type, ...fields } = input;
  const object: WireObject = { type, id: part.id, ...fields };
  if (part.server !== undefined) {
    object["name"] = part.name;
    object["server_label"] = part.server;
  } else if (entryOf(hostedCalls, type)?.name !== part.name)
    lose(writer.report, "tool_call.kind", part, "name", { values: { kind: scalarText(type) } });
  writeStatus(object, part);
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object;
}

/** Adds what a hosted tool found to the item of its call, or reports it where there is no such item. */
export function addHostedResult(part: ServerToolResultPart, object: WireObject | undefined, writer: Writer): void {
  if (object !== undefined && object["id"] === part.toolCallId && part.protocol === protocol) {
    assignOwn(object, part.value);
    writer.link?.(part, object);
    return;
  }
  lose(writer.report, "server_tool.record", part, "", { values: { from: part.protocol } });
}
