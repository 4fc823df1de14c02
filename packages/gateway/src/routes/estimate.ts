import type { Json } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";

/** Characters of a token, as English text and JSON have them on the average. */
const CHARACTERS = 3.6;
/** What an image of usual size costs; its bytes say little. */
const IMAGE = 1600;
/** Bytes of base64 that make one token of a document: about 3 KB for a page of 1,500 tokens. */
const DOCUMENT_CHARACTERS = 4;

/** Tokens of a text by its length. */
export function estimateText(text: string): number {
  return Math.ceil(text.length / CHARACTERS);
}

/** A guess at the prompt tokens of a Messages body: instructions, messages, tools and media all count. */
export function estimateTokens(body: { readonly [key: string]: Json }): number {
  let tokens = 3;
  for (const key of ["system", "messages", "tools", "tool_choice", "output_config", "thinking", "mcp_servers"]) {
    const value = body[key];
    if (value !== undefined) tokens += estimateValue(value);
  }
  return Math.ceil(tokens);
}

function estimateValue(value: Json): number {
  if (typeof value === "string") return value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, item: Json) => sum + 1 + estimateValue(item), 0);
  if (!isJsonObject(value)) return 0;
  if (value["type"] === "image") return IMAGE;
  if (value["type"] === "base64" && typeof value["data"] === "string")
    return Math.max(1500, value["data"].length / DOCUMENT_CHARACTERS);
  let tokens = 0;
  for (const [key, item] of Object.entries(value)) {
    if (key !== "cache_control" && key !== "signature") tokens += key.length / CHARACTERS + estimateValue(item);
  }
  return tokens;
}
