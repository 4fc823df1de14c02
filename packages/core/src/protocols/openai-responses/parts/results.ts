import { valueText } from "../../../codec/content/result-value.ts";
import { resolveCallId } from "../../../codec/identity/call-ids.ts";
import { sentCallId } from "../../../codec/identity/names.ts";
import type { KnownKeys, Ledger } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, knownKeys, plainWire, spell, wireOf } from "../../../codec/ledger.ts";
import { isMadeUp, reportMissing } from "../../../codec/pairing.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, Part, Pointer, ToolResultMessage } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { decodePart, encodePart, isBareText } from "./block.ts";
import { encodeMark } from "./cache.ts";
import { itemState, itemType, readStatus, writeItemId, writeStatus } from "./item.ts";
import { decodeImage } from "./media.ts";

const protocol = "openai-responses";
const own = ["type", "id", "call_id", "status", "output"] as const;
const plainKeys = knownKeys(...own);
const localKeys = knownKeys("type", "id", "status", "output");

/** What a result says, as each type of item says it. */
type Read = Pick<ToolResultMessage, "content"> & Partial<Pick<ToolResultMessage, "value" | "isError">>;

const readers: {
  readonly [type: string]:
    | {
        readonly known: KnownKeys;
        read(item: JsonObject, pointer: Pointer, ledger: Ledger, reader: Reader): Read | undefined;
      }
    | undefined;
} = {
  function_call_output: { known: plainKeys, read: readContent },
  custom_tool_call_output: { known: plainKeys, read: readContent },
  computer_call_output: { known: plainKeys, read: readScreenshot },
  shell_call_output: { known: plainKeys, read: readShell },
  local_shell_call_output: { known: localKeys, read: readContent },
  apply_patch_call_output: { known: plainKeys, read: readPatch },
};

