import { openAiTtl } from "../../../codec/content/cache-ttl.ts";
import { effortFor } from "../../../codec/content/effort.ts";
import { isOpenAi } from "../../../codec/profile.ts";
import { refuse } from "../../../codec/refuse.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { openAiFormat } from "../../../codec/schema/format.ts";
import { within } from "../../../codec/settings/within.ts";
import type { Conversation, Json, JsonObject, Reasoning, ResponseFormat, Settings } from "../../../ir/index.ts";
import type { Writer } from "../context.ts";
import { logprobsInclude } from "./decode.ts";
import { encodeToolChoice } from "./tool-choice.ts";
import type { SettingsWriter } from "./writer.ts";
import { form, report, shared } from "./writer.ts";

const protocol = "openai-responses";

type SettingEncoders = {
  readonly [K in keyof Settings]-?: (value: NonNullable<Settings[K]>, writer: SettingsWriter) => void;
};

const written =
  (key: string): ((value: Json, writer: SettingsWriter) => void) =>
  (value, writer) => {
    writer.body[key] = value;
  };

const absent =
  (key: keyof Settings): ((value: unknown, writer: SettingsWriter) => void) =>
  (_value, writer) =>
    report(writer, "setting.no_counterpart", key);

/** OpenAI has no penalties here; Open Responses does. */
const penalty =
  (setting: keyof Settings, key: string): ((value: number, writer: SettingsWriter) => void) =>
  (value, writer) => {
    if (writer.target.penalties) writer.body[key] = value;
    else report(writer, "setting.no_counterpart", setting);
  };

/** The least that the API takes. */
const leastTokens = 16;

/** One entry for each setting: a new one does not compile until it is decided here. */
const encoders: SettingEncoders = {
  model: written("model"),
  stream: written("stream"),
  streamOptions: (value, writer) => {
    // Usage is told unasked here; whether the client wants it is in the exchange.
    if (value.includeObfuscation !== undefined)
      writer.body["stream_options"] = { include_obfuscation: value.includeObfuscation };
  },
  maxTokens: (value, writer) => {
    const sent = writer.mends ? Math.max(value, leastTokens) : value;
    if (sent !== value) report(writer, "setting.clamped", "maxTokens", { sent, to: protocol });
    writer.body["max_output_tokens"] = sent;
  },
  temperature: within(protocol, "temperature", "temperature", 0, 2),
  topP: within(protocol, "topP", "top_p", 0, 1),
  topK: absent("topK"),
  minP: absent("minP"),
  stopSequences: (value, writer) => {
    const isEmpty = value.length === 0 && !writer.faithful;
    report(writer, isEmpty ? "field.empty" : "setting.no_counterpart", "stopSequences");
  },
  seed: absent("seed"),
  n: (value, writer) => {
    if (value === 1) return;
    if (writer.target.fallbacks?.["n"] !== "first") {
      refuse(
        "n",
        writer.settings,
        "n",
        `${protocol} gives one answer per request: ask for n = 1, or take the first with target.fallbacks.n: "first"`,
        ["n: first"],
      );
    }
    report(writer, "setting.no_counterpart", "n");
  },
  presencePenalty: penalty("presencePenalty", "presence_penalty"),
  frequencyPenalty: penalty("frequencyPenalty", "frequency_penalty"),
  logitBias: absent("logitBias"),
  logprobs: () => {
    // Together with the rest of `include`, after the others. That there are none is the default.
  },
  topLogprobs: within(protocol, "topLogprobs", "top_logprobs", 0, 20),
  toolChoice: (value, writer) => encodeToolChoice(value, writer),
  parallelToolCalls: written("parallel_tool_calls"),
  reasoning: (value, writer) => encodeReasoning(value, writer),
  responseFormat: (value, writer) => encodeFormat(value, writer),
  serviceTier: written("service_tier"),
  speed: (value, writer) => {
    if (value === "fast" && writer.settings.serviceTier === undefined) writer.body["service_tier"] = "fast";
    else report(writer, "setting.no_counterpart", "speed");
  },
  metadata: written("metadata"),
  userId: (value, writer) => {
    writer.body[form(writer, "userId") === "user" ? "user" : "safety_identifier"] = value;
  },
  cache: (value, writer) => {
    if (value.key !== undefined) writer.body["prompt_cache_key"] = value.key;
    if (value.retention !== undefined) writer.body["prompt_cache_retention"] = value.retention;
    encodeCacheOptions(value, writer);
  },
  store: written("store"),
  previousResponseId: written("previous_response_id"),
  modalities: (value, writer) => {
    const other = value.find((modality) => modality !== "text");
    if (other !== undefined)
      refuse(
        "modalities",
        writer.settings,
        "modalities",
        `${protocol} answers with text only: leave other modalities out`,
      );
  },
  audio: absent("audio"),
  verbosity: (value, writer) => {
    shared(writer, "text")["verbosity"] = value;
  },
  prediction: absent("prediction"),
  webSearch: absent("webSearch"),
  safety: (value, writer) => {
    if (writer.faithful) writer.body["moderation"] = value;
    else report(writer, "setting.no_counterpart", "safety");
  },
};

