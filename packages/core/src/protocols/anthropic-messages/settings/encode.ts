import { isBlank } from "../../../codec/content/blank.ts";
import { refuse, refuseChoices, refuseStored } from "../../../codec/refuse.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import { enforceSchema } from "../../../codec/schema/enforce.ts";
import { keywordLoss } from "../../../codec/schema/losses.ts";
import type { Json, JsonObject, Reasoning, Settings } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import { markObject } from "../parts/cache.ts";
import { encodeToolChoice } from "./tool-choice.ts";
import type { SettingsWriter } from "./writer.ts";
import { report } from "./writer.ts";

const protocol = "anthropic-messages";

type SettingEncoders = {
  readonly [K in keyof Settings]-?: (value: NonNullable<Settings[K]>, writer: SettingsWriter) => void;
};

const absent =
  (key: keyof Settings): ((value: unknown, writer: SettingsWriter) => void) =>
  (_value, writer) =>
    report(writer, "setting.no_counterpart", key);

const written =
  (key: string): ((value: string | number | boolean | readonly string[], writer: SettingsWriter) => void) =>
  (value, writer) => {
    writer.body[key] = value;
  };

/** Sampling parameters are gone from API version 2026-10-21, and newer models refuse them in both versions. */
const sampling =
  (setting: keyof Settings, key: string): ((value: number, writer: SettingsWriter) => void) =>
  (value, writer) => {
    if (!writer.target.sampling) report(writer, "setting.no_counterpart", setting);
    else if (!writer.faithful && setting === "temperature" && value > 1) {
      writer.body[key] = 1;
      report(writer, "setting.clamped", setting, { sent: 1, to: protocol });
    } else writer.body[key] = value;
  };

/** One entry for each setting: a new one does not compile until it is decided here. */
const encoders: SettingEncoders = {
  model: written("model"),
  stream: written("stream"),
  streamOptions: () => {
    // Shapes the stream that the client gets; it goes into the exchange.
  },
  maxTokens: (value, writer) => {
    const limit = writer.faithful ? undefined : writer.target.maxOutputTokens;
    if (limit !== undefined && value > limit) {
      report(writer, "setting.clamped", "maxTokens", { sent: limit, to: protocol });
      writer.body["max_tokens"] = limit;
    } else writer.body["max_tokens"] = value;
  },
  temperature: sampling("temperature", "temperature"),
  topP: sampling("topP", "top_p"),
  topK: sampling("topK", "top_k"),
  minP: absent("minP"),
  stopSequences: (value, writer) => {
    // The API refuses a stop sequence of white space only.
    const sent = writer.mends ? value.filter((sequence) => !isBlank(sequence)) : value;
    if (sent.length > 0 || !writer.mends) writer.body["stop_sequences"] = sent;
    if (sent.length === value.length) return;
    value.forEach((sequence, index) => {
      // A single one may be no list in the source, so the setting is its place.
      const field = value.length === 1 ? "stopSequences" : `stopSequences/${index}`;
      if (isBlank(sequence)) report(writer, "setting.stop_blank", field);
    });
  },
  seed: absent("seed"),
  n: (value, writer) => {
    if (value === 1) return;
    refuseChoices(writer.settings, writer.target, protocol);
    report(writer, "setting.no_counterpart", "n");
  },
  presencePenalty: absent("presencePenalty"),
  frequencyPenalty: absent("frequencyPenalty"),
  logitBias: absent("logitBias"),
  logprobs: absent("logprobs"),
  topLogprobs: absent("topLogprobs"),
  toolChoice: () => {
    // Together with parallelToolCalls, before the others.
  },
  parallelToolCalls: () => {
    // Together with toolChoice, before the others.
  },
  reasoning: (value, writer) => encodeReasoning(value, writer),
  responseFormat: (value, writer) => encodeFormat(value, writer),
  serviceTier: (value, writer) => {
    if (value === "auto") writer.body["service_tier"] = "auto";
    else if (value === "default") {
      writer.body["service_tier"] = "standard_only";
      if (!writer.faithful) report(writer, "setting.approximated", "serviceTier", { sent: "standard_only" });
    } else report(writer, "setting.no_counterpart", "serviceTier");
  },
  speed: written("speed"),
  metadata: absent("metadata"),
  userId: (value, writer) => {
    writer.body["metadata"] = { user_id: value };
  },
  cache: (value, writer) => {
    if (value.content !== undefined) refuseStored(writer.settings, protocol);
    if (value.breakpoint !== undefined) {
      writer.body["cache_control"] = markObject(value.breakpoint, writer.settings, "cache/breakpoint", writer);
    } else if (value.mode === "automatic") {
      writer.body["cache_control"] = markObject(
        value.ttl === undefined ? {} : { ttl: value.ttl },
        writer.settings,
        "cache",
        writer,
      );
    } else if (value.mode !== undefined) report(writer, "cache.setting", "cache/mode");
    if (value.ttl !== undefined && (value.breakpoint !== undefined || value.mode !== "automatic"))
      report(writer, "cache.setting", "cache/ttl");
    if (value.key !== undefined) report(writer, "cache.setting", "cache/key");
    if (value.retention !== undefined) report(writer, "cache.setting", "cache/retention");
  },
  store: absent("store"),
  previousResponseId: (_value, writer) =>
    refuse(
      "previousResponseId",
      writer.settings,
      "previousResponseId",
      `${protocol} keeps no responses: send the whole conversation instead of a previous response id`,
    ),
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
  verbosity: absent("verbosity"),
  prediction: absent("prediction"),
  webSearch: absent("webSearch"),
  safety: absent("safety"),
};

