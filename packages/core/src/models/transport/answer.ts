import type { Json } from "../../ir/index.ts";
import { readChunks } from "../../stream/source.ts";
import type { FetchResponse } from "./fetch.ts";

/** Bytes of an answer that is no stream. */
const LONGEST = 64 * 1024 * 1024;

export type AnswerHeaders = { readonly [name: string]: string };

export function headersOf(response: FetchResponse): AnswerHeaders {
  const headers: { [name: string]: string } = Object.create(null);
  response.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = value;
  });
  return headers;
}

/** The text of an answer that is no stream. Throws for one that no answer can be as long as. */
export async function readText(response: FetchResponse, signal: AbortSignal): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of readChunks(response.body, signal)) {
    length += chunk.length;
    if (length > LONGEST) throw new Error(`an answer has more than ${LONGEST} bytes`);
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A body as JSON, or the text that it is. */
export function bodyOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
