import { openAiTtl } from "../../../codec/content/cache-ttl.ts";
import { effortFor } from "../../../codec/content/effort.ts";
import { hashName } from "../../../codec/identity/hash.ts";
import type { IdentifierRule } from "../../../codec/identity/identifiers.ts";
import { identifierRule } from "../../../codec/identity/identifiers.ts";
import { isOpenAi } from "../../../codec/profile.ts";
import { refuse, refuseChoices } from "../../../codec/refuse.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { openAiFormat } from "../../../codec/schema/format.ts";
import { within } from "../../../codec/settings/within.ts";
import type { Json, JsonObject, Reasoning, ResponseFormat, Settings } from "../../../ir/index.ts";
import { escapeSegment, setOwn } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import { encodeToolChoice } from "./tool-choice.ts";
import type { SettingsWriter } from "./writer.ts";
import { form, report } from "./writer.ts";

const protocol = "openai-chat";

type SettingEncoders = {
  readonly [K in keyof Settings]-?: (value: NonNullable<Settings[K]>, writer: SettingsWriter) => void;
};

const written =
  (key: string): ((value: Json, writer: SettingsWriter) => void) =>
  (value, writer) => {
    writer.body[key] = value;
  };

/** How the model chooses its words, where the server lets the request say so. */
const sampling =
  (
    setting: keyof Settings,
    write: (value: number, writer: SettingsWriter) => void,
  ): ((value: number, writer: SettingsWriter) => void) =>
  (value, writer) => {
    if (writer.target.sampling) write(value, writer);
    else report(writer, "setting.no_counterpart", setting);
  };

/** Parameters of some compatible servers. */
const extension =
  (setting: keyof Settings, key: string): ((value: number, writer: SettingsWriter) => void) =>
  (value, writer) => {
    if (writer.target.topK) writer.body[key] = value;
    else report(writer, "setting.no_counterpart", setting);
  };

/** One entry for each setting: a new one does not compile until it is decided here. */
const encoders: SettingEncoders = {
  model: written("model"),
  stream: (value, writer) => {
    writer.body["stream"] = value;
    // Streams of other protocols tell the usage unasked, and their clients count on it.
    const unasked = !writer.faithful && writer.settings.streamOptions === undefined;
    if (value && unasked && writer.target.streamOptions) writer.body["stream_options"] = { include_usage: true };
  },
  streamOptions: (value, writer) => {
    if (!writer.target.streamOptions) {
      report(writer, "setting.no_counterpart", "streamOptions");
      return;
    }
    writer.body["stream_options"] = {
      ...(value.includeUsage !== undefined && { include_usage: value.includeUsage }),
      ...(value.includeObfuscation !== undefined && { include_obfuscation: value.includeObfuscation }),
    };
  },
  maxTokens: (value, writer) => {
    const own = writer.target.maxTokensField === undefined ? form(writer, "maxTokens") : undefined;
    if (value === 0 && writer.mends) refuseCacheFill(writer);
    const least = writer.mends ? Math.max(value, 1) : value;
    const sent = Math.min(least, writer.target.maxOutputTokens ?? least);
    if (sent !== value) report(writer, "setting.clamped", "maxTokens", { sent, to: protocol });
    writer.body[typeof own === "string" ? own : writer.target.tokensField] = sent;
  },
  temperature: sampling("temperature", within(protocol, "temperature", "temperature", 0, 2)),
  topP: sampling("topP", within(protocol, "topP", "top_p", 0, 1)),
  topK: sampling("topK", extension("topK", "top_k")),
  minP: sampling("minP", extension("minP", "min_p")),
  stopSequences: (value, writer) => {
    const only = value[0];
    if (form(writer, "stop") === "string" && value.length === 1 && only !== undefined) writer.body["stop"] = only;
    else if (!writer.mends || value.length <= 4) {
      if (value.length > 0 || !writer.mends) writer.body["stop"] = value;
    } else {
      writer.body["stop"] = value.slice(0, 4);
      for (let index = 4; index < value.length; index++) {
        lose(writer.report, "setting.no_counterpart", writer.settings, `stopSequences/${index}`);
      }
    }
  },
  seed: (value, writer) => {
    const own = writer.target.seedField === undefined ? form(writer, "seedField") : undefined;
    writer.body[typeof own === "string" ? own : writer.target.sentSeedField] = value;
  },
  n: (value, writer) => {
    if (value === 1 || writer.target.choices) within(protocol, "n", "n", 1, 128)(value, writer);
    else {
      refuseChoices(writer.settings, writer.target, protocol);
      report(writer, "setting.no_counterpart", "n");
    }
  },
  presencePenalty: within(protocol, "presencePenalty", "presence_penalty", -2, 2),
  frequencyPenalty: within(protocol, "frequencyPenalty", "frequency_penalty", -2, 2),
  logitBias: written("logit_bias"),
  logprobs: written("logprobs"),
  topLogprobs: within(protocol, "topLogprobs", "top_logprobs", 0, 20),
  toolChoice: (value, writer) => encodeToolChoice(value, writer),
  parallelToolCalls: (value, writer) => {
    if (!writer.target.parallelToolCalls) report(writer, "setting.no_counterpart", "parallelToolCalls");
    else if (writer.faithful || (!value && writer.body["tools"] !== undefined))
      writer.body["parallel_tool_calls"] = value;
    else if (!value) report(writer, "setting.no_counterpart", "parallelToolCalls");
  },
  reasoning: (value, writer) => encodeReasoning(value, writer),
  responseFormat: (value, writer) => encodeFormat(value, writer),
  serviceTier: (value, writer) => {
    writer.body["service_tier"] = value;
  },
  speed: (value, writer) => {
    if (value === "fast" && writer.settings.serviceTier === undefined) writer.body["service_tier"] = "fast";
    else report(writer, "setting.no_counterpart", "speed");
  },
  metadata: (value, writer) => {
    writer.body["metadata"] = writer.mends && isOpenAi(writer.target) ? acceptableMetadata(value, writer) : value;
  },
  userId: (value, writer) => {
    writer.body[form(writer, "userId") === "user" ? "user" : "safety_identifier"] = identifier(value, "userId", writer);
  },
  cache: (value, writer) => {
    if (value.key !== undefined) writer.body["prompt_cache_key"] = identifier(value.key, "cache/key", writer);
    if (value.retention !== undefined) writer.body["prompt_cache_retention"] = value.retention;
    encodeCacheOptions(value, writer);
  },
  store: written("store"),
  previousResponseId: () => {
    // Refused before anything is written.
  },
  modalities: (value, writer) => {
    if (!writer.faithful && value.some((modality) => modality !== "text" && modality !== "audio"))
      refuse(
        "modalities",
        writer.settings,
        "modalities",
        `${protocol} answers with text and audio only: leave other modalities out`,
      );
    writer.body["modalities"] = value;
  },
  audio: written("audio"),
  verbosity: written("verbosity"),
  prediction: written("prediction"),
  webSearch: written("web_search_options"),
  safety: (value, writer) => {
    if (writer.faithful) writer.body["moderation"] = value;
    else report(writer, "setting.no_counterpart", "safety");
  },
};