/** Writes all settings into the body. Tool choice needs to know which tools were declared. */
export function encodeSettings(writer: SettingsWriter, declared: ReadonlySet<string>): void {
  const { settings, body } = writer;
  // Whether a tool is forced decides about thinking.
  encodeToolChoice(writer, declared);
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const value = settings[key];
    const encode = encoders[key] as ((value: unknown, writer: SettingsWriter) => void) | undefined;
    if (value !== undefined) encode?.(value, writer);
  }
  if (writer.mends) {
    settleSampling(writer);
    settleTopP(writer);
  }
  if (settings.maxTokens === undefined && !writer.faithful) {
    const sent = writer.target.defaultMaxTokens;
    body["max_tokens"] = sent;
    lose(writer.report, "setting.synthesized", undefined, "", {
      targetPath: "/max_tokens",
      values: { sent: `max_tokens ${sent}`, to: protocol },
    });
  }
}

/** With thinking on, the API takes no temperature but 1 and no top_k. */
function settleSampling(writer: SettingsWriter): void {
  const { thinking } = writer.body;
  if (!isJsonObject(thinking) || thinking["type"] === "disabled") return;
  for (const [key, setting] of [
    ["temperature", "temperature"],
    ["top_k", "topK"],
  ] as const) {
    if (writer.body[key] === undefined || writer.body[key] === 1) continue;
    delete writer.body[key];
    report(writer, "setting.no_counterpart", setting);
  }
}

/** Some models refuse temperature and top_p together. The temperature is what clients set first, so it stays. */
function settleTopP(writer: SettingsWriter): void {
  const { body } = writer;
  if (writer.target.samplingPair || body["temperature"] === undefined || body["top_p"] === undefined) return;
  delete body["top_p"];
  report(writer, "setting.conflict", "topP", { other: "temperature" });
}

function encodeFormat(format: NonNullable<Settings["responseFormat"]>, writer: SettingsWriter): void {
  if (format.type === "text") return;
  if (format.type === "json") {
    report(writer, "format.json", "responseFormat");
    return;
  }
  const schema = writer.faithful
    ? format.schema
    : enforceSchema(format.schema, "anthropic-strict", (...change) =>
        report(writer, ...keywordLoss("responseFormat/schema", ...change)),
      );
  if (schema === undefined) {
    report(writer, "format.unenforceable", "responseFormat", { to: protocol });
    return;
  }
  for (const field of ["name", "description", "strict"] as const) {
    if (format[field] !== undefined) report(writer, "format.field", `responseFormat/${field}`, { field });
  }
  const encoded = { type: "json_schema", schema };
  if (formOf(writer.conversation.wire, protocol, "format") === "output_format") writer.body["output_format"] = encoded;
  else outputConfig(writer)["format"] = encoded;
}

