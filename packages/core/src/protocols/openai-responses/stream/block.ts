import type { WireObject } from "../../../codec/restore.ts";
import { scalarText } from "../../../codec/table.ts";
import type { Json, JsonObject, Part, Pointer, ToolCallPart } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import { breakText, isCutText } from "../../../stream/encode/cut-call.ts";
import { writeCopy } from "../../../stream/encode/skeleton.ts";
import type { PartStartEvent, StreamEvent } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import type { Writer } from "../context.ts";
import { encodeItems } from "../messages/items.ts";
import { encodeCitation } from "../parts/citations.ts";
import type { Counter, ItemPlace } from "./chunk.ts";
import { deltaFrame, frameOf } from "./chunk.ts";

/** One item of the output while it is written. */
export interface Block {
  part: Part;
  /** Its name may still grow, so that it cannot begin here. */
  unsettled: boolean;
  /** Undefined until it begins, and for a part that has no item here. */
  item: WireObject | undefined;
  output: number;
  started: boolean;
  ended: boolean;
  /** A text of it was announced. */
  announced: boolean;
  /** Where the last piece of its text stands. */
  lastPlace: Pointer;
  readonly pieces: string[];
  length: number;
  readonly annotations: JsonObject[];
  /** Events that came before it could begin. */
  readonly waiting: StreamEvent[];
}

export function createBlock(event: PartStartEvent): Block {
  return {
    part: event.part,
    unsettled: event.unsettled === true,
    item: undefined,
    output: -1,
    started: false,
    ended: false,
    announced: false,
    lastPlace: eventPointer(event),
    pieces: [],
    length: 0,
    annotations: [],
    waiting: [],
  };
}

/** The part without what comes in pieces, and that. */
function emptied(part: Part): { readonly part: Part; readonly text: string } {
  switch (part.type) {
    case "text":
    case "refusal":
      return { part: { ...part, text: "" }, text: part.text };
    case "thinking":
      return { part: { ...part, thinking: "" }, text: part.thinking };
    case "toolCall": {
      const { arguments: _object, argumentsText, ...call } = part;
      return { part: { ...call, argumentsText: "" } as ToolCallPart, text: argumentsText ?? "" };
    }
    default:
      return { part, text: "" };
  }
}

const placeOf = ({ item, output }: Block): ItemPlace => ({
  item_id: scalarText(item?.["id"] ?? item?.["call_id"] ?? ""),
  output_index: output,
});

/** The item begins. `output` is its place, where it gets one. */
export function startBlock(block: Block, output: number, counter: Counter, writer: Writer): StreamFrame[] {
  block.started = true;
  const { part, text } = emptied(block.part);
  const [item] = writeCopy(writer.report, part, block.part, () =>
    encodeItems({ role: "assistant", content: [part] }, writer),
  ) as WireObject[];
  if (item === undefined) return [];
  block.item = item;
  block.output = output;
  const frames = [frameOf(counter, "response.output_item.added", { output_index: output, item: opened(block) })];
  if (part.type === "text" || part.type === "refusal") frames.push(announce(block, counter));
  if (text !== "") frames.push(...writeText(block, text, counter));
  return frames;
}

/** The item as it is announced: open, and without its content. */
function opened({ item, part }: Block): JsonObject {
  const open: WireObject = { ...item };
  if (open["status"] !== undefined) open["status"] = "in_progress";
  if (part.type === "text" || part.type === "refusal") open["content"] = [];
  if (part.type === "thinking") {
    open["summary"] = [];
    if (part.kind === "full") open["content"] = [];
  }
  return open as JsonObject;
}

/** A content or a summary begins. */
function announce(block: Block, counter: Counter): StreamFrame {
  block.announced = true;
  const place = placeOf(block);
  const part = contentOf(block, "");
  if (isSummary(block))
    return frameOf(counter, "response.reasoning_summary_part.added", { ...place, summary_index: 0, part });
  return frameOf(counter, "response.content_part.added", { ...place, content_index: 0, part });
}

const isSummary = ({ part }: Block): boolean => part.type === "thinking" && part.kind !== "full";

/** The content that a text is. */
function contentOf({ part, annotations }: Block, text: string): JsonObject {
  switch (part.type) {
    case "refusal":
      return { type: "refusal", refusal: text };
    case "thinking":
      return { type: part.kind === "full" ? "reasoning_text" : "summary_text", text };
    default:
      return { type: "output_text", text, annotations };
  }
}

/** The name of the events of a text, and the numbers that they have. */
function textEvent({ part, item }: Block): { readonly type: string; readonly more: string; readonly field: string } {
  switch (part.type) {
    case "refusal":
      return { type: "response.refusal", more: '"content_index":0,', field: "refusal" };
    case "thinking":
      return part.kind === "full"
        ? { type: "response.reasoning_text", more: '"content_index":0,', field: "text" }
        : { type: "response.reasoning_summary_text", more: '"summary_index":0,', field: "text" };
    case "toolCall":
      return item?.["type"] === "custom_tool_call"
        ? { type: "response.custom_tool_call_input", more: "", field: "input" }
        : { type: "response.function_call_arguments", more: "", field: "arguments" };
    default:
      return { type: "response.output_text", more: '"content_index":0,"logprobs":[],', field: "text" };
  }
}

