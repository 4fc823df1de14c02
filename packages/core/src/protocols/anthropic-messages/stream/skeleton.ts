import type { JsonObject, Part, ToolCallPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";

/** The part without what belongs to its deltas. */
export function skeletonOf(part: Part): { readonly part: Part; readonly text?: string; readonly input?: JsonObject } {
  switch (part.type) {
    case "text":
      return part.text === "" ? { part } : { part: { ...part, text: "" }, text: part.text };
    case "thinking":
      return part.thinking === "" ? { part } : { part: { ...part, thinking: "" }, text: part.thinking };
    case "toolCall": {
      const input = part.arguments ?? {};
      return Object.keys(input).length === 0 ? { part } : { part: { ...part, arguments: {} } as ToolCallPart, input };
    }
    case "serverToolCall":
      // It stays in the part, as the client of a block that came whole reads it there.
      return isJsonObject(part.input) && Object.keys(part.input).length > 0 ? { part, input: part.input } : { part };
    default:
      return { part };
  }
}