function outputConfig(writer: SettingsWriter): WireObject {
  const present = writer.body["output_config"];
  if (isJsonObject(present)) return present as WireObject;
  const created: WireObject = {};
  writer.body["output_config"] = created as WireObject[string];
  return created;
}

/** Budgets for effort words, where a server takes only a number. The same steps back: see the Chat codec. */
const budgets: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24576,
  xhigh: 49152,
  max: 65536,
};

/** Why thinking cannot be on in this request, or undefined. Forced tools and thinking exclude each other; so do prefill and thinking. */
function conflict({ body, target, faithful }: SettingsWriter): string | undefined {
  const choice = body["tool_choice"];
  if (isJsonObject(choice) && (choice["type"] === "any" || choice["type"] === "tool")) return "a tool is forced";
  const turns = (body["messages"] as readonly JsonObject[]).filter(({ role }) => role !== "system");
  const place = turns.findLastIndex(({ role }) => role === "assistant");
  const last = typesIn(turns[place]);
  // A turn may also end in a tool that the service itself runs; then it goes on thinking.
  if (place === turns.length - 1 && last.at(-1) === "text") return "the request ends in a started answer";
  if (target.thinkingStyle === "adaptive" && !faithful) return undefined;
  const goesOn = turns.slice(place + 1).some((turn) => typesIn(turn).includes("tool_result"));
  const isSigned = last[0] === "thinking" || last[0] === "redacted_thinking";
  const isOpen = goesOn && last.includes("tool_use");
  return isOpen && !isSigned ? "the tool turn in progress has no signed thinking" : undefined;
}

/** The kinds of blocks of a message, in order. */
function typesIn(message: JsonObject | undefined): readonly (Json | undefined)[] {
  const content = message?.["content"];
  if (typeof content === "string") return ["text"];
  return Array.isArray(content) ? (content as readonly JsonObject[]).map(({ type }) => type) : [];
}

