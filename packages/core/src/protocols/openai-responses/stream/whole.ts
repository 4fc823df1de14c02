import type { Encoded, EncodeOptions } from "../../../codec/protocol.ts";
import { entryOf, scalarText } from "../../../codec/table.ts";
import type { AssistantMessage, Exchange, Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { cutCall, cutCallsOf, loseCutCall } from "../../../stream/encode/cut-call.ts";
import { failureOf } from "../../../stream/failure.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import { encodeResponse } from "../response.ts";
import type { Counter } from "./chunk.ts";
import { failureFrames, frameOf, openingResponse } from "./chunk.ts";
import { listOf } from "./items.ts";

/** The whole stream that gives a message. */
export function encodeStream(
  message: AssistantMessage,
  exchange?: Exchange,
  options?: EncodeOptions,
): Encoded<readonly StreamFrame[]> {
  const cut = cutCallsOf(message, "openai-responses");
  // What nobody may run need not begin.
  const shown =
    cut.length === 0
      ? message
      : { ...message, content: message.content.filter((part) => !cut.some((call) => call === part)) };
  const { value, losses: encoded } = encodeResponse(shown, exchange, options);
  const losses = [...encoded];
  for (const part of cut) loseCutCall({ drafts: losses }, part);
  const counter: Counter = { next: 0 };
  const opening = openingResponse(value);
  const failure = failureOf(message) ?? (cut.length > 0 ? cutCall : undefined);
  const isCut = value["status"] === "incomplete";
  const frames = [
    frameOf(counter, "response.created", { response: opening }),
    frameOf(counter, "response.in_progress", { response: opening }),
    ...listOf(value["output"]).flatMap((item, index) => itemFrames(item, index, counter)),
  ];
  const last: readonly StreamFrame[] =
    failure === undefined
      ? [
          {
            ...frameOf(counter, isCut ? "response.incomplete" : "response.completed", { response: value }),
            terminal: true,
          },
        ]
      : failureFrames(counter, failure, value);
  return { value: [...frames, ...last], losses };
}

/** An item: its announcement, its texts, and its end. */
function itemFrames(value: Json, output: number, counter: Counter): StreamFrame[] {
  const item = isJsonObject(value) ? value : {};
  const id = typeof item["id"] === "string" ? item["id"] : scalarText(item["call_id"] ?? "");
  const place = { item_id: id, output_index: output };
  const { open, frames } = piecesOf(item, place, counter.next + 1);
  const added = frameOf(counter, "response.output_item.added", { output_index: output, item: open });
  counter.next += frames.length;
  return [added, ...frames, frameOf(counter, "response.output_item.done", { output_index: output, item })];
}

interface Pieces {
  readonly open: JsonObject;
  readonly frames: readonly StreamFrame[];
}

/** The item as it is announced, and the frames of what comes in pieces; their numbers begin at `from`. */
function piecesOf(item: JsonObject, place: JsonObject, from: number): Pieces {
  const counter: Counter = { next: from };
  const open = item["status"] === undefined ? item : { ...item, status: "in_progress" };
  switch (item["type"]) {
    case "message":
      return {
        open: { ...open, content: [] },
        frames: listOf(item["content"]).flatMap((part, index) =>
          contentFrames(part, { ...place, content_index: index }, counter),
        ),
      };
    case "reasoning":
      return {
        open: { ...open, summary: [], ...(item["content"] !== undefined && { content: [] }) },
        frames: [
          ...listOf(item["summary"]).flatMap((part, index) =>
            summaryFrames(part, { ...place, summary_index: index }, counter),
          ),
          ...listOf(item["content"]).flatMap((part, index) =>
            contentFrames(part, { ...place, content_index: index }, counter),
          ),
        ],
      };
    case "function_call":
      return callPieces(item, open, "arguments", "response.function_call_arguments", place, counter);
    case "custom_tool_call":
      return callPieces(item, open, "input", "response.custom_tool_call_input", place, counter);
    default:
      return { open: item, frames: [] };
  }
}

function callPieces(
  item: JsonObject,
  open: JsonObject,
  field: string,
  type: string,
  place: JsonObject,
  counter: Counter,
): Pieces {
  const text = item[field] ?? "";
  const named: JsonObject = field === "arguments" ? { name: item["name"] ?? "" } : {};
  return {
    open: { ...open, [field]: "" },
    frames: [
      frameOf(counter, `${type}.delta`, { ...place, delta: text }),
      frameOf(counter, `${type}.done`, { ...place, ...named, [field]: text }),
    ],
  };
}

const contents: { readonly [type: string]: readonly [event: string, field: string] | undefined } = {
  output_text: ["response.output_text", "text"],
  refusal: ["response.refusal", "refusal"],
  reasoning_text: ["response.reasoning_text", "text"],
};

function contentFrames(value: Json, place: JsonObject, counter: Counter): StreamFrame[] {
  const part = isJsonObject(value) ? value : {};
  const [type, field] = entryOf(contents, part["type"]) ?? [undefined, "text"];
  const annotations = listOf(part["annotations"]);
  const empty: JsonObject = {
    ...part,
    ...(type !== undefined && { [field]: "" }),
    ...(part["annotations"] !== undefined && { annotations: [] }),
  };
  const logprobs: JsonObject = type === "response.output_text" ? { logprobs: part["logprobs"] ?? [] } : {};
  const text = part[field] ?? "";
  return [
    frameOf(counter, "response.content_part.added", { ...place, part: empty }),
    ...(type === undefined ? [] : [frameOf(counter, `${type}.delta`, { ...place, delta: text, ...logprobs })]),
    ...annotations.map((annotation, annotation_index) =>
      frameOf(counter, "response.output_text.annotation.added", { ...place, annotation_index, annotation }),
    ),
    ...(type === undefined ? [] : [frameOf(counter, `${type}.done`, { ...place, [field]: text, ...logprobs })]),
    frameOf(counter, "response.content_part.done", { ...place, part }),
  ];
}

function summaryFrames(value: Json, place: JsonObject, counter: Counter): StreamFrame[] {
  const part = isJsonObject(value) ? value : {};
  const text = part["text"] ?? "";
  const type = "response.reasoning_summary";
  return [
    frameOf(counter, `${type}_part.added`, { ...place, part: { ...part, text: "" } }),
    frameOf(counter, `${type}_text.delta`, { ...place, delta: text }),
    frameOf(counter, `${type}_text.done`, { ...place, text }),
    frameOf(counter, `${type}_part.done`, { ...place, part }),
  ];
}
