import { rawArgumentsKey } from "../../../codec/content/call-object.ts";
import type { Citation, JsonObject, Part, ToolCallPart } from "../../../ir/index.ts";
import { readArguments } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { PartStartEvent, StreamEvent } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";
import type { Writer } from "../context.ts";
import { encodePart } from "../parts/block.ts";

/** One part while it is written. */
export interface Block {
  part: Part;
  /** Position among the parts that were written. */
  position: number;
  /** Pieces of its text, or of the arguments of a call. */
  readonly pieces: string[];
  readonly citations: Citation[];
  lastPlace: string;
  ended: boolean;
}

export function createBlock(event: PartStartEvent): Block {
  return { part: event.part, position: 0, pieces: [], citations: [], lastPlace: eventPointer(event), ended: false };
}

/** True for a text behind a text, and a thought behind a thought: a reader of chunks cannot tell them apart. */
export function isJoined(before: Block, after: Block): boolean {
  return before.part.type === after.part.type && (after.part.type === "text" || after.part.type === "thinking");
}

/** The parts that can be written when a block begins. */
export function startBlock(block: Block, writer: Writer): readonly JsonObject[] {
  const { part } = block;
  switch (part.type) {
    case "text":
      if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
      return part.text === "" ? [] : [{ text: part.text }];
    case "thinking":
      return part.thinking === "" ? [] : [{ text: part.thinking, thought: true }];
    case "toolCall":
    case "refusal":
      return [];
    default: {
      const object = encodePart(part, writer);
      return object === undefined ? [] : [object];
    }
  }
}

/** The parts for one event of an open block. */
export function writeDelta(event: StreamEvent, block: Block, writer: Writer): readonly JsonObject[] {
  switch (event.type) {
    case "text_delta":
      if (block.part.type !== "text") return [];
      block.pieces.push(event.text);
      return event.text === "" ? [] : [{ text: event.text }];
    case "thinking_delta":
      return block.part.type === "thinking" && event.text !== "" ? [{ text: event.text, thought: true }] : [];
    case "toolcall_name":
      block.part = event.part;
      return [];
    case "toolcall_delta":
      if (event.text !== "") block.lastPlace = eventPointer(event);
      if (block.part.type === "toolCall") block.pieces.push(event.text);
      else if (block.part.type === "serverToolCall" && event.text !== "")
        lose(writer.report, "server_tool.record", event, "", {
          path: eventPointer(event),
          values: { from: block.part.wire?.protocol ?? "another service" },
        });
      return [];
    case "citation":
      block.citations.push(event.citation);
      return [];
    case "state":
      if (event.state.kind !== "signature" || !acceptsState(writer.target, event.state)) return [];
      return [{ text: "", thoughtSignature: event.state.value }];
    default:
      return [];
  }
}

/** The part of a call, whose arguments are whole now. */
export function endBlock(block: Block, writer: Writer): readonly JsonObject[] {
  if (block.ended) return [];
  block.ended = true;
  const { part, pieces } = block;
  if (part.type !== "toolCall") return [];
  const { argumentsText: begun = "", arguments: _object, argumentsError: _error, ...others } = part;
  const text = begun + pieces.join("");
  const read = readArguments(text);
  if (part.kind !== "custom" && "error" in read) {
    lose(writer.report, "tool_call.arguments", part, "arguments", { path: block.lastPlace });
    return writeWhole(part, { ...others, arguments: { [rawArgumentsKey]: text } } as ToolCallPart, writer);
  }
  const whole = part.kind === "custom" || text !== "" ? { argumentsText: text } : { arguments: {} };
  return writeWhole(part, { ...others, ...whole } as ToolCallPart, writer);
}

/** Writes a call with its arguments; what is lost of it is lost of the part that began. */
function writeWhole(part: ToolCallPart, whole: ToolCallPart, writer: Writer): readonly JsonObject[] {
  const { drafts } = writer.report;
  const before = drafts.length;
  const object = encodePart(whole, writer);
  for (let index = before; index < drafts.length; index++) {
    const draft = drafts[index] as LossDraft;
    if (draft.node === whole) drafts[index] = { ...draft, node: part };
  }
  return object === undefined ? [] : [object];
}
