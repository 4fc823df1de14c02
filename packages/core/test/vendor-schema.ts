import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json, Profile } from "@rolecall/core";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv } from "ajv";

export type Operation = "request" | "response";
type Schema = { readonly [key: string]: unknown };
interface VendorSchema {
  readonly $ref: string;
  readonly definitions: { [name: string]: Schema };
}

/** Where the types of the SDK and the API differ. Each entry has its reason; `definition` must exist. */
interface Correction {
  readonly protocol: string;
  readonly operation: Operation;
  readonly definition: string;
  readonly reason: string;
}
/** The types demand a field, as null, that servers leave out. */
interface Absent extends Correction {
  readonly properties: readonly string[];
  readonly applies?: (target: Profile) => boolean;
}
/** The types allow what the API refuses. */
interface Bound extends Correction {
  readonly schema: Schema;
}
/** Fields that belong to one version or to compatible servers only. */
interface Extension extends Correction {
  readonly properties: { readonly [name: string]: Schema };
  readonly applies: (target: Profile) => boolean;
}

const chat = { protocol: "openai-chat" } as const;
const responses = { protocol: "openai-responses" } as const;
const anthropic = { protocol: "anthropic-messages" } as const;
const isCompatible = ({ provider }: Profile): boolean => provider !== undefined && provider !== "openai";
const leftOut = "null here means absent; recorded answers of the service leave it out";

const absent: readonly Absent[] = [
  {
    ...anthropic,
    operation: "response",
    definition: "BetaMessage",
    properties: ["container", "context_management", "diagnostics", "stop_details"],
    reason: leftOut,
  },
  { ...anthropic, operation: "response", definition: "BetaTextBlock", properties: ["citations"], reason: leftOut },
  {
    ...anthropic,
    operation: "response",
    definition: "BetaUsage",
    properties: [
      "cache_creation",
      "cache_creation_input_tokens",
      "cache_read_input_tokens",
      "fallback_credit",
      "inference_geo",
      "iterations",
      "output_tokens_details",
      "server_tool_use",
      "service_tier",
      "speed",
    ],
    reason: leftOut,
  },
  {
    ...anthropic,
    operation: "response",
    definition: "BetaRefusalStopDetails",
    properties: ["fallback_credit_token", "fallback_has_prefill_claim", "recommended_model"],
    reason: "of the fallback beta only",
  },
  {
    ...responses,
    operation: "response",
    definition: "Response",
    properties: ["access_programs", "output_text"],
    reason: "recorded answers of the service leave the first out, and the SDK makes up the second",
  },
  {
    ...responses,
    operation: "response",
    definition: "ResponseUsage.InputTokensDetails",
    properties: ["cache_write_tokens"],
    reason: "recorded answers of the service leave it out",
  },
  {
    ...chat,
    operation: "response",
    definition: "ChatCompletionMessage",
    properties: ["refusal"],
    applies: isCompatible,
    reason: "compatible servers know no refusals",
  },
];

