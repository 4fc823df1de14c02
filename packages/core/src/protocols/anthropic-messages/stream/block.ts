import type { WireObject } from "../../../codec/restore.ts";
import type { JsonObject, Part, ToolCallPart } from "../../../ir/index.ts";
import { readArguments } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import { writeCopy } from "../../../stream/encode/skeleton.ts";
import type { PartStartEvent, StreamEvent, StreamFailure } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";
import { failureError } from "../../../stream/failure.ts";
import type { DeltaEvent, FrameRun, StreamFrame } from "../../../stream/protocol.ts";
import type { Writer } from "../context.ts";
import { encodeError } from "../errors.ts";
import { encodeBlock } from "../parts/block.ts";
import { rawArgumentsKey } from "../parts/calls.ts";

const protocol = "anthropic-messages";

/** One block while it is written. */
export interface Block {
  part: Part;
  /** Its name may still grow, so that it cannot begin here. */
  unsettled: boolean;
  /** Number of the part in the source. */
  readonly key: number;
  /** The block that began after this one. */
  next: Block | undefined;
  /** Nothing of it is to come. */
  closed: boolean;
  index: number;
  started: boolean;
  ended: boolean;
  /** False for a part that has no block here. */
  isWritten: boolean;
  /** Events that came while another block was open. */
  readonly waiting: StreamEvent[];
  /** Pieces of the arguments of a call. */
  readonly pieces: string[];
  /** Arguments that do not begin like an object are sent whole, under a mark. */
  marked: boolean | undefined;
  /** Its arguments are no JSON object. Known when it has ended. */
  broken: boolean;
  lastPlace: string;
  signed: boolean;
  /** How the frames of its deltas begin, up to the text. */
  opening: { readonly type: string; readonly index: number; readonly text: string } | undefined;
}

/** A frame under the name that the official client looks for. */
export function frameOf(value: JsonObject): StreamFrame {
  return { event: value["type"] as string, data: JSON.stringify(value) };
}

/** A frame that only further ones of this kind follow. */
export function lastFrameOf(value: JsonObject): StreamFrame {
  return { event: value["type"] as string, data: JSON.stringify(value), terminal: true };
}

/** The frame that ends a failed stream. */
export function errorFrame(failure: StreamFailure): StreamFrame {
  const { body } = encodeError(failureError(failure)).value;
  return { event: "error", data: JSON.stringify(body), terminal: true };
}

export function createBlock(event: PartStartEvent, _writer: Writer): Block {
  return {
    part: event.part,
    unsettled: event.unsettled === true,
    key: event.index,
    next: undefined,
    closed: false,
    index: -1,
    started: false,
    ended: false,
    isWritten: true,
    waiting: [],
    pieces: [],
    marked: undefined,
    broken: false,
    lastPlace: eventPointer(event),
    signed: false,
    opening: undefined,
  };
}

export function startBlock(block: Block, index: number, writer: Writer): readonly StreamFrame[] {
  block.started = true;
  const content = skeleton(block, writer);
  if (content === undefined) {
    block.isWritten = false;
    return [];
  }
  block.index = index;
  return [frameOf({ type: "content_block_start", index, content_block: content })];
}

function skeleton(block: Block, writer: Writer): JsonObject | undefined {
  const { part } = block;
  switch (part.type) {
    case "text": {
      if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
      return { type: "text", text: part.text };
    }
    case "thinking":
      return thinkingSkeleton(block, writer);
    case "toolCall": {
      const { argumentsText: _text, arguments: _object, ...others } = part;
      const copy = { ...others, arguments: {}, kind: "function" } as ToolCallPart;
      if (part.kind === "custom") lose(writer.report, "tool.custom", part, "type");
      const content: WireObject = {
        ...writeCopy(writer.report, copy, part, () => encodeBlock(copy, writer)),
        input: {},
      };
      return content as JsonObject;
    }
    default:
      return encodeBlock(part, writer);
  }
}

/** Reasoning of another model is shown with an empty signature: the client sees it, and nobody can send it back. */
function thinkingSkeleton(block: Block, writer: Writer): JsonObject | undefined {
  const { part } = block;
  if (part.type !== "thinking") return undefined;
  if (part.state?.some(({ kind }) => kind !== "itemId") === true) return encodeBlock(part, writer);
  return { type: "thinking", thinking: part.thinking, signature: "" };
}

