import type { Part, ToolResultMessage } from "../../ir/index.ts";

/** Media that stands behind the results of its turn. */
export interface MovedPart {
  readonly part: Part;
  readonly result: ToolResultMessage;
}

/** Parts that a result can hold for a target that takes no media in results: images and documents go to `media`. */
export function keptInResult(message: ToolResultMessage, media: MovedPart[]): readonly Part[] {
  if (!message.content.some(isMedia)) return message.content;
  const kept: Part[] = [];
  for (const part of message.content) {
    if (isMedia(part)) media.push({ part, result: message });
    else kept.push(part);
  }
  return kept;
}

const isMedia = (part: Part): boolean =>
  part.type === "image" || part.type === "audio" || part.type === "video" || isFile(part);

const isFile = (part: Part): boolean =>
  part.type === "document" &&
  (part.source.type === "base64" || part.source.type === "file" || part.source.type === "url");

/** Tells the model which result the media that follows belongs to. */
export const resultLabel = (sentId: string): string => `[from the result of tool call ${sentId}]`;