function writeText(block: Block, text: string, counter: Counter): StreamFrame[] {
  if (block.item === undefined || text === "") return [];
  block.pieces.push(text);
  block.length += text.length;
  const frames = block.part.type === "thinking" && !block.announced ? [announce(block, counter)] : [];
  const { type, more } = textEvent(block);
  frames.push(deltaFrame(counter, `${type}.delta`, placeOf(block), text, more));
  return frames;
}

/** The frames for one event of an open item. */
export function writeDelta(event: StreamEvent, block: Block, counter: Counter, writer: Writer): StreamFrame[] {
  if (block.item === undefined) {
    reportLost(event, block, writer);
    return [];
  }
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      block.lastPlace = eventPointer(event);
      return writeText(block, event.text, counter);
    case "citation": {
      const annotation = encodeCitation(event.citation, { text: { length: block.length } }, writer.report);
      if (annotation === undefined || block.part.type !== "text") return [];
      const annotation_index = block.annotations.push(annotation) - 1;
      const place = { ...placeOf(block), content_index: 0, annotation_index };
      return [frameOf(counter, "response.output_text.annotation.added", { ...place, annotation })];
    }
    case "state":
      if (event.state.kind === "encrypted" && acceptsState(writer.target, event.state))
        block.item["encrypted_content"] = event.state.value;
      return [];
    default:
      return [];
  }
}

function reportLost(event: StreamEvent, block: Block, writer: Writer): void {
  if (event.type !== "toolcall_delta" || block.part.type !== "serverToolCall") return;
  lose(writer.report, "server_tool.record", event, "", {
    path: eventPointer(event),
    values: { from: block.part.wire?.protocol ?? "another service" },
  });
}

/** True for a call whose arguments are not whole. */
export function isCut({ part, item, pieces }: Block): boolean {
  return part.type === "toolCall" && item?.["type"] === "function_call" && isCutText(pieces.join(""));
}

/** A call that never ends, because its answer failed. Some clients read over the failure, so its arguments are none that can be read. */
export function breakCall(block: Block, counter: Counter): StreamFrame[] {
  if (block.item?.["type"] !== "function_call") return [];
  block.item["status"] = "incomplete";
  return writeText(block, breakText(block.pieces.join("")), counter);
}

/** The item ends, and says all of itself again. */
export function endBlock(block: Block, status: string, counter: Counter): StreamFrame[] {
  block.ended = true;
  const { item, part } = block;
  if (item === undefined) return [];
  const frames: StreamFrame[] = [];
  // Arguments that never came are those of no argument, as other protocols say it by an object.
  if (part.type === "toolCall" && block.length === 0 && part.arguments !== undefined)
    frames.push(...writeText(block, JSON.stringify(part.arguments), counter));
  const text = block.pieces.join("");
  if (item["status"] !== undefined) item["status"] = status;
  frames.push(...endText(block, text, counter));
  const done = { output_index: block.output, item: item as JsonObject };
  return [...frames, frameOf(counter, "response.output_item.done", done)];
}

function endText(block: Block, text: string, counter: Counter): StreamFrame[] {
  const { item, part } = block;
  if (item === undefined) return [];
  const place = placeOf(block);
  const { type, field } = textEvent(block);
  const said = contentOf(block, text);
  switch (part.type) {
    case "toolCall": {
      item[field] = text;
      const named: { readonly [key: string]: Json } = field === "arguments" ? { name: item["name"] as Json } : {};
      return [frameOf(counter, `${type}.done`, { ...place, ...named, [field]: text })];
    }
    case "text":
    case "refusal": {
      item["content"] = [said];
      const logprobs = part.type === "text" ? { logprobs: [] } : {};
      return [
        frameOf(counter, `${type}.done`, { ...place, content_index: 0, ...logprobs, [field]: text }),
        frameOf(counter, "response.content_part.done", { ...place, content_index: 0, part: said }),
      ];
    }
    case "thinking":
      return endReasoning(block, text, said, counter);
    default:
      return [];
  }
}

function endReasoning(block: Block, text: string, said: JsonObject, counter: Counter): StreamFrame[] {
  const { item } = block;
  const list = isSummary(block) ? "summary" : "content";
  if (item === undefined) return [];
  item["summary"] = [];
  item[list] = block.announced ? [said] : [];
  if (!block.announced) return [];
  const place = placeOf(block);
  const { type } = textEvent(block);
  return list === "summary"
    ? [
        frameOf(counter, `${type}.done`, { ...place, summary_index: 0, text }),
        frameOf(counter, "response.reasoning_summary_part.done", { ...place, summary_index: 0, part: said }),
      ]
    : [
        frameOf(counter, `${type}.done`, { ...place, content_index: 0, text }),
        frameOf(counter, "response.content_part.done", { ...place, content_index: 0, part: said }),
      ];
}