/** OpenAI takes identifiers of 64 characters. */
const identifiers: IdentifierRule = identifierRule(64, false, undefined);

const lengthOf = (text: string): number => [...text].length;

/** An identifier that OpenAI takes: a longer one gets a stand-in that depends on it alone, so that it still tells users or prompts apart. */
function identifier(value: string, field: string, writer: SettingsWriter): string {
  if (!writer.mends || !isOpenAi(writer.target) || lengthOf(value) <= identifiers.maximum) return value;
  const sent = hashName(value);
  lose(writer.report, "setting.identifier", writer.settings, field, { replacement: sent, values: { to: protocol } });
  return sent;
}

/** OpenAI takes 16 pairs, with keys of 64 characters and values of 512. */
function acceptableMetadata(metadata: JsonObject, writer: SettingsWriter): JsonObject {
  const sent: Record<string, Json> = {};
  for (const [key, value] of Object.entries(metadata)) {
    const isTooLong = lengthOf(key) > 64 || (typeof value === "string" && lengthOf(value) > 512);
    if (!isTooLong && Object.keys(sent).length < 16) setOwn(sent, key, value);
    else report(writer, "setting.no_counterpart", `metadata/${escapeSegment(key)}`);
  }
  return sent;
}

/** Writes all settings into the body, after the tools. Tool choice needs to know which tools were declared. */
export function encodeSettings(writer: SettingsWriter): void {
  const { settings, body } = writer;
  const { refusedFields } = writer.target;
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const value = settings[key];
    const encode = encoders[key] as ((value: unknown, writer: SettingsWriter) => void) | undefined;
    if (value === undefined) continue;
    encode?.(value, writer);
    if (refusedFields === undefined) continue;
    for (const field of refusedFields) {
      if (body[field] === undefined) continue;
      delete body[field];
      report(writer, "setting.no_counterpart", key === "cache" ? (cacheFields[field] ?? key) : key);
    }
  }
  if (writer.mends) settleCompanions(writer);
}

