import type { KnownKeys, Ledger, Open } from "../../../codec/ledger.ts";
import {
  isEmpty,
  isStringArray,
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
  ResponseFormat,
  Settings,
  ToolChoice,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";

const streamOptionKeys: KnownKeys = knownKeys("include_usage", "include_obfuscation");
const namedChoiceKeys = { function: knownKeys("type", "function"), custom: knownKeys("type", "custom") } as const;
const nameKeys: KnownKeys = knownKeys("name");
const plainFormatKeys: KnownKeys = knownKeys("type");
const schemaFormatKeys: KnownKeys = knownKeys("type", "json_schema");
const jsonSchemaKeys: KnownKeys = knownKeys("name", "schema", "description", "strict");
const cacheOptionKeys: KnownKeys = knownKeys("mode", "ttl");
const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Settings that are one number, word or switch on both sides. */
const numbers = {
  temperature: "temperature",
  top_p: "topP",
  top_k: "topK",
  min_p: "minP",
  n: "n",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
  top_logprobs: "topLogprobs",
} as const;
const switches = {
  stream: "stream",
  parallel_tool_calls: "parallelToolCalls",
  logprobs: "logprobs",
  store: "store",
} as const;
const words = { model: "model", verbosity: "verbosity" } as const;
const objects = { logit_bias: "logitBias", metadata: "metadata" } as const;
/** Kept as the protocol spells them, because no other has their like. */
const verbatim = {
  audio: "audio",
  prediction: "prediction",
  web_search_options: "webSearch",
  moderation: "safety",
} as const;

/** Everything of a request beside messages and tools. */
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
  for (const [key, setting] of Object.entries(objects))
    if (body[key] !== undefined) set(setting, readObject(ledger, body, key));
  for (const [key, setting] of Object.entries(verbatim)) {
    if (isJsonObject(body[key])) set(setting, body[key]);
    else keepOdd(ledger, key, body[key]);
  }
  decodeMaxTokens(body, ledger, settings);
  decodeSeed(body, ledger, settings);
  decodeStop(body, ledger, settings);
  decodeUser(body, ledger, settings);
  decodeTier(body, ledger, settings);
  decodeStreamOptions(body, ledger, settings);
  decodeEffort(body, ledger, settings);
  decodeCache(body, ledger, settings);
  decodeToolChoice(body, ledger, settings);
  const format = body["response_format"];
  const read = isJsonObject(format) ? readFormat(format, ledger) : undefined;
  if (read === undefined) keepOdd(ledger, "response_format", format);
  else settings.responseFormat = read;
  const { modalities } = body;
  if (isStringArray(modalities)) settings.modalities = modalities;
  else keepOdd(ledger, "modalities", modalities);
  return settings;
}

/** The two names of one bound; where both stand the current one counts. */
function decodeMaxTokens(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const current = readNumber(ledger, body, "max_completion_tokens");
  const deprecated = body["max_tokens"];
  if (current !== undefined) {
    settings.maxTokens = current;
    spell(ledger, "maxTokens", "max_completion_tokens");
    keepOdd(ledger, "max_tokens", deprecated);
  } else if (typeof deprecated === "number") {
    settings.maxTokens = deprecated;
    spell(ledger, "maxTokens", "max_tokens");
  } else keepOdd(ledger, "max_tokens", deprecated);
}

/** OpenAI's name and that of Mistral; where both stand that of OpenAI counts. */
function decodeSeed(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const current = readNumber(ledger, body, "seed");
  const other = body["random_seed"];
  if (current === undefined && typeof other === "number") {
    settings.seed = other;
    spell(ledger, "seedField", "random_seed");
    return;
  }
  if (current !== undefined) settings.seed = current;
  keepOdd(ledger, "random_seed", other);
}

function decodeStop(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const { stop } = body;
  if (typeof stop === "string") {
    settings.stopSequences = [stop];
    spell(ledger, "stop", "string");
  } else if (isStringArray(stop)) settings.stopSequences = stop;
  else keepOdd(ledger, "stop", stop);
}

function decodeStreamOptions(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const options = body["stream_options"];
  if (!isJsonObject(options)) {
    keepOdd(ledger, "stream_options", options);
    return;
  }
  if (isEmpty(options)) spell(ledger, "stream_options", options);
  keepUnknown(ledger, options, streamOptionKeys, "stream_options/");
  const includeUsage = readBoolean(ledger, options, "include_usage", "stream_options/");
  const includeObfuscation = readBoolean(ledger, options, "include_obfuscation", "stream_options/");
  if (includeUsage === undefined && includeObfuscation === undefined) return;
  settings.streamOptions = {
    ...(includeUsage !== undefined && { includeUsage }),
    ...(includeObfuscation !== undefined && { includeObfuscation }),
  };
}

function decodeEffort(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const effort = readOneOf(ledger, body, "reasoning_effort", ["none", ...efforts] as const);
  if (effort === "none") settings.reasoning = { mode: "disabled" };
  else if (effort !== undefined) settings.reasoning = { effort };
}