/** The frames for one event of an open block. */
export function writeDelta(event: StreamEvent, block: Block, writer: Writer): readonly StreamFrame[] {
  if (!block.isWritten) {
    reportLost(event, block, writer);
    return [];
  }
  switch (event.type) {
    case "text_delta":
      return block.part.type === "text" ? [textDelta(block, "text_delta", "text", event.text)] : [];
    case "thinking_delta":
      return block.part.type === "thinking" ? [textDelta(block, "thinking_delta", "thinking", event.text)] : [];
    case "toolcall_delta":
      return writeArguments(event, block);
    case "citation": {
      const text: Part = { type: "text", text: " ", citations: [event.citation] };
      const citations = encodeBlock(text, writer)?.["citations"];
      const citation = Array.isArray(citations) ? (citations[0] as JsonObject | undefined) : undefined;
      return citation === undefined ? [] : [delta(block, { type: "citations_delta", citation })];
    }
    case "state": {
      if (event.state.protocol !== protocol || event.state.kind !== "signature") return [];
      block.signed = true;
      return [delta(block, { type: "signature_delta", signature: event.state.value })];
    }
    case "raw":
      return event.protocol === protocol && event.value !== undefined ? [delta(block, event.value as JsonObject)] : [];
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

function delta(block: Block, value: JsonObject): StreamFrame {
  return frameOf({ type: deltaName, index: block.index, delta: value });
}

const deltaName = "content_block_delta";

/** Most frames of a stream are these, so their JSON is not built anew each time. */
function textDelta(block: Block, type: string, key: string, text: string): StreamFrame {
  return { event: deltaName, data: `${opening(block, type, key)}${JSON.stringify(text)}}}` };
}

/** How the pieces of the text of an open block are written. */
export function textRun({ type }: DeltaEvent, block: Block): FrameRun | undefined {
  const key = type === "text_delta" ? "text" : "thinking";
  if (type === "toolcall_delta" || !block.isWritten || block.part.type !== key) return undefined;
  return { event: deltaName, before: `${opening(block, type, key)}"`, after: '"}}', note: nothing };
}

const nothing = (): void => {};

function opening(block: Block, type: string, key: string): string {
  const { index } = block;
  if (block.opening === undefined || block.opening.type !== type || block.opening.index !== index) {
    const whole = JSON.stringify({ type: deltaName, index, delta: { type, [key]: "" } });
    block.opening = { type, index, text: whole.slice(0, -'""}}'.length) };
  }
  return block.opening.text;
}

function jsonPiece(block: Block, text: string): StreamFrame {
  return textDelta(block, "input_json_delta", "partial_json", text);
}

/** Argument text goes as it is. The free text of a custom call becomes the string `input`, piece by piece. */
function writeArguments(
  event: Extract<StreamEvent, { readonly type: "toolcall_delta" }>,
  block: Block,
): readonly StreamFrame[] {
  const { part } = block;
  if (part.type === "serverToolCall") return [jsonPiece(block, event.text)];
  if (part.type !== "toolCall") return [];
  if (event.text !== "") block.lastPlace = eventPointer(event);
  if (part.kind === "custom") {
    const head = block.pieces.length === 0 ? '{"input":"' : "";
    block.pieces.push("");
    return [jsonPiece(block, head + JSON.stringify(event.text).slice(1, -1))];
  }
  block.pieces.push(event.text);
  if (block.marked === undefined) {
    // The pieces before it were white space.
    const begun = event.text.trimStart();
    if (begun !== "") block.marked = !begun.startsWith("{");
  }
  return block.marked === true ? [] : [jsonPiece(block, event.text)];
}

/** Notes that nothing more of a block will come. */
export function finishBlock(block: Block): void {
  if (block.ended) return;
  block.ended = true;
  const { part, pieces } = block;
  if (part.type === "toolCall" && part.kind !== "custom") block.broken = "error" in readArguments(pieces.join(""));
}

export function endBlock(block: Block, writer: Writer): readonly StreamFrame[] {
  if (!block.isWritten) return [];
  const frames: StreamFrame[] = [];
  const { part } = block;
  if (part.type === "toolCall") frames.push(...endArguments(part, block, writer));
  if (part.type === "thinking" && !block.signed && part.state === undefined)
    lose(writer.report, "reasoning.signature", undefined, "", {
      targetPath: "/content_block/signature",
      values: { to: protocol },
    });
  frames.push(frameOf({ type: "content_block_stop", index: block.index }));
  return frames;
}

/** Arguments that are no JSON object are reported, and never repaired. */
function endArguments(part: ToolCallPart, block: Block, writer: Writer): readonly StreamFrame[] {
  if (part.kind === "custom") return [jsonPiece(block, block.pieces.length === 0 ? '{"input":""}' : '"}')];
  if (!block.broken || block.marked !== true) return [];
  lose(writer.report, "tool_call.arguments", part, "arguments", { path: block.lastPlace });
  return [jsonPiece(block, JSON.stringify({ [rawArgumentsKey]: block.pieces.join("") }))];
}
