import type { Json, ProtocolId } from "@rolecall/core";
import { valueAt } from "@rolecall/core";
import type { Operation } from "../input/body.ts";
import { pointerOf } from "./leaves.ts";
import { matches, patternOf } from "./pattern.ts";

/** What a text is to a model. It must be found in the output at a place that is the same to a model. */
export type ContentKind =
  | "text"
  | "instruction"
  | "reasoning"
  | "name"
  | "description"
  | "arguments"
  | "result"
  | "url"
  | "media"
  | "schema"
  | "stop";

/** Where content of a kind may arrive. */
const homes: { readonly [K in ContentKind]: readonly ContentKind[] } = {
  text: ["text"],
  instruction: ["instruction", "text"],
  reasoning: ["reasoning"],
  name: ["name"],
  description: ["description"],
  arguments: ["arguments"],
  result: ["result"],
  url: ["url", "media"],
  media: ["media", "url"],
  schema: ["schema", "description"],
  stop: ["stop"],
};

/** True where content of the first kind may become content of the second. */
export function isHome(kind: ContentKind, arrived: ContentKind | undefined): boolean {
  return arrived !== undefined && homes[kind].includes(arrived);
}

/** A rule: kind, pattern, and what an object on the way (that many segments deep) must say. */
type Rule = readonly [kind: ContentKind, path: string, when?: readonly [depth: number, key: string, ...values: Json[]]];
type Rules = { readonly [O in Operation]: readonly Rule[] };

const schemaWords = ["description", "title", "pattern", "const", "enum/*"];
const schema = (path: string): Rule[] => schemaWords.map((word) => ["schema", `${path}/**/${word}`]);

const instructionRoles = ["system", "developer"];
const chatMessage = (path: string, depth: number): Rule[] => [
  ["instruction", `${path}/content`, [depth, "role", ...instructionRoles]],
  ["instruction", `${path}/content/*/text`, [depth, "role", ...instructionRoles]],
  ["result", `${path}/content`, [depth, "role", "tool", "function"]],
  ["result", `${path}/content/*/text`, [depth, "role", "tool", "function"]],
  ["text", `${path}/content`],
  ["text", `${path}/content/*/text`],
  ["text", `${path}/content/*/refusal`],
  ["text", `${path}/refusal`],
  ["reasoning", `${path}/reasoning_content`],
  ["reasoning", `${path}/reasoning`],
  ["url", `${path}/content/*/image_url/url`],
  ["media", `${path}/content/*/input_audio/data`],
  ["media", `${path}/content/*/file/file_data`],
  ["name", `${path}/tool_calls/*/function/name`],
  ["arguments", `${path}/tool_calls/*/function/arguments`],
  ["name", `${path}/tool_calls/*/custom/name`],
  ["arguments", `${path}/tool_calls/*/custom/input`],
  ["name", `${path}/function_call/name`],
  ["arguments", `${path}/function_call/arguments`],
  ["url", `${path}/annotations/*/url_citation/url`],
];

const responsesItem = (path: string, depth: number): Rule[] => [
  ["instruction", `${path}/content`, [depth, "role", ...instructionRoles]],
  ["instruction", `${path}/content/*/text`, [depth, "role", ...instructionRoles]],
  ["reasoning", `${path}/content/*/text`, [depth, "type", "reasoning"]],
  ["reasoning", `${path}/summary/*/text`],
  ["text", `${path}/content`],
  ["text", `${path}/content/*/text`],
  ["text", `${path}/content/*/refusal`],
  ["url", `${path}/content/*/image_url`],
  ["url", `${path}/content/*/file_url`],
  ["media", `${path}/content/*/file_data`],
  ["media", `${path}/content/*/input_audio/data`],
  ["url", `${path}/content/*/annotations/*/url`],
  ["name", `${path}/name`],
  ["arguments", `${path}/arguments`],
  ["arguments", `${path}/input`],
  ["result", `${path}/output`],
  ["result", `${path}/output/*/text`],
  ["url", `${path}/output/*/image_url`],
  ["media", `${path}/output/*/file_data`],
];

const responsesTool = (path: string): Rule[] => [
  ["name", `${path}/name`],
  ["description", `${path}/description`],
  ...schema(`${path}/parameters`),
  ["schema", `${path}/format/definition`],
];

const anthropicBlock = (path: string, depth: number): Rule[] => [
  // Found by a search of the client, and not by a tool.
  ["text", `${path}/content/*/text`, [depth, "type", "search_result"]],
  ["text", `${path}/text`],
  ["reasoning", `${path}/thinking`],
  ["name", `${path}/name`],
  ["arguments", `${path}/input/**`],
  ["result", `${path}/content`],
  ["result", `${path}/content/*/text`],
  ["media", `${path}/source/data`],
  ["url", `${path}/source/url`],
  ["media", `${path}/content/*/source/data`],
  ["url", `${path}/content/*/source/url`],
  ["url", `${path}/citations/*/url`],
];