function decodeCache(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const cache: Open<CacheSettings> = {};
  const key = readString(ledger, body, "prompt_cache_key");
  if (key !== undefined) cache.key = key;
  const retention = readString(ledger, body, "prompt_cache_retention");
  if (retention !== undefined) cache.retention = retention;
  const options = body["prompt_cache_options"];
  if (isJsonObject(options)) {
    if (isEmpty(options)) spell(ledger, "prompt_cache_options", options);
    keepUnknown(ledger, options, cacheOptionKeys, "prompt_cache_options/");
    const mode = readOneOf(ledger, options, "mode", ["implicit", "explicit"] as const, "prompt_cache_options/");
    if (mode !== undefined) cache.mode = mode === "implicit" ? "automatic" : "explicit";
    const ttl = readString(ledger, options, "ttl", "prompt_cache_options/");
    if (ttl !== undefined) cache.ttl = ttl;
  } else keepOdd(ledger, "prompt_cache_options", options);
  if (Object.keys(cache).length > 0) settings.cache = cache;
}

function decodeToolChoice(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const { tool_choice: choice, function_call: deprecated } = body;
  const current = readToolChoice(choice, ledger, "tool_choice");
  if (current !== undefined) {
    settings.toolChoice = current;
    keepOdd(ledger, "function_call", deprecated);
    return;
  }
  keepOdd(ledger, "tool_choice", choice);
  const old = readDeprecatedChoice(deprecated);
  if (old === undefined) keepOdd(ledger, "function_call", deprecated);
  else {
    settings.toolChoice = old;
    spell(ledger, "toolChoice", "function_call");
  }
}

function readToolChoice(choice: Json | undefined, ledger: Ledger, prefix: string): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { mode: choice };
  if (!isJsonObject(choice)) return undefined;
  const { type, function: named, custom, allowed_tools: allowed } = choice;
  if (type === "allowed_tools" && isJsonObject(allowed)) return readAllowed(choice, allowed, ledger);
  const target = type === "function" ? named : type === "custom" ? custom : type === undefined ? named : undefined;
  if (!isJsonObject(target) || typeof target["name"] !== "string") return undefined;
  const key = type === "custom" ? "custom" : "function";
  keepUnknown(ledger, choice, namedChoiceKeys[key], `${prefix}/`);
  keepUnknown(ledger, target, nameKeys, `${prefix}/${key}/`);
  if (type === undefined) spell(ledger, "tool_choice/type", "absent");
  return { mode: "required", names: [target["name"]], ...(type === "custom" && { custom: true as const }) };
}

/** An allowed subset is understood when it lists functions and custom tools by name and nothing else. */
function readAllowed(choice: JsonObject, allowed: JsonObject, ledger: Ledger): ToolChoice | undefined {
  const { mode, tools } = allowed;
  if ((mode !== "auto" && mode !== "required") || !Array.isArray(tools)) return undefined;
  if (Object.keys(choice).length !== 2 || Object.keys(allowed).length !== 2) return undefined;
  const names: string[] = [];
  const types: string[] = [];
  for (const tool of tools as readonly Json[]) {
    const type = isJsonObject(tool) && tool["type"] === "custom" ? "custom" : "function";
    const inner =
      isJsonObject(tool) && tool["type"] === type && Object.keys(tool).length === 2 ? tool[type] : undefined;
    if (!isJsonObject(inner) || typeof inner["name"] !== "string" || Object.keys(inner).length !== 1) return undefined;
    names.push(inner["name"]);
    types.push(type);
  }
  if (types.includes("custom")) spell(ledger, "tool_choice/types", types);
  const custom = types.length > 0 && !types.includes("function");
  return { mode, names, ...(custom && { custom: true as const }), subset: true };
}

/** Deprecated spellings that stood beside the current one of a setting that was taken away since: they go with it. */
export function staleKeys({ settings, wire }: Conversation): string[] {
  const rest = wire?.rest ?? {};
  const { max_tokens: maxTokens, random_seed: seed, user, function_call: choice } = rest;
  return [
    ...(settings.maxTokens === undefined && typeof maxTokens === "number" ? ["max_tokens"] : []),
    ...(settings.seed === undefined && typeof seed === "number" ? ["random_seed"] : []),
    ...(settings.userId === undefined && typeof user === "string" ? ["user"] : []),
    ...(settings.toolChoice === undefined && readDeprecatedChoice(choice) !== undefined ? ["function_call"] : []),
  ];
}

function readDeprecatedChoice(choice: Json | undefined): ToolChoice | undefined {
  if (choice === "auto" || choice === "none") return { mode: choice };
  if (!isJsonObject(choice) || typeof choice["name"] !== "string" || Object.keys(choice).length !== 1) return undefined;
  return { mode: "required", names: [choice["name"]] };
}

function readFormat(format: JsonObject, ledger: Ledger): ResponseFormat | undefined {
  const { type, json_schema: inner } = format;
  const prefix = "response_format/";
  if (type === "text" || type === "json_object") {
    keepUnknown(ledger, format, plainFormatKeys, prefix);
    return { type: type === "text" ? "text" : "json" };
  }
  if (type !== "json_schema" || !isJsonObject(inner) || !isJsonObject(inner["schema"])) return undefined;
  keepUnknown(ledger, format, schemaFormatKeys, prefix);
  const below = `${prefix}json_schema/`;
  keepUnknown(ledger, inner, jsonSchemaKeys, below);
  const name = readString(ledger, inner, "name", below);
  const description = readString(ledger, inner, "description", below);
  const strict = readBoolean(ledger, inner, "strict", below);
  return {
    type: "jsonSchema",
    schema: inner["schema"],
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  };
}