function encodeReasoning(reasoning: Reasoning, writer: SettingsWriter): void {
  const { summary, context, includeThoughts } = reasoning;
  if (summary !== undefined) report(writer, "reasoning.display", "reasoning/summary");
  if (context !== undefined) report(writer, "reasoning.display", "reasoning/context");
  if (includeThoughts !== undefined) report(writer, "reasoning.display", "reasoning/includeThoughts");
  if (writer.faithful) {
    if (writer.mends && reasoning.mode === "enabled") mendManual(reasoning, writer);
    else writeReasoning(reasoning, writer);
    return;
  }
  const effort = nearestEffort(reasoning);
  if (reasoning.mode === "disabled") {
    writer.body["thinking"] = { type: "disabled" };
    if (reasoning.budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
    if (reasoning.display !== undefined) report(writer, "reasoning.display", "reasoning/display");
    if (effort !== undefined && writer.target.effort) writeEffort(reasoning, effort, writer);
    return;
  }
  const reason = conflict(writer);
  if (reason !== undefined || writer.target.thinkingStyle === "none") {
    const values = { reason: reason ?? "this model does not think" };
    for (const field of ["mode", "effort", "budget"] as const) {
      if (reasoning[field] !== undefined) report(writer, "reasoning.conflict", `reasoning/${field}`, values);
    }
    return;
  }
  if (writer.target.thinkingStyle === "adaptive") encodeAdaptive(reasoning, writer);
  else if (!encodeBudget(reasoning, writer)) return;
  if (effort !== undefined && writer.target.effort) writeEffort(reasoning, effort, writer);
}

/** The API's scale begins one step later. */
const nearestEffort = ({ effort }: Reasoning): string | undefined => (effort === "minimal" ? "low" : effort);

function writeEffort(reasoning: Reasoning, sent: string, writer: SettingsWriter): void {
  outputConfig(writer)["effort"] = sent;
  if (sent !== reasoning.effort)
    report(writer, "reasoning.effort", "reasoning/effort", { effort: reasoning.effort ?? "", sent });
}

/** Manual thinking of this protocol, where its service may refuse what stands beside it. */
function mendManual(reasoning: Reasoning, writer: SettingsWriter): void {
  const reason = conflict(writer);
  if (reason !== undefined) {
    for (const field of ["mode", "budget", "display"] as const)
      if (reasoning[field] !== undefined) report(writer, "reasoning.conflict", `reasoning/${field}`, { reason });
  } else if (!writer.target.manualThinking) encodeAdaptive(reasoning, writer);
  else if (reasoning.budget === undefined || interleaves(writer)) writeReasoning(reasoning, writer);
  else encodeBudget(reasoning, writer);
  const effort = nearestEffort(reasoning);
  if (effort !== undefined) writeEffort(reasoning, effort, writer);
}

/** With interleaved thinking the budget may be larger than what one answer may have. */
const interleaves = ({ target }: SettingsWriter): boolean =>
  target.betas?.some((beta) => beta.startsWith("interleaved-thinking")) === true;

/** What was decoded from this protocol, as it was. */
function writeReasoning(reasoning: Reasoning, writer: SettingsWriter): void {
  const effort = nearestEffort(reasoning);
  if (effort !== undefined) writeEffort(reasoning, effort, writer);
  if (reasoning.mode === undefined) {
    if (reasoning.budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
    if (reasoning.display !== undefined) report(writer, "reasoning.display", "reasoning/display");
    return;
  }
  const object: WireObject = { type: reasoning.mode === "betweenTools" ? "between_tools" : reasoning.mode };
  if (reasoning.budget !== undefined) {
    if (reasoning.mode === "enabled") object["budget_tokens"] = reasoning.budget;
    else report(writer, "reasoning.budget_dropped", "reasoning/budget");
  }
  if (reasoning.display !== undefined) object["display"] = reasoning.display;
  writer.body["thinking"] = object as JsonObject;
}

function encodeAdaptive(reasoning: Reasoning, writer: SettingsWriter): void {
  const type = reasoning.mode === "betweenTools" ? "between_tools" : "adaptive";
  if (reasoning.budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
  if (reasoning.mode === undefined || (reasoning.mode === "enabled" && type === "adaptive")) synthesized(writer, type);
  writer.body["thinking"] = { type, ...(reasoning.display !== undefined && { display: reasoning.display }) };
}

/** The least budget that the API takes. */
const leastBudget = 1024;

/** The share of the allowed tokens that thinking may take where only an effort is stated: the budget counts toward them, and the rest is the answer. */
const thinkingShare = 0.8;

/** False where the allowed tokens leave no room for thinking. */
function encodeBudget(reasoning: Reasoning, writer: SettingsWriter): boolean {
  const { defaultMaxTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = writer.target;
  const maximum = Math.min(writer.settings.maxTokens ?? defaultMaxTokens, maxOutputTokens);
  const wanted = reasoning.budget ?? budgets[reasoning.effort ?? "medium"] ?? 8192;
  // A stated budget is kept as near as the API takes it; the one that is chosen here leaves room for the answer.
  const limit = reasoning.budget === undefined ? Math.floor(maximum * thinkingShare) : maximum - 1;
  if (limit < leastBudget) {
    for (const field of ["mode", "effort", "budget"] as const) {
      if (reasoning[field] !== undefined)
        report(writer, "reasoning.conflict", `reasoning/${field}`, { reason: "too few tokens are allowed" });
    }
    return false;
  }
  const budget = Math.max(leastBudget, Math.min(wanted, limit));
  if (reasoning.budget !== undefined && budget !== reasoning.budget) {
    report(writer, "setting.clamped", "reasoning/budget", { sent: budget, to: protocol });
  } else if (budget < wanted && reasoning.effort !== undefined) {
    report(writer, "reasoning.share", "reasoning/effort", { sent: budget });
  }
  const { mode } = reasoning;
  if (mode === "adaptive" || mode === "betweenTools") report(writer, "reasoning.mode", "reasoning/mode", { mode });
  if (mode !== "enabled") synthesized(writer, `enabled, ${budget} tokens`);
  writer.body["thinking"] = {
    type: "enabled",
    budget_tokens: budget,
    ...(reasoning.display !== undefined && { display: reasoning.display }),
  };
  return true;
}

function synthesized(writer: SettingsWriter, sent: string): void {
  lose(writer.report, "reasoning.synthesized", undefined, "", { targetPath: "/thinking", values: { sent } });
}
