import type { Json } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import { count } from "../terminal/text.ts";

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** How many tools a list declares; some protocols group several in one entry. */
function toolCount(tools: readonly Json[]): number {
  let total = 0;
  for (const tool of tools) {
    const inner = isJsonObject(tool) ? (tool["functionDeclarations"] ?? tool["function_declarations"]) : undefined;
    total += Array.isArray(inner) ? inner.length : 1;
  }
  return total;
}

/** How large a body is, in the words of its sender: "25 tools · 4 messages · 26 KB". */
export function measure(body: Json, bytes: number): string {
  const parts: string[] = [];
  if (isJsonObject(body)) {
    const tools = toolCount([...listOf(body["tools"]), ...listOf(body["functions"])]);
    const { messages, contents, input } = body;
    const spoken = typeof input === "string" ? 1 : [messages, contents, input].flatMap(listOf).length;
    if (tools > 0) parts.push(count(tools, "tool"));
    if (spoken > 0) parts.push(count(spoken, "message"));
  }
  parts.push(bytes < 1024 ? count(bytes, "byte") : `${Math.round(bytes / 1024).toLocaleString("en-US")} KB`);
  return parts.join(" · ");
}
