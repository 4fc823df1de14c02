import type { Json } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";

/** Characters of a token, as English text and JSON have them on the average. */
const CHARACTERS = 3.6;
/** What an image of usual size costs; its bytes say little. */
const IMAGE = 1600;
/** Bytes of base64 that make one token of a document: about 3 KB for a page of 1,500 tokens. */
const DOCUMENT_CHARACTERS = 4;

/**
 * Chinese, Japanese and Korean have about one token for each character: https://huggingface.co/Cohere/multilingual-22-12 measures 1.1, 1.3
 * and 2.0 characters of Wikipedia a token, https://api-docs.deepseek.com/quick_start/token_usage says 0.6 tokens a Chinese character, and
 * tokenizers made for English split the rarer ones in two (https://github.com/openai/tiktoken/issues/294). Read on 2026-11-30.
 */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/gu;
const beyondLatin = /[\u1100-\uffff]/;

/** Tokens of a text by its length. */
export function estimateText(text: string): number {
  return Math.ceil(tokensOf(text));
}

function tokensOf(text: string): number {
  if (!beyondLatin.test(text)) return text.length / CHARACTERS;
  const found = text.match(wide) ?? [];
  const units = found.reduce((sum, character) => sum + character.length, 0);
  return found.length + (text.length - units) / CHARACTERS;
}

/** What of a body reaches the model, by the keys of all protocols. */
const prompt: readonly string[] = [
  ...["system", "messages", "tools", "tool_choice", "output_config", "thinking", "mcp_servers"],
  ...["systemInstruction", "system_instruction", "contents", "toolConfig", "tool_config"],
  ...["instructions", "input"],
];
/** What stands beside it for somebody else. */
const unread: ReadonlySet<string> = new Set(["cache_control", "signature", "thoughtSignature", "encrypted_content"]);

/** A guess at the prompt tokens of a body: instructions, messages, tools and media all count. */
export function estimateTokens(body: { readonly [key: string]: Json }): number {
  let tokens = 3;
  for (const key of prompt) {
    const value = body[key];
    if (value !== undefined) tokens += estimateValue(value);
  }
  return Math.ceil(tokens);
}

function estimateValue(value: Json): number {
  if (typeof value === "string") return tokensOf(value);
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, item: Json) => sum + 1 + estimateValue(item), 0);
  if (!isJsonObject(value)) return 0;
  const media = value["mimeType"] ?? value["mime_type"];
  if (value["type"] === "image" || (typeof media === "string" && media.startsWith("image/"))) return IMAGE;
  if ((value["type"] === "base64" || media !== undefined) && typeof value["data"] === "string")
    return Math.max(1500, value["data"].length / DOCUMENT_CHARACTERS);
  let tokens = 0;
  for (const [key, item] of Object.entries(value)) {
    if (!unread.has(key)) tokens += tokensOf(key) + estimateValue(item);
  }
  return tokens;
}