/** The result of a call; undefined for an item that is none, or not of its documented form. */
export function decodeResult(item: JsonObject, pointer: Pointer, reader: Reader): ToolResultMessage | undefined {
  const type = itemType(item);
  const found = Object.hasOwn(readers, type) ? readers[type] : undefined;
  // The result of a local shell names its call by its own id.
  const isLocal = type === "local_shell_call_output";
  const callId = item[isLocal ? "id" : "call_id"];
  if (found === undefined || typeof callId !== "string") return undefined;
  const ledger = createLedger(protocol);
  const read = found.read(item, pointer, ledger, reader);
  if (read === undefined) return undefined;
  keepUnknown(ledger, item, found.known);
  if (type !== "apply_patch_call_output") readStatus(ledger, item);
  if (type !== "function_call_output") spell(ledger, "item", type);
  const state = isLocal ? undefined : itemState(item, ledger, reader);
  const result: ToolResultMessage = {
    role: "toolResult",
    toolCallId: resolveCallId(reader.callIds, callId),
    isError: false,
    ...read,
    ...(state !== undefined && { state }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  reader.trace.pointers.set(result, pointer);
  return result;
}

function readContent(item: JsonObject, pointer: Pointer, ledger: Ledger, reader: Reader): Read | undefined {
  const { output } = item;
  if (typeof output !== "string" && !Array.isArray(output)) return undefined;
  if (typeof output === "string") return { content: [textPart(output, pointer, reader)] };
  const parts = output.map((part: Json, index) => decodePart(part, `${pointer}/output`, index, "result", reader));
  if (parts.length === 0) spell(ledger, "output", []);
  else if (parts.length === 1 && parts[0]?.type === "text") spell(ledger, "output", "array");
  return { content: parts };
}

function textPart(text: string, pointer: Pointer, reader: Reader): Part {
  const part: Part = { type: "text", text };
  reader.trace.pointers.set(part, pointer, "output");
  return part;
}

function readScreenshot(item: JsonObject, pointer: Pointer, _ledger: Ledger, reader: Reader): Read | undefined {
  const { output } = item;
  const part = isJsonObject(output) && output["type"] === "computer_screenshot" ? decodeImage(output) : undefined;
  if (part === undefined) return undefined;
  reader.trace.pointers.set(part, pointer, "output");
  return { content: [part] };
}

function readShell({ output }: JsonObject): Read | undefined {
  return Array.isArray(output) ? { content: [], value: output } : undefined;
}

/** A patch that failed is a failure. */
function readPatch(item: JsonObject, pointer: Pointer, ledger: Ledger, reader: Reader): Read | undefined {
  const { output, status } = item;
  if (status !== "completed" && status !== "failed") return undefined;
  if (typeof output !== "string") keepOdd(ledger, "output", output);
  const content = typeof output === "string" ? [textPart(output, pointer, reader)] : [];
  return { content, isError: status === "failed" };
}

/** The item of a result is of the kind of its call's. */
function typeOf(message: ToolResultMessage, writer: Writer): string {
  const call = writer.callTypes.get(message.toolCallId);
  if (call !== undefined && (!writer.faithful || message.wire?.protocol !== protocol)) return `${call}_output`;
  const stated = formOf(message.wire, protocol, "item");
  return typeof stated === "string" ? stated : "function_call_output";
}

export function encodeResult(message: ToolResultMessage, writer: Writer): JsonObject {
  const type = typeOf(message, writer);
  const object: WireObject = { type };
  const id = sentCallId(writer.names, message.toolCallId, isMadeUp(message) ? undefined : message);
  if (type === "local_shell_call_output") object["id"] = id;
  else {
    writeItemId(object, message, "fco", writer, false);
    object["call_id"] = id;
  }
  writeOutput(object, type, message, writer);
  if (message.toolName !== undefined && !isMadeUp(message)) lose(writer.report, "message.name", message, "toolName");
  if (message.cacheBreakpoint !== undefined) markResult(object, message, writer);
  writeStatus(object, message);
  restore(object, message.wire, protocol);
  if (type !== "apply_patch_call_output" && object["output"] === undefined) object["output"] = "";
  writer.link?.(message, object);
  return object as JsonObject;
}

function writeOutput(object: WireObject, type: string, message: ToolResultMessage, writer: Writer): void {
  const [first] = message.content;
  switch (type) {
    case "shell_call_output":
      if (Array.isArray(message.value)) {
        loseOthers(message, undefined, writer);
        object["output"] = message.value;
        return;
      }
      break;
    case "computer_call_output": {
      const shown = message.content.find((part) => part.type === "image");
      const image = shown === undefined ? undefined : encodePart(shown, "result", writer);
      if (image !== undefined) {
        // A screenshot stands alone.
        loseOthers(message, shown, writer);
        if (message.isError) lose(writer.report, "tool_result.error_flag", message, "isError", { kind: "dropped" });
        loseValue(message, writer);
        object["output"] = { ...image, type: "computer_screenshot" };
        return;
      }
      break;
    }
    case "apply_patch_call_output":
      object["status"] = message.isError ? "failed" : "completed";
      loseValue(message, writer);
      loseOthers(message, first?.type === "text" ? first : undefined, writer);
      if (first?.type === "text") object["output"] = first.text;
      return;
    default:
      break;
  }
  const output = contentOf(message, object, writer);
  if (output !== undefined) object["output"] = output;
}

function loseOthers({ content }: ToolResultMessage, sent: Part | undefined, writer: Writer): void {
  for (const part of content)
    if (part !== sent) lose(writer.report, "tool_result.part", part, "", { values: { type: part.type } });
}

function loseValue(message: ToolResultMessage, writer: Writer): void {
  if (message.value !== undefined) lose(writer.report, "tool_result.value", message, "value", { kind: "dropped" });
}

/** A result that is bare text is a string; there is no field for failures, so they are told in it. */
function contentOf(message: ToolResultMessage, object: WireObject, writer: Writer): Json | undefined {
  const { content, isError } = message;
  if (message.value !== undefined) {
    const text = valueText(message, object, writer.report);
    const others = encodeParts(content, writer);
    return others.length === 0 ? text : [{ type: "input_text", text }, ...others];
  }
  const form = formOf(message.wire, protocol, "output");
  const only = content[0];
  if (content.length === 0 && !isError) return form === undefined ? "" : undefined;
  if (isError) return failureOf(message, object, writer);
  if (content.length === 1 && only !== undefined && form !== "array" && isBareText(only)) {
    if (only.phase !== undefined) lose(writer.report, "text.phase", only, "phase");
    writer.link?.(only, object);
    return only.text;
  }
  const parts = encodeParts(content, writer);
  return parts.length === 0 && !writer.faithful ? "" : parts;
}

function encodeParts(content: readonly Part[], writer: Writer): JsonObject[] {
  return content.flatMap((part): JsonObject[] => {
    const isMedia = part.type === "image" || part.type === "document";
    if (isMedia && !writer.target.imagesInToolResults) {
      lose(writer.report, "tool_result.part", part, "", { values: { type: part.type } });
      return [];
    }
    const encoded = encodePart(part, "result", writer);
    return encoded === undefined ? [] : [encoded];
  });
}

function failureOf(message: ToolResultMessage, object: WireObject, writer: Writer): Json {
  if (!reportMissing(message, object, writer.report)) lose(writer.report, "tool_result.error_flag", message, "isError");
  const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = JSON.stringify({ error: texts.length === 1 ? texts[0] : texts });
  const marked = message.content.filter((part) => part.type === "text" && part.cacheBreakpoint !== undefined);
  const others = encodeParts(
    message.content.filter((part) => part.type !== "text"),
    writer,
  );
  const last = marked.pop();
  for (const part of marked) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  if (last === undefined && others.length === 0) return text;
  const part: WireObject = { type: "input_text", text };
  if (last !== undefined) encodeMark(part, last, writer);
  return [part as JsonObject, ...others];
}

/** The mark of a whole result goes on its last part, unless that has one already. */
function markResult(object: WireObject, message: ToolResultMessage, writer: Writer): void {
  const { output } = object;
  const parts: readonly Json[] =
    typeof output === "string" ? [{ type: "input_text", text: output }] : Array.isArray(output) ? output : [];
  const last = parts.at(-1);
  // Nothing can be marked in a result that says nothing.
  if (!isJsonObject(last) || last["text"] === "" || "prompt_cache_breakpoint" in last) {
    lose(writer.report, "cache.mark", message, "cacheBreakpoint");
    return;
  }
  const marked: WireObject = { ...last };
  encodeMark(marked, message, writer);
  object["output"] = "prompt_cache_breakpoint" in marked ? [...parts.slice(0, -1), marked as JsonObject] : output;
}