/** Writes all settings into `body`, after the tools. Tool choice needs to know which tools were declared. */
export function encodeSettings(
  conversation: Conversation,
  body: WireObject,
  writer: Writer,
  declared: ReadonlyMap<string, string>,
): void {
  const { settings } = conversation;
  const context: SettingsWriter = Object.assign({ body, settings, conversation, declared }, writer);
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const value = settings[key];
    const encode = encoders[key] as ((value: unknown, writer: SettingsWriter) => void) | undefined;
    if (value !== undefined) encode?.(value, context);
  }
  writeStore(context);
  writeInclude(context);
}

/**
 * OpenAI keeps each answer unless told not to. No other protocol has that default, so what another one leaves unsaid is said here. It changes
 * nothing of what the client asked for, and is no loss.
 */
function writeStore({ settings, conversation: { wire }, faithful, body }: SettingsWriter): void {
  if (settings.store === undefined && wire !== undefined && !faithful) body["store"] = false;
}

/** The entries of `include` at their places, that of the log probabilities among them. */
function writeInclude(writer: SettingsWriter): void {
  const { settings, conversation, body } = writer;
  const include: Json[] = includePointers(conversation).map((pointer) => conversation.wire?.rest?.[pointer] as Json);
  if (settings.logprobs === true) {
    const place = form(writer, "include/logprobs");
    include.splice(typeof place === "number" ? place : include.length, 0, logprobsInclude);
  }
  if (include.length > 0) body["include"] = include;
}

/** Where the entries of `include` stand that no setting holds, in their order. */
export function includePointers({ wire }: Conversation): string[] {
  if (wire?.protocol !== protocol || wire.rest === undefined) return [];
  return Object.keys(wire.rest).filter((pointer) => pointer.startsWith("include/"));
}

function encodeCacheOptions(cache: NonNullable<Settings["cache"]>, writer: SettingsWriter): void {
  const { mode, ttl, breakpoint } = cache;
  if (!writer.target.marks && !(writer.faithful && writer.target.cacheMarks === undefined)) {
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
  for (const [field, value] of Object.entries({ display, includeThoughts }))
    if (value !== undefined) report(writer, "reasoning.display", `reasoning/${field}`);
  const object: WireObject = {};
  const set = (key: string, value: Json | undefined): void => {
    if (value !== undefined) object[key] = value;
  };
  if (!writer.target.effort) {
    for (const field of ["mode", "effort", "budget"] as const)
      if (reasoning[field] !== undefined) report(writer, "setting.no_counterpart", `reasoning/${field}`);
  } else if (mode === "disabled") {
    object["effort"] = "none";
    if (effort !== undefined) report(writer, "reasoning.effort_dropped", "reasoning/effort");
    if (budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
  } else {
    const isBare = mode === "enabled" && effort === undefined && budget === undefined;
    if (mode === "adaptive" || mode === "betweenTools" || isBare)
      report(writer, "reasoning.mode", "reasoning/mode", { mode });
    set("effort", effort);
    if (effort !== undefined && budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
    else if (budget !== undefined) {
      const sent = effortFor(budget);
      object["effort"] = sent;
      report(writer, "reasoning.budget", "reasoning/budget", { sent });
    }
  }
  set(form(writer, "summary") === "generate_summary" ? "generate_summary" : "summary", summary);
  set("context", context);
  if (Object.keys(object).length > 0) writer.body["reasoning"] = object as JsonObject;
}

function encodeFormat(format: ResponseFormat, writer: SettingsWriter): void {
  if (format.type !== "jsonSchema") {
    shared(writer, "text")["format"] = { type: format.type === "text" ? "text" : "json_object" };
    return;
  }
  if (!writer.target.structuredOutput) {
    report(writer, "setting.no_counterpart", "responseFormat");
    return;
  }
  const fields = openAiFormat(format, {
    ...writer,
    checked: isOpenAi(writer.target),
    namePath: "/text/format/name",
    to: protocol,
  });
  shared(writer, "text")["format"] = { type: "json_schema", ...fields };
}
