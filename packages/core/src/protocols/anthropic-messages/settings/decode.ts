import type { KnownKeys, Ledger, Open } from "../../../codec/ledger.ts";
import {
  isStringArray,
  keep,
  keepOdd,
  keepUnknown,
  knownKeys,
  readBoolean,
  readNumber,
  readOneOf,
  readString,
  spell,
} from "../../../codec/ledger.ts";
import type { Conversation, Json, JsonObject, Reasoning, Settings, ToolChoice } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { decodeCacheControl } from "../parts/cache.ts";

const outputConfigKeys: KnownKeys = knownKeys("effort", "format");
const formatKeys: KnownKeys = knownKeys("type", "schema");
const thinkingKeys: KnownKeys = knownKeys("type", "budget_tokens", "display");
const toolChoiceKeys: KnownKeys = knownKeys("type", "name", "disable_parallel_tool_use");
const metadataKeys: KnownKeys = knownKeys("user_id");

const tiers = ["auto", "standard_only"] as const;
const speeds = ["standard", "fast"] as const;
const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
const displays = ["summarized", "omitted", "updates"] as const;
/** Of thinking, in the order wire word, IR word. */
const modes = {
  enabled: "enabled",
  disabled: "disabled",
  adaptive: "adaptive",
  between_tools: "betweenTools",
} as const;

/** Everything of a request beside messages, system and tools. */
export function decodeSettings(body: JsonObject, ledger: Ledger): Settings {
  const settings: Open<Settings> = {};
  const model = readString(ledger, body, "model");
  if (model !== undefined) settings.model = model;
  const maxTokens = readNumber(ledger, body, "max_tokens");
  if (maxTokens !== undefined) settings.maxTokens = maxTokens;
  const stream = readBoolean(ledger, body, "stream");
  if (stream !== undefined) settings.stream = stream;
  const temperature = readNumber(ledger, body, "temperature");
  if (temperature !== undefined) settings.temperature = temperature;
  const topP = readNumber(ledger, body, "top_p");
  if (topP !== undefined) settings.topP = topP;
  const topK = readNumber(ledger, body, "top_k");
  if (topK !== undefined) settings.topK = topK;
  const stops = body["stop_sequences"];
  if (isStringArray(stops)) settings.stopSequences = stops;
  else keepOdd(ledger, "stop_sequences", stops);
  const tier = readOneOf(ledger, body, "service_tier", tiers);
  if (tier !== undefined) settings.serviceTier = tier === "auto" ? "auto" : "default";
  const speed = readOneOf(ledger, body, "speed", speeds);
  if (speed !== undefined) settings.speed = speed;
  const automatic = decodeCacheControl(ledger, body);
  if (automatic !== undefined) settings.cache = { mode: "automatic", breakpoint: automatic };
  decodeMetadata(body, ledger, settings);
  decodeToolChoice(body, ledger, settings);
  const reasoning: Open<Reasoning> = {};
  decodeOutputConfig(body, ledger, settings, reasoning);
  decodeThinking(body, ledger, reasoning);
  if (Object.keys(reasoning).length > 0) settings.reasoning = reasoning;
  return settings;
}

function decodeMetadata(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const { metadata } = body;
  if (!isJsonObject(metadata)) {
    keepOdd(ledger, "metadata", metadata);
    return;
  }
  if (Object.keys(metadata).length === 0) spell(ledger, "metadata", {});
  keepUnknown(ledger, metadata, metadataKeys, "metadata/");
  const userId = readString(ledger, metadata, "user_id", "metadata/");
  if (userId !== undefined) settings.userId = userId;
}

