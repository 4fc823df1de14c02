import type { KnownKeys, Ledger, Open } from "../../../codec/ledger.ts";
import {
  isStringArray,
  keep,
  keepOdd,
  keepUnknown,
  knownKeys,
  readBoolean,
  readNumber,
  readObject,
  readOneOf,
  readString,
  spell,
} from "../../../codec/ledger.ts";
import { decodeTier, decodeUser } from "../../../codec/settings/openai.ts";
import type {
  CacheSettings,
  Conversation,
  Json,
  JsonObject,
  Reasoning,
  ResponseFormat,
  Settings,
  ToolChoice,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";

const streamOptionKeys: KnownKeys = knownKeys("include_obfuscation");
const namedChoiceKeys: KnownKeys = knownKeys("type", "name");
const reasoningKeys: KnownKeys = knownKeys("effort", "summary", "generate_summary", "context");
const textKeys: KnownKeys = knownKeys("format", "verbosity");
const plainFormatKeys: KnownKeys = knownKeys("type");
const schemaFormatKeys: KnownKeys = knownKeys("type", "name", "schema", "description", "strict");
const cacheOptionKeys: KnownKeys = knownKeys("mode", "ttl");
/** The words of `reasoning.effort` beside that for none. */
export const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** The spelling of a deprecated summary beside the current one. */
const oldSummaryForm = "generate_summary/beside";
export const logprobsInclude = "message.output_text.logprobs";

/** Settings that are one number, word or switch on both sides. */
const numbers = {
  max_output_tokens: "maxTokens",
  temperature: "temperature",
  top_p: "topP",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
  top_logprobs: "topLogprobs",
} as const;
const switches = { stream: "stream", parallel_tool_calls: "parallelToolCalls", store: "store" } as const;
const words = { model: "model", previous_response_id: "previousResponseId" } as const;

/** Everything of a request beside its input and tools. */
export function decodeSettings(body: JsonObject, ledger: Ledger): Settings {
  const settings: Open<Settings> = {};
  const set = <K extends keyof Settings>(key: K, value: Settings[K] | undefined): void => {
    if (value !== undefined) settings[key] = value;
  };
  for (const [key, setting] of Object.entries(numbers))
    if (body[key] !== undefined) set(setting, readNumber(ledger, body, key));
  for (const [key, setting] of Object.entries(switches))
    if (body[key] !== undefined) set(setting, readBoolean(ledger, body, key));
  for (const [key, setting] of Object.entries(words))
    if (body[key] !== undefined) set(setting, readString(ledger, body, key));
  set("metadata", readObject(ledger, body, "metadata"));
  set("safety", readFilled(body, ledger, "moderation"));
  decodeUser(body, ledger, settings);
  decodeTier(body, ledger, settings);
  decodeStreamOptions(body, ledger, settings);
  decodeInclude(body, ledger, settings);
  decodeReasoning(body, ledger, settings);
  decodeText(body, ledger, settings);
  decodeCache(body, ledger, settings);
  decodeToolChoice(body, ledger, settings);
  return settings;
}

/** An object that says something; an empty one is absent in other words. */
function readFilled(body: JsonObject, ledger: Ledger, key: string): JsonObject | undefined {
  const value = body[key];
  return isJsonObject(value) && Object.keys(value).length === 0
    ? keepOdd(ledger, key, value)
    : readObject(ledger, body, key);
}

function decodeStreamOptions(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const options = readFilled(body, ledger, "stream_options");
  if (options === undefined) return;
  keepUnknown(ledger, options, streamOptionKeys, "stream_options/");
  const includeObfuscation = readBoolean(ledger, options, "include_obfuscation", "stream_options/");
  if (includeObfuscation !== undefined) settings.streamOptions = { includeObfuscation };
}

/** What the answer shall hold beside the usual. Log probabilities are a setting; each other entry is kept with its place. */
function decodeInclude(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const { include } = body;
  if (!isStringArray(include) || include.length === 0) {
    keepOdd(ledger, "include", include);
    return;
  }
  const place = include.indexOf(logprobsInclude);
  if (place >= 0) {
    settings.logprobs = true;
    spell(ledger, "include/logprobs", place);
  }
  include.forEach((entry, index) => {
    if (index !== place) keep(ledger, `include/${index}`, entry);
  });
}

function decodeReasoning(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const stated = readFilled(body, ledger, "reasoning");
  if (stated === undefined) return;
  const prefix = "reasoning/";
  keepUnknown(ledger, stated, reasoningKeys, prefix);
  const effort = readOneOf(ledger, stated, "effort", ["none", ...efforts] as const, prefix);
  const levels = ["auto", "concise", "detailed"] as const;
  const summary = readOneOf(ledger, stated, "summary", levels, prefix);
  const old = stated["generate_summary"];
  const deprecated = summary === undefined ? levels.find((level) => level === old) : undefined;
  if (deprecated === undefined) keepOdd(ledger, "generate_summary", old, prefix);
  else spell(ledger, "summary", "generate_summary");
  if (summary !== undefined && typeof old === "string") spell(ledger, oldSummaryForm, true);
  const context = readOneOf(ledger, stated, "context", ["auto", "current_turn", "all_turns"] as const, prefix);
  const level = summary ?? deprecated;
  const reasoning: Reasoning = {
    ...(effort === "none" && { mode: "disabled" as const }),
    ...(effort !== undefined && effort !== "none" && { effort }),
    ...(level !== undefined && { summary: level }),
    ...(context !== undefined && { context }),
  };
  if (Object.keys(reasoning).length > 0) settings.reasoning = reasoning;
}

function decodeText(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const text = readFilled(body, ledger, "text");
  if (text === undefined) return;
  keepUnknown(ledger, text, textKeys, "text/");
  const verbosity = readString(ledger, text, "verbosity", "text/");
  if (verbosity !== undefined) settings.verbosity = verbosity;
  const { format } = text;
  const read = isJsonObject(format) ? readFormat(format, ledger) : undefined;
  if (read === undefined) keepOdd(ledger, "format", format, "text/");
  else settings.responseFormat = read;
}

function readFormat(format: JsonObject, ledger: Ledger): ResponseFormat | undefined {
  const { type, schema } = format;
  const prefix = "text/format/";
  if (type === "text" || type === "json_object") {
    keepUnknown(ledger, format, plainFormatKeys, prefix);
    return { type: type === "text" ? "text" : "json" };
  }
  if (type !== "json_schema" || !isJsonObject(schema)) return undefined;
  keepUnknown(ledger, format, schemaFormatKeys, prefix);
  const name = readString(ledger, format, "name", prefix);
  const description = readString(ledger, format, "description", prefix);
  const strict = readBoolean(ledger, format, "strict", prefix);
  return {
    type: "jsonSchema",
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  };
}

function decodeCache(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const cache: Open<CacheSettings> = {};
  const key = readString(ledger, body, "prompt_cache_key");
  if (key !== undefined) cache.key = key;
  const retention = readString(ledger, body, "prompt_cache_retention");
  if (retention !== undefined) cache.retention = retention;
  const options = readFilled(body, ledger, "prompt_cache_options");
  if (options !== undefined) {
    const prefix = "prompt_cache_options/";
    keepUnknown(ledger, options, cacheOptionKeys, prefix);
    const mode = readOneOf(ledger, options, "mode", ["implicit", "explicit"] as const, prefix);
    if (mode !== undefined) cache.mode = mode === "implicit" ? "automatic" : "explicit";
    const ttl = readString(ledger, options, "ttl", prefix);
    if (ttl !== undefined) cache.ttl = ttl;
  }
  if (Object.keys(cache).length > 0) settings.cache = cache;
}

function decodeToolChoice(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const choice = body["tool_choice"];
  const read = readToolChoice(choice, ledger);
  if (read === undefined) keepOdd(ledger, "tool_choice", choice);
  else settings.toolChoice = read;
}

function readToolChoice(choice: Json | undefined, ledger: Ledger): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { mode: choice };
  if (!isJsonObject(choice)) return undefined;
  const { type, name } = choice;
  if (type === "allowed_tools") return readAllowed(choice, ledger);
  if ((type !== "function" && type !== "custom") || typeof name !== "string") return undefined;
  keepUnknown(ledger, choice, namedChoiceKeys, "tool_choice/");
  return { mode: "required", names: [name], ...(type === "custom" && { custom: true as const }) };
}

