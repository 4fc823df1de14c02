import type { JsonObject } from "./json.ts";
import { isJsonObject } from "./json.ts";
import type { ToolCallPart } from "./part.ts";

/** The arguments as an object, or why there are none. An empty text means no arguments. A custom tool's free text is never an object. */
export function callArguments(call: ToolCallPart): { readonly value: JsonObject } | { readonly error: string } {
  if (call.argumentsError !== undefined) return { error: call.argumentsError };
  if (call.arguments !== undefined) return { value: call.arguments };
  return readArguments(call.argumentsText);
}

/** Reads argument text. Never repairs it: text that is not a JSON object is an error, because it may be cut. */
export function readArguments(text: string): { readonly value: JsonObject } | { readonly error: string } {
  if (text.trim() === "") return { value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: "the arguments are not valid JSON" };
  }
  return isJsonObject(value) ? { value } : { error: "the arguments are not a JSON object" };
}

/** The arguments as text, as Chat and Responses carry them. */
export function callArgumentsText(call: ToolCallPart): string {
  return call.argumentsText ?? JSON.stringify(call.arguments);
}
