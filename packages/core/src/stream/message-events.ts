import type { AssistantMessage, Part } from "../ir/index.ts";
import { callArgumentsText } from "../ir/index.ts";
import type { StreamEvent } from "./events.ts";

/**
 * The events of a stream that gives a message, for whoever makes up an answer. Texts, thoughts and arguments come in pieces of at most so many
 * characters.
 */
export function* messageEvents(message: AssistantMessage, pieceLength: number): Generator<StreamEvent> {
  let at = 0;
  const place = () => ({ at: at++, path: "" });
  const { content, usage, stopReason } = message;
  yield {
    type: "start",
    message: {
      ...message,
      content: [],
      stopReason: "pending",
      usage: { ...usage, output: 0, totalTokens: usage.input },
    },
    ...place(),
  };
  for (const [index, part] of content.entries()) {
    yield { type: "part_start", index, part: skeletonOf(part), ...place() };
    const [type, text] = deltasOf(part);
    if (type !== undefined)
      for (const piece of pieces(text, pieceLength)) yield { type, index, text: piece, ...place() };
    // What is sealed comes behind what it seals.
    if (part.type === "thinking")
      for (const state of part.state ?? []) yield { type: "state", index, state, ...place() };
    yield { type: "part_end", index, ...place() };
  }
  yield { type: "usage", usage, ...place() };
  yield { type: "stop", stopReason, ...place() };
  yield { type: "done", ...place() };
}

function deltasOf(part: Part): readonly ["text_delta" | "thinking_delta" | "toolcall_delta" | undefined, string] {
  switch (part.type) {
    case "text":
    case "refusal":
      return ["text_delta", part.text];
    case "thinking":
      return ["thinking_delta", part.thinking];
    case "toolCall":
      return ["toolcall_delta", callArgumentsText(part)];
    default:
      return [undefined, ""];
  }
}

/** A part without what its deltas bring. */
function skeletonOf(part: Part): Part {
  if (part.type === "text" || part.type === "refusal") return { ...part, text: "" };
  if (part.type === "thinking") {
    const { state: _state, ...rest } = part;
    return { ...rest, thinking: "" };
  }
  if (part.type !== "toolCall") return part;
  const { arguments: _arguments, argumentsText: _text, ...rest } = part;
  return { ...rest, argumentsText: "" };
}

function pieces(text: string, length: number): string[] {
  return text.match(new RegExp(`.{1,${length}}`, "gsu")) ?? [];
}