function decodeToolChoice(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const choice = body["tool_choice"];
  const decoded = isJsonObject(choice) ? readToolChoice(choice) : undefined;
  if (decoded === undefined || !isJsonObject(choice)) {
    keepOdd(ledger, "tool_choice", choice);
    return;
  }
  settings.toolChoice = decoded;
  keepUnknown(ledger, choice, toolChoiceKeys, "tool_choice/");
  if (choice["type"] !== "tool" && choice["name"] !== undefined) keep(ledger, "tool_choice/name", choice["name"]);
  const disabled = choice["disable_parallel_tool_use"];
  if (choice["type"] === "none" && disabled !== undefined)
    keep(ledger, "tool_choice/disable_parallel_tool_use", disabled);
  else if (typeof disabled === "boolean") settings.parallelToolCalls = !disabled;
  else keepOdd(ledger, "tool_choice/disable_parallel_tool_use", disabled);
}

function readToolChoice(choice: JsonObject): ToolChoice | undefined {
  switch (choice["type"]) {
    case "auto":
    case "none":
      return { mode: choice["type"] };
    case "any":
      return { mode: "required" };
    case "tool":
      return typeof choice["name"] === "string" ? { mode: "required", names: [choice["name"]] } : undefined;
    default:
      return undefined;
  }
}

function decodeOutputConfig(
  body: JsonObject,
  ledger: Ledger,
  settings: Open<Settings>,
  reasoning: Open<Reasoning>,
): void {
  const config = body["output_config"];
  if (isJsonObject(config)) {
    if (Object.keys(config).length === 0) spell(ledger, "output_config", {});
    keepUnknown(ledger, config, outputConfigKeys, "output_config/");
    const effort = readOneOf(ledger, config, "effort", efforts, "output_config/");
    if (effort !== undefined) reasoning.effort = effort;
    decodeFormat(config, "format", "output_config/format", ledger, settings);
  } else keepOdd(ledger, "output_config", config);
  if (body["output_format"] === undefined) return;
  if (settings.responseFormat !== undefined) keep(ledger, "output_format", body["output_format"]);
  else {
    decodeFormat(body, "output_format", "output_format", ledger, settings);
    if (settings.responseFormat !== undefined) spell(ledger, "format", "output_format");
  }
}

/** The older spelling that stood beside the current one of a setting that was taken away since: it goes with it. */
export function staleKeys({ settings, wire }: Conversation): string[] {
  const format = wire?.rest?.["output_format"];
  return settings.responseFormat?.type !== "jsonSchema" && isSchemaFormat(format) ? ["output_format"] : [];
}

function isSchemaFormat(format: Json | undefined): format is JsonObject & { readonly schema: JsonObject } {
  return isJsonObject(format) && format["type"] === "json_schema" && isJsonObject(format["schema"]);
}

function decodeFormat(
  source: JsonObject,
  key: string,
  pointer: string,
  ledger: Ledger,
  settings: Open<Settings>,
): void {
  const format = source[key];
  if (!isSchemaFormat(format)) {
    if (format !== undefined) keep(ledger, pointer, format);
    return;
  }
  keepUnknown(ledger, format, formatKeys, `${pointer}/`);
  settings.responseFormat = { type: "jsonSchema", schema: format.schema };
}

function decodeThinking(body: JsonObject, ledger: Ledger, reasoning: Open<Reasoning>): void {
  const { thinking } = body;
  const type = isJsonObject(thinking) ? thinking["type"] : undefined;
  const mode = typeof type === "string" && Object.hasOwn(modes, type) ? modes[type as keyof typeof modes] : undefined;
  if (!isJsonObject(thinking) || mode === undefined) {
    keepOdd(ledger, "thinking", thinking);
    return;
  }
  reasoning.mode = mode;
  keepUnknown(ledger, thinking, thinkingKeys, "thinking/");
  const budget = readNumber(ledger, thinking, "budget_tokens", "thinking/");
  if (budget !== undefined && mode !== "enabled") keep(ledger, "thinking/budget_tokens", budget);
  else if (budget !== undefined) reasoning.budget = budget;
  const display = readOneOf(ledger, thinking, "display", displays, "thinking/");
  if (display !== undefined) reasoning.display = display;
}