/** An allowed subset is understood when it lists functions and custom tools by name and nothing else. */
function readAllowed(choice: JsonObject, ledger: Ledger): ToolChoice | undefined {
  const { mode, tools } = choice;
  if ((mode !== "auto" && mode !== "required") || !Array.isArray(tools) || Object.keys(choice).length !== 3)
    return undefined;
  const names: string[] = [];
  const types: string[] = [];
  for (const tool of tools as readonly Json[]) {
    if (!isJsonObject(tool) || Object.keys(tool).length !== 2 || typeof tool["name"] !== "string") return undefined;
    if (tool["type"] !== "function" && tool["type"] !== "custom") return undefined;
    names.push(tool["name"]);
    types.push(tool["type"]);
  }
  if (types.includes("custom")) spell(ledger, "tool_choice/types", types);
  const custom = types.length > 0 && !types.includes("function");
  return { mode, names, ...(custom && { custom: true as const }), subset: true };
}

/** Deprecated spellings that stood beside the current one of a setting that was taken away since: they go with it. */
export function staleKeys({ settings, wire }: Conversation): string[] {
  const { user } = wire?.rest ?? {};
  const isBeside = wire?.form?.[oldSummaryForm] === true && settings.reasoning?.summary === undefined;
  return [
    ...(settings.userId === undefined && typeof user === "string" ? ["user"] : []),
    ...(isBeside ? ["reasoning/generate_summary"] : []),
  ];
}
