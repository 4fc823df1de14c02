import type { Ledger, Open } from "../../../codec/ledger.ts";
import {
  createLedger,
  isStringArray,
  keep,
  keepOdd,
  keepUnknown,
  readBoolean,
  readNumber,
  readString,
  spell,
} from "../../../codec/ledger.ts";
import type { WireRequest } from "../../../codec/protocol.ts";
import { entryOf } from "../../../codec/table.ts";
import type { Json, JsonObject, Reasoning, Settings } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { readSchema } from "../tools.ts";
import { generationKeys, thinkingKeys } from "../wire.ts";
import { decodeToolChoice } from "./tool-choice.ts";

const prefix = "generationConfig/";

const efforts: { readonly [level: string]: NonNullable<Reasoning["effort"]> } = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
  XHIGH: "xhigh",
};
const tiers: { readonly [tier: string]: string } = {
  unspecified: "auto",
  standard: "default",
  flex: "flex",
  priority: "priority",
};

const numbers = [
  ["temperature", "temperature"],
  ["topP", "topP"],
  ["topK", "topK"],
  ["candidateCount", "n"],
  ["maxOutputTokens", "maxTokens"],
  ["presencePenalty", "presencePenalty"],
  ["frequencyPenalty", "frequencyPenalty"],
  ["seed", "seed"],
  ["logprobs", "topLogprobs"],
] as const;

/** Everything of a request beside contents, system instruction and tools. */
export function decodeSettings(body: JsonObject, url: WireRequest["url"], ledger: Ledger): Settings {
  const settings: Open<Settings> = {};
  // Empty values mean absence at the top of a body; below it each is a statement.
  const nested = createLedger(ledger.protocol);
  const set = <K extends keyof Settings>(key: K, value: Settings[K] | undefined): void => {
    if (value !== undefined) settings[key] = value;
  };
  decodeModel(body, url, ledger, settings);
  set("toolChoice", decodeToolChoice(body, ledger, nested));
  const tier = typeof body["serviceTier"] === "string" ? entryOf(tiers, body["serviceTier"]) : undefined;
  if (tier === undefined) keepOdd(ledger, "serviceTier", body["serviceTier"]);
  else settings.serviceTier = tier;
  set("store", readBoolean(ledger, body, "store"));
  const { safetySettings: safety, labels } = body;
  if (Array.isArray(safety) && safety.length > 0) settings.safety = safety;
  else keepOdd(ledger, "safetySettings", safety);
  if (isJsonObject(labels) && Object.keys(labels).length > 0) settings.metadata = labels;
  else keepOdd(ledger, "labels", labels);
  const cached = readString(ledger, body, "cachedContent");
  if (cached !== undefined) settings.cache = { content: cached };
  const config = body["generationConfig"];
  if (!isJsonObject(config)) keepOdd(ledger, "generationConfig", config);
  else if (Object.keys(config).length === 0) spell(ledger, "generationConfig", {});
  else decodeGeneration(config, nested, settings);
  for (const pointer in nested.rest) keep(ledger, pointer, nested.rest[pointer] as Json);
  for (const key in nested.form) spell(ledger, key, nested.form[key] as Json);
  return settings;
}

/** The model and whether to stream stand in the URL; some clients name the model in the body. */
function decodeModel(body: JsonObject, url: WireRequest["url"], ledger: Ledger, settings: Open<Settings>): void {
  const stated = body["model"];
  if (url?.model !== undefined) settings.model = url.model;
  if (typeof stated === "string" && (url?.model === undefined || url.model === stated)) {
    settings.model = stated;
    spell(ledger, "model", url?.model === undefined ? "body" : "both");
  } else if (stated !== undefined) keep(ledger, "model", stated);
  if (url?.stream !== undefined) settings.stream = url.stream;
  if (url?.alt !== undefined) spell(ledger, "alt", url.alt);
}

function decodeGeneration(config: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  keepUnknown(ledger, config, generationKeys, prefix);
  for (const [key, setting] of numbers) {
    const value = readNumber(ledger, config, key, prefix);
    if (value !== undefined) settings[setting] = value;
  }
  const logprobs = readBoolean(ledger, config, "responseLogprobs", prefix);
  if (logprobs !== undefined) settings.logprobs = logprobs;
  const { stopSequences: stops, responseModalities: modalities } = config;
  if (isStringArray(stops)) settings.stopSequences = stops;
  else keepOdd(ledger, "stopSequences", stops, prefix);
  if (isStringArray(modalities) && modalities.length > 0 && modalities.every(isUpperCase))
    // Words that nobody knows stay as they are: they are written so again.
    settings.modalities = modalities.map((word) => (modality.test(word) ? word.toLowerCase() : word));
  else if (modalities !== undefined) keepOdd(ledger, "responseModalities", modalities, prefix);
  decodeFormat(config, ledger, settings);
  decodeThinking(config, ledger, settings);
}

const modality = /^(?:TEXT|IMAGE|AUDIO|VIDEO)$/;
const isUpperCase = (word: string): boolean => /^[A-Z]+$/.test(word);

function decodeFormat(config: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const type = config["responseMimeType"];
  const isJson = type === "application/json";
  const schema = isJson ? readSchema(ledger, config, "responseJsonSchema", "responseSchema", prefix) : undefined;
  if (!isJson) {
    keepOdd(ledger, "responseJsonSchema", config["responseJsonSchema"], prefix);
    keepOdd(ledger, "responseSchema", config["responseSchema"], prefix);
  }
  if (schema !== undefined) settings.responseFormat = { type: "jsonSchema", schema };
  else if (isJson) settings.responseFormat = { type: "json" };
  else if (type === "text/plain") settings.responseFormat = { type: "text" };
  else keepOdd(ledger, "responseMimeType", type, prefix);
}

function decodeThinking(config: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const thinking = config["thinkingConfig"];
  if (!isJsonObject(thinking)) {
    keepOdd(ledger, "thinkingConfig", thinking, prefix);
    return;
  }
  const below = `${prefix}thinkingConfig/`;
  if (Object.keys(thinking).length === 0) keep(ledger, `${prefix}thinkingConfig`, {});
  keepUnknown(ledger, thinking, thinkingKeys, below);
  const reasoning: Open<Reasoning> = {};
  const budget = readNumber(ledger, thinking, "thinkingBudget", below);
  if (budget === 0) reasoning.mode = "disabled";
  else if (budget === -1) reasoning.mode = "adaptive";
  else if (budget !== undefined) {
    reasoning.mode = "enabled";
    reasoning.budget = budget;
  }
  const { thinkingLevel: level } = thinking;
  const effort = typeof level === "string" ? entryOf(efforts, level.toUpperCase()) : undefined;
  if (effort === undefined) keepOdd(ledger, "thinkingLevel", level, below);
  else {
    reasoning.effort = effort;
    if (level !== effort.toUpperCase()) spell(ledger, "thinkingLevel", level as string);
  }
  const includeThoughts = readBoolean(ledger, thinking, "includeThoughts", below);
  if (includeThoughts !== undefined) reasoning.includeThoughts = includeThoughts;
  if (Object.keys(reasoning).length > 0) settings.reasoning = reasoning;
}
