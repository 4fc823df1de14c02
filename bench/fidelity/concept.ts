import type { Json, ProtocolId } from "@rolecall/core";
import { isJsonObject, valueAt } from "@rolecall/core";
import { pointerOf } from "../../packages/cli/src/audit/leaves.ts";

/** What a place of a body is about, as people ask for it. */
export const concepts = [
  "texts, calls and results",
  "instructions and their place",
  "reasoning",
  "signatures and sealed reasoning",
  "citations",
  "cache marks",
  "error flags",
  "call ids",
  "tools and schemas",
  "tool choice",
  "media",
  "settings",
  "usage details",
  "stop reasons and facts of the answer",
  "unknown fields",
] as const;

export type Concept = (typeof concepts)[number];

/** The first pattern that a place fits decides. */
const patterns: readonly (readonly [Concept, RegExp])[] = [
  ["cache marks", /\/(cache_control|prompt_cache\w*|cachedContent|prefix)(\/|$)/],
  ["signatures and sealed reasoning", /\/(signature|thoughtSignature|encrypted_content)$/],
  ["citations", /\/(annotations?|citations?|groundingMetadata|citationMetadata|url_citation)(\/|$)/],
  ["error flags", /\/(is_error|functionResponse\/response\/error)$/],
  ["usage details", /\/(usage|usageMetadata)(\/|$)/],
  ["tool choice", /\/(tool_choice|toolConfig|parallel_tool_calls|function_call$)/],
  [
    "media",
    /\/(image_url|input_audio|source|inlineData|fileData|file|file_data|file_url|file_id|filename|detail)(\/|$)/,
  ],
  ["tools and schemas", /^(\/tools|\/functions|\/messages\/\d+\/content\/\d+\/tool\/|\/input\/\d+\/tools)/],
  ["instructions and their place", /^(\/system|\/systemInstruction|\/instructions)(\/|$)|\/role$/],
  ["settings", /^\/(thinking|reasoning|output_config|generationConfig)(\/|$)/],
  ["reasoning", /\/(thinking|reasoning\w*|thought|summary)(\/|$)/],
];

/** Keys of what turns and answers are made of. */
const turns =
  /^\/(messages|input|contents|content|output|candidates\/\d+\/content|choices\/\d+\/(message|delta))(\/|$)/;
const streamed =
  /^\/(delta|content_block|item|part|text|arguments|response\/output|candidates\/\d+\/content|choices\/\d+\/delta)(\/|$)/;

/** The concept of a leaf. Of a stream the path is the one within its frame. */
export function conceptOf(
  body: Json,
  path: readonly string[],
  { protocol, isAnswer, isStream }: { protocol: ProtocolId; isAnswer: boolean; isStream: boolean },
): Concept {
  const inner = isStream ? path.slice(2) : path;
  const pointer = pointerOf(inner);
  const holder = valueAt(body, pointerOf(path.slice(0, -1)));
  const type = holderWord(holder, "type");
  if (type === "redacted_thinking") return "signatures and sealed reasoning";
  if (holderWord(holder, "thought") === true && path.at(-1) === "text") return "reasoning";
  if (type === "reasoning_text" || type === "summary_text") return "reasoning";
  const message = protocol === "openai-responses" ? ["input", inner[1] ?? ""] : ["messages", inner[1] ?? ""];
  const role = inner[0] === message[0] ? holderWord(valueAt(body, pointerOf(message)), "role") : undefined;
  const found = patterns.find(([, pattern]) => pattern.test(pointer))?.[0];
  const isInstruction = role === "system" || role === "developer";
  if (isInstruction && (found === undefined || found === "reasoning")) return "instructions and their place";
  if (found !== undefined) return found;
  if (!isAnswer) return turns.test(pointer) ? "texts, calls and results" : "settings";
  return (isStream ? streamed : turns).test(pointer)
    ? "texts, calls and results"
    : "stop reasons and facts of the answer";
}

function holderWord(holder: unknown, key: string): Json | undefined {
  return isJsonObject(holder) ? holder[key] : undefined;
}