const notEmptyList = { properties: { content: { not: { type: "array", maxItems: 0 } } } };
const name64 = { properties: { name: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,64}$" } } };
const chatMessages = ["System", "Developer", "User", "Assistant", "Tool"];

const bounds: readonly Bound[] = [
  ...chatMessages.map((role) => ({
    ...chat,
    operation: "request" as const,
    definition: `ChatCompletion${role}MessageParam`,
    schema: notEmptyList,
    reason: "content lists have at least one part (openapi.json)",
  })),
  {
    ...chat,
    operation: "request",
    definition: "FunctionDefinition",
    schema: name64,
    reason: "documented pattern of tool names",
  },
  {
    ...chat,
    operation: "request",
    definition: "ResponseFormatJSONSchema.JSONSchema",
    schema: name64,
    reason: "documented pattern of schema names",
  },
  {
    ...chat,
    operation: "request",
    definition: "ChatCompletionMessageFunctionToolCall",
    schema: { properties: { id: { type: "string", minLength: 1, maxLength: 64 } } },
    reason: "longer call ids are refused",
  },
  ...["ChatCompletionCreateParamsNonStreaming", "ChatCompletionCreateParamsStreaming"].map((definition) => ({
    ...chat,
    operation: "request" as const,
    definition,
    schema: { properties: { messages: { minItems: 1 }, stop: { maxItems: 4 }, tools: { minItems: 1 } } },
    reason: "documented limits",
  })),
  {
    ...anthropic,
    operation: "request",
    definition: "BetaTextBlockParam",
    schema: { properties: { text: { type: "string", minLength: 1 } } },
    reason: "empty text blocks are refused",
  },
  {
    ...anthropic,
    operation: "request",
    definition: "BetaToolUseBlockParam",
    schema: { properties: { id: { type: "string", pattern: "^[a-zA-Z0-9_-]+$" }, input: { type: "object" } } },
    reason: "the pattern is in the text of its refusal; an input that is no object is refused",
  },
  {
    ...anthropic,
    operation: "request",
    definition: "BetaTool",
    schema: { properties: { name: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,128}$" } } },
    reason: "documented pattern of tool names",
  },
  {
    ...anthropic,
    operation: "request",
    definition: "BetaThinkingConfigEnabled",
    schema: { properties: { budget_tokens: { type: "integer", minimum: 1024 } } },
    reason: "documented minimum",
  },
  ...["MessageCreateParamsNonStreaming", "MessageCreateParamsStreaming"].map((definition) => ({
    ...anthropic,
    operation: "request" as const,
    definition,
    schema: {
      properties: {
        messages: { minItems: 1 },
        max_tokens: { type: "integer", minimum: 1 },
        temperature: { maximum: 1 },
      },
    },
    reason: "documented limits",
  })),
];

const number = { type: "number" };
const string = { type: "string" };
const mark = { type: "object" };

const extensions: readonly Extension[] = [
  ...["MessageCreateParamsNonStreaming", "MessageCreateParamsStreaming"].map((definition) => ({
    ...anthropic,
    operation: "request" as const,
    definition,
    properties: { temperature: number, top_k: number, top_p: number },
    applies: ({ apiVersion }: Profile) => apiVersion === "2023-06-01",
    reason: "the SDK has the types of version 2026-10-21, which has no sampling parameters",
  })),
  ...["ChatCompletionCreateParamsNonStreaming", "ChatCompletionCreateParamsStreaming"].map((definition) => ({
    ...chat,
    operation: "request" as const,
    definition,
    properties: { top_k: number, min_p: number, random_seed: number },
    applies: isCompatible,
    reason: "parameters of compatible servers",
  })),
  {
    ...chat,
    operation: "request",
    definition: "ChatCompletionAssistantMessageParam",
    properties: { reasoning: string, reasoning_content: string, reasoning_details: { type: "array" } },
    applies: isCompatible,
    reason: "compatible servers take reasoning back",
  },
  {
    ...chat,
    operation: "request",
    definition: "ChatCompletionAssistantMessageParam",
    properties: { prefix: { const: true } },
    applies: isCompatible,
    reason: "Mistral and DeepSeek mark a started answer",
  },
  {
    ...chat,
    operation: "response",
    definition: "ChatCompletionMessage",
    properties: { reasoning: string, reasoning_content: string, reasoning_details: { type: "array" } },
    applies: isCompatible,
    reason: "compatible servers show reasoning",
  },
  ...["Text", "Image", "InputAudio", ".File"].map((kind) => ({
    ...chat,
    operation: "request" as const,
    definition: `ChatCompletionContentPart${kind}`,
    properties: { cache_control: mark },
    applies: isCompatible,
    reason: "cache marks as some compatible servers spell them",
  })),
  {
    ...chat,
    operation: "request",
    definition: "ChatCompletionFunctionTool",
    properties: { cache_control: mark },
    applies: isCompatible,
    reason: "cache marks as some compatible servers spell them",
  },
];

function isOf({ protocol, operation }: Correction, file: string): boolean {
  return `${protocol}.${operation}` === file;
}

function definitionOf(schema: VendorSchema, name: string): Schema {
  const found = schema.definitions[name];
  if (found === undefined) throw new Error(`the SDK has no type ${name} any more: correct its entry`);
  return found;
}

/** The schema of what a server of this profile takes, or gives. */
function correctedSchema(file: string, target: Profile): VendorSchema {
  const path = fileURLToPath(new URL(`schemas/${file}.generated.json`, import.meta.url));
  const schema = JSON.parse(readFileSync(path, "utf8")) as VendorSchema;
  const { definitions } = schema;
  for (const { definition, properties, applies } of absent.filter((entry) => isOf(entry, file))) {
    if (applies?.(target) === false) continue;
    const old = definitionOf(schema, definition);
    definitions[definition] = {
      ...old,
      required: (old["required"] as string[]).filter((key) => !properties.includes(key)),
    };
  }
  for (const { definition, properties, applies } of extensions.filter((entry) => isOf(entry, file))) {
    if (!applies(target)) continue;
    const old = definitionOf(schema, definition);
    definitions[definition] = { ...old, properties: { ...(old["properties"] as Schema), ...properties } };
  }
  for (const { definition, schema: bound } of bounds.filter((entry) => isOf(entry, file))) {
    definitions[definition] = { allOf: [definitionOf(schema, definition), bound] };
  }
  return schema;
}

const validators = new Map<string, ValidateFunction>();

/** What is wrong with a body for a server of this profile, at most the first finding of each alternative; nothing where it is valid. */
export function schemaFindings(protocol: string, operation: Operation, body: Json, target: Profile = {}): string[] {
  const file = `${protocol}.${operation}`;
  const key = `${file} ${target.apiVersion} ${isCompatible(target)}`;
  let validate = validators.get(key);
  if (validate === undefined) {
    validate = new Ajv({ strict: false, validateFormats: false }).compile(correctedSchema(file, target));
    validators.set(key, validate);
  }
  if (validate(body)) return [];
  const finding = ({ instancePath, message, params }: ErrorObject): string =>
    `${instancePath || "/"} ${message} ${JSON.stringify(params)}`;
  return [...new Set((validate.errors ?? []).map(finding))].slice(0, 6);
}