const geminiPart = (path: string, depth: number): Rule[] => [
  ["reasoning", `${path}/text`, [depth, "thought", true]],
  ["text", `${path}/text`],
  ["media", `${path}/inlineData/data`],
  ["url", `${path}/fileData/fileUri`],
  ["name", `${path}/functionCall/name`],
  ["arguments", `${path}/functionCall/args/**`],
  ["name", `${path}/functionResponse/name`],
  ["result", `${path}/functionResponse/response/**`],
  ["media", `${path}/functionResponse/parts/*/inlineData/data`],
  ["url", `${path}/functionResponse/parts/*/fileData/fileUri`],
];

/** Where content stands in each protocol; the first rule that fits decides. */
const rules: { readonly [P in ProtocolId]: Rules } = {
  "openai-chat": {
    request: [
      ...chatMessage("/messages/*", 2),
      ["name", "/tools/*/function/name"],
      ["description", "/tools/*/function/description"],
      ...schema("/tools/*/function/parameters"),
      ["name", "/tools/*/custom/name"],
      ["description", "/tools/*/custom/description"],
      ["schema", "/tools/*/custom/format/**/definition"],
      ["name", "/functions/*/name"],
      ["description", "/functions/*/description"],
      ...schema("/functions/*/parameters"),
      ["name", "/tool_choice/function/name"],
      ["name", "/tool_choice/custom/name"],
      ["name", "/tool_choice/allowed_tools/tools/*/function/name"],
      ...schema("/response_format/json_schema/schema"),
      ["stop", "/stop"],
      ["stop", "/stop/*"],
    ],
    response: chatMessage("/choices/*/message", 3),
  },
  "openai-responses": {
    request: [
      ["instruction", "/instructions"],
      ["text", "/input"],
      ...responsesItem("/input/*", 2),
      ...["/tools/*", "/input/*/tools/*"].flatMap(responsesTool),
      ["name", "/tool_choice/name"],
      ["name", "/tool_choice/tools/*/name"],
      ...schema("/text/format/schema"),
    ],
    response: responsesItem("/output/*", 2),
  },
  "anthropic-messages": {
    request: [
      ["instruction", "/system"],
      ["instruction", "/system/*/text"],
      ["instruction", "/messages/*/content", [2, "role", "system"]],
      ["instruction", "/messages/*/content/*/text", [2, "role", "system"]],
      ["text", "/messages/*/content"],
      ...anthropicBlock("/messages/*/content/*", 4),
      ["name", "/messages/*/content/*/tool/definition/name"],
      ["description", "/messages/*/content/*/tool/definition/description"],
      ...schema("/messages/*/content/*/tool/definition/input_schema"),
      ["name", "/tools/*/name"],
      ["description", "/tools/*/description"],
      ...schema("/tools/*/input_schema"),
      ["name", "/tool_choice/name"],
      ...schema("/output_config/format/schema"),
      ["stop", "/stop_sequences/*"],
    ],
    response: [...anthropicBlock("/content/*", 2), ["text", "/stop_details/explanation"]],
  },
  "gemini-generate-content": {
    request: [
      ["instruction", "/systemInstruction/parts/*/text"],
      ...geminiPart("/contents/*/parts/*", 4),
      ["name", "/tools/*/functionDeclarations/*/name"],
      ["description", "/tools/*/functionDeclarations/*/description"],
      ...schema("/tools/*/functionDeclarations/*/parameters"),
      ...schema("/tools/*/functionDeclarations/*/parametersJsonSchema"),
      ["name", "/toolConfig/functionCallingConfig/allowedFunctionNames/*"],
      ...schema("/generationConfig/responseSchema"),
      ...schema("/generationConfig/responseJsonSchema"),
      ["stop", "/generationConfig/stopSequences/*"],
    ],
    response: [
      ...geminiPart("/candidates/*/content/parts/*", 5),
      ["text", "/candidates/*/finishMessage"],
      ["url", "/candidates/*/groundingMetadata/groundingChunks/*/web/uri"],
    ],
  },
};

/** Tells what a place of a body is to a model; undefined where it is none of the kinds. */
export type ContentReader = (body: Json, path: readonly string[]) => ContentKind | undefined;

export function createContentReader(protocol: ProtocolId, operation: Operation): ContentReader {
  const compiled = rules[protocol][operation].map(([kind, path, when]) => ({ kind, pattern: patternOf(path), when }));
  return (body, path) => {
    for (const { kind, pattern, when } of compiled) {
      if (matches(pattern, path) && (when === undefined || says(body, path, when))) return kind;
    }
    return undefined;
  };
}

function says(body: Json, path: readonly string[], [depth, key, ...values]: NonNullable<Rule[2]>): boolean {
  const value = valueAt(body, pointerOf([...path.slice(0, depth), key]));
  return values.some((candidate) => candidate === value);
}
