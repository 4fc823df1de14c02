import type { Json } from "@rolecall/core";
import { isJsonObject, jsonEqual } from "@rolecall/core";

/** Cache marks move with the end of the prompt; they are no part of it. */
function withoutMarks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "cache_control" && key !== "prompt_cache_breakpoint")
      .map(([key, item]) => [key, withoutMarks(item)]),
  );
}

/** Content as a list of blocks: one text is the same as a string and as a block. */
function blocksOf(content: Json | undefined): readonly Json[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(asText) : [];
}

/** Responses has names of its own for texts. */
function asText(block: Json): Json {
  if (!isJsonObject(block) || (block["type"] !== "input_text" && block["type"] !== "output_text")) return block;
  return { ...block, type: "text" };
}

/** A message as its head, then its blocks: so a last message that grows still has the shorter one as its prefix. */
function entriesOf(message: Json): Json[] {
  if (!isJsonObject(message)) return [message];
  const { content, output, parts, tool_calls: calls, ...head } = message;
  return [head, ...blocksOf(content), ...blocksOf(output), ...listOf(parts), ...listOf(calls)];
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The declarations of an entry of tools: Gemini has a list of them in one. */
function declarationsOf(tool: Json): readonly Json[] {
  return isJsonObject(tool) && Array.isArray(tool["functionDeclarations"]) ? tool["functionDeclarations"] : [tool];
}

/** What a service caches by: tools, system, then heads and blocks of the messages. What comes later cannot keep what stands before from growing. */
function promptOf(body: Json): readonly Json[] {
  const plain = withoutMarks(body);
  if (!isJsonObject(plain)) return [];
  const { tools, system, instructions = null, messages, input, systemInstruction, contents } = plain;
  const said = typeof input === "string" ? [{ role: "user", content: input }] : listOf(messages ?? input ?? contents);
  return [
    ...listOf(tools).flatMap(declarationsOf),
    "system",
    ...blocksOf(system),
    instructions,
    ...(isJsonObject(systemInstruction) ? listOf(systemInstruction["parts"]) : []),
    "messages",
    ...said.flatMap(entriesOf),
  ];
}

/** The place of the first entry of an earlier request that the later one does not repeat; undefined where the earlier is a prefix. */
export function firstBreak(earlier: Json, later: Json): number | undefined {
  const [before, after] = [promptOf(earlier), promptOf(later)];
  const index = before.findIndex((entry, place) => !jsonEqual(entry, after[place]));
  return index < 0 ? undefined : index;
}
