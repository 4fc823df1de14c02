import type { AssistantMessage, Part, StreamEvent } from "@rolecall/core";
import { callArgumentsText } from "@rolecall/core";

/** Characters of a delta: small, so that clients get to show that they stream. */
const PIECE = 12;

/** The events of a stream that gives a message. */
export function* eventsOf(message: AssistantMessage): Generator<StreamEvent> {
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
    if (part.type === "text")
      for (const text of pieces(part.text)) yield { type: "text_delta", index, text, ...place() };
    if (part.type === "toolCall") {
      for (const text of pieces(callArgumentsText(part))) yield { type: "toolcall_delta", index, text, ...place() };
    }
    yield { type: "part_end", index, ...place() };
  }
  yield { type: "usage", usage, ...place() };
  yield { type: "stop", stopReason, ...place() };
  yield { type: "done", ...place() };
}

/** A part without what its deltas bring. */
function skeletonOf(part: Part): Part {
  if (part.type === "text") return { ...part, text: "" };
  if (part.type !== "toolCall") return part;
  const { arguments: _arguments, argumentsText: _text, ...rest } = part;
  return { ...rest, argumentsText: "" };
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`.{1,${PIECE}}`, "gsu")) ?? [];
}