/** Messages has a bound of zero for a request that only fills the cache. Here every request writes. */
function refuseCacheFill({ faithful, settings, target }: SettingsWriter): void {
  if (faithful || target.fallbacks?.["maxTokens"] === "one") return;
  const wish = 'leave the request out, or let the model write one token with target.fallbacks.maxTokens: "one"';
  const message = `${protocol} has no request that only fills the cache: ${wish}`;
  refuse("maxTokens", settings, "maxTokens", message, ["maxTokens: one"]);
}

/** Settings that are refused without another one. */
function settleCompanions(writer: SettingsWriter): void {
  const { body } = writer;
  if (body["stream_options"] !== undefined && body["stream"] !== true) {
    delete body["stream_options"];
    report(writer, "setting.no_counterpart", "streamOptions");
  }
  if (body["top_logprobs"] !== undefined && body["logprobs"] !== true) {
    delete body["top_logprobs"];
    report(writer, "setting.no_counterpart", "topLogprobs");
  }
}

const cacheFields: { readonly [field: string]: string | undefined } = {
  prompt_cache_key: "cache/key",
  prompt_cache_retention: "cache/retention",
};

function encodeCacheOptions(cache: NonNullable<Settings["cache"]>, writer: SettingsWriter): void {
  const { mode, ttl, breakpoint } = cache;
  const takes =
    (writer.faithful && writer.target.cacheMarks === undefined) || writer.target.marks === "prompt_cache_breakpoint";
  if (!takes) {
    for (const [field, value] of Object.entries({ breakpoint, mode, ttl }))
      if (value !== undefined) report(writer, "cache.setting", `cache/${field}`);
    return;
  }
  const options: WireObject = {};
  if (mode !== undefined) options["mode"] = mode === "automatic" ? "implicit" : "explicit";
  if (ttl !== undefined) options["ttl"] = ttl;
  if (breakpoint?.ttl !== undefined) {
    const sent = openAiTtl(breakpoint.ttl);
    options["ttl"] = sent;
    report(writer, "cache.ttl", "cache/breakpoint/ttl", { sent });
  } else if (breakpoint !== undefined && mode !== "automatic") report(writer, "cache.setting", "cache/breakpoint");
  if (Object.keys(options).length > 0) writer.body["prompt_cache_options"] = options as JsonObject;
}

function encodeReasoning(reasoning: Reasoning, writer: SettingsWriter): void {
  const { mode, effort, budget, display, summary, context, includeThoughts } = reasoning;
  for (const [field, value] of Object.entries({ display, summary, context, includeThoughts })) {
    if (value !== undefined) report(writer, "reasoning.display", `reasoning/${field}`);
  }
  if (!writer.target.effort) {
    for (const field of ["mode", "effort", "budget"] as const) {
      if (reasoning[field] !== undefined) report(writer, "setting.no_counterpart", `reasoning/${field}`);
    }
    return;
  }
  if (mode === "disabled") {
    writer.body["reasoning_effort"] = "none";
    if (effort !== undefined) report(writer, "reasoning.effort_dropped", "reasoning/effort");
    if (budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
    return;
  }
  const isBare = mode === "enabled" && effort === undefined && budget === undefined;
  if (mode === "adaptive" || mode === "betweenTools" || isBare)
    report(writer, "reasoning.mode", "reasoning/mode", { mode });
  if (effort !== undefined) {
    writer.body["reasoning_effort"] = effort;
    if (budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
  } else if (budget !== undefined) {
    const sent = effortFor(budget);
    writer.body["reasoning_effort"] = sent;
    report(writer, "reasoning.budget", "reasoning/budget", { sent });
  }
}

function encodeFormat(format: ResponseFormat, writer: SettingsWriter): void {
  switch (format.type) {
    case "text":
      writer.body["response_format"] = { type: "text" };
      return;
    case "json":
      writer.body["response_format"] = { type: "json_object" };
      return;
    case "jsonSchema":
      encodeJsonSchema(format, writer);
  }
}

function encodeJsonSchema(
  format: Extract<ResponseFormat, { readonly type: "jsonSchema" }>,
  writer: SettingsWriter,
): void {
  if (!writer.target.structuredOutput) {
    report(writer, "setting.no_counterpart", "responseFormat");
    return;
  }
  const inner = openAiFormat(format, {
    ...writer,
    checked: isOpenAi(writer.target),
    namePath: "/response_format/json_schema/name",
    to: protocol,
  });
  writer.body["response_format"] = { type: "json_schema", json_schema: inner };
}
