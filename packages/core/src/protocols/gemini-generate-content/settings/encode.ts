import { settleEffort } from "../../../codec/content/effort.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type { Conversation, Json, JsonObject, Reasoning, Settings } from "../../../ir/index.ts";
import { escapeSegment, isJsonObject, setOwn } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { writeSchema } from "../tools.ts";
import { encodeToolChoice } from "./tool-choice.ts";
import type { SettingsWriter } from "./writer.ts";
import { report } from "./writer.ts";

const protocol = "gemini-generate-content";

type SettingEncoders = {
  readonly [K in keyof Settings]-?: (value: NonNullable<Settings[K]>, writer: SettingsWriter) => void;
};

const absent =
  (key: keyof Settings): ((value: unknown, writer: SettingsWriter) => void) =>
  (_value, writer) =>
    report(writer, "setting.no_counterpart", key);

const written =
  (key: string): ((value: Json, writer: SettingsWriter) => void) =>
  (value, writer) => {
    writer.config[key] = value;
  };

/** The API refuses what is above. */
const hottest = 2;

const elsewhere = (): void => {
  // Written together with others, or outside of the body.
};

const tiers: { readonly [tier: string]: string } = {
  auto: "unspecified",
  default: "standard",
  flex: "flex",
  priority: "priority",
};

/** Labels hold lower case, digits, underscores and dashes, at most 63 of them; keys begin with a letter. */
const isLabel = (text: string): boolean => /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u.test(text);
const isLabelKey = (text: string): boolean => isLabel(text) && /^\p{L}/u.test(text);

/** Metadata as labels: what is none is left out. */
function labelsOf(metadata: JsonObject, writer: SettingsWriter): JsonObject {
  const labels: Record<string, Json> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (isLabelKey(key) && typeof value === "string" && isLabel(value)) setOwn(labels, key, value);
    else report(writer, "setting.no_counterpart", `metadata/${escapeSegment(key)}`);
  }
  return labels;
}

/** One entry for each setting: a new one does not compile until it is decided here. */
const encoders: SettingEncoders = {
  model: (value, writer) => {
    if (formOf(writer.conversation.wire, protocol, "model") !== undefined) writer.body["model"] = value;
  },
  stream: elsewhere,
  streamOptions: elsewhere,
  maxTokens: (value, writer) => {
    const least = writer.mends ? Math.max(value, 1) : value;
    const sent = writer.faithful ? least : Math.min(least, writer.target.maxOutputTokens ?? least);
    if (sent !== value) report(writer, "setting.clamped", "maxTokens", { sent, to: protocol });
    writer.config["maxOutputTokens"] = sent;
  },
  temperature: (value, writer) => {
    const sent = writer.mends ? Math.min(Math.max(value, 0), hottest) : value;
    if (sent !== value) report(writer, "setting.clamped", "temperature", { sent, to: protocol });
    writer.config["temperature"] = sent;
  },
  topP: written("topP"),
  topK: written("topK"),
  minP: absent("minP"),
  stopSequences: (value, writer) => {
    // The API takes five at most.
    const sent = writer.faithful ? value : value.slice(0, maximumStops);
    writer.config["stopSequences"] = sent;
    for (let index = sent.length; index < value.length; index++)
      report(writer, "setting.no_counterpart", `stopSequences/${index}`);
  },
  seed: written("seed"),
  n: written("candidateCount"),
  presencePenalty: written("presencePenalty"),
  frequencyPenalty: written("frequencyPenalty"),
  logitBias: absent("logitBias"),
  logprobs: written("responseLogprobs"),
  topLogprobs: written("logprobs"),
  toolChoice: elsewhere,
  parallelToolCalls: elsewhere,
  reasoning: (value, writer) => encodeReasoning(value, writer),
  responseFormat: (value, writer) => encodeFormat(value, writer),
  serviceTier: (value, writer) => {
    const tier = entryOf(tiers, value);
    if (tier === undefined) report(writer, "setting.no_counterpart", "serviceTier");
    else writer.body["serviceTier"] = tier;
  },
  speed: absent("speed"),
  metadata: (value, writer) => {
    const labels = writer.faithful ? value : labelsOf(value, writer);
    if (Object.keys(labels).length > 0 || writer.faithful) writer.body["labels"] = labels;
    else if (Object.keys(value).length === 0) report(writer, "setting.no_counterpart", "metadata");
  },
  userId: absent("userId"),
  cache: (value, writer) => {
    if (value.content !== undefined) writer.body["cachedContent"] = value.content;
    // The mark and its mode are one thing in their own protocol.
    if (value.breakpoint !== undefined) report(writer, "cache.setting", "cache");
    else if (value.mode !== undefined) report(writer, "cache.setting", "cache/mode");
    for (const field of ["key", "retention", "ttl"] as const)
      if (value[field] !== undefined) report(writer, "cache.setting", `cache/${field}`);
  },
  store: (value, writer) => {
    writer.body["store"] = value;
  },
  previousResponseId: () => {
    // Refused before anything is written.
  },
  modalities: (value, writer) => {
    writer.config["responseModalities"] = value.map((word) => (modalities.has(word) ? word.toUpperCase() : word));
  },
  audio: absent("audio"),
  verbosity: absent("verbosity"),
  prediction: absent("prediction"),
  webSearch: absent("webSearch"),
  safety: (value, writer) => {
    if (writer.faithful && Array.isArray(value)) writer.body["safetySettings"] = value;
    else report(writer, "setting.no_counterpart", "safety");
  },
};

const maximumStops = 5;

/** Writes all settings into `body`. Tool choice needs to know which tools were declared. */
export function encodeSettings(
  conversation: Conversation,
  body: WireObject,
  writer: Writer,
  declared: ReadonlySet<string>,
): void {
  const { settings } = conversation;
  const config: WireObject = {};
  const context: SettingsWriter = Object.assign({ body, config, settings, conversation }, writer);
  encodeToolChoice(context, declared);
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const value = settings[key];
    const encode = encoders[key] as ((value: unknown, writer: SettingsWriter) => void) | undefined;
    if (value !== undefined) encode?.(value, context);
  }
  settleEffort(conversation, writer.report, (effort) => writeLaterEffort(effort, context));
  if (Object.keys(config).length > 0) body["generationConfig"] = config as JsonObject;
}

/** A level goes beside no budget, and to no model that takes only budgets. */
function writeLaterEffort(effort: NonNullable<Reasoning["effort"]>, { config, target }: SettingsWriter): boolean {
  const thinking = isJsonObject(config["thinkingConfig"] as Json) ? (config["thinkingConfig"] as JsonObject) : {};
  const { thinkingStyle } = target;
  if (thinkingStyle === "none" || thinkingStyle === "budget" || thinking["thinkingBudget"] !== undefined) return false;
  config["thinkingConfig"] = { ...thinking, thinkingLevel: levels[effort] };
  return true;
}

const modalities: ReadonlySet<string> = new Set(["text", "image", "audio", "video"]);

function encodeFormat(format: NonNullable<Settings["responseFormat"]>, writer: SettingsWriter): void {
  const { config } = writer;
  if (format.type === "text") {
    config["responseMimeType"] = "text/plain";
    return;
  }
  config["responseMimeType"] = "application/json";
  if (format.type === "json") return;
  writeSchema(config, format.schema, writer.conversation.wire, "responseJsonSchema", "responseSchema");
  for (const field of ["name", "description", "strict"] as const)
    if (format[field] !== undefined) report(writer, "format.field", `responseFormat/${field}`, { field });
}

const levels: { readonly [K in NonNullable<Reasoning["effort"]>]: string } = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "XHIGH",
  max: "XHIGH",
};

/** Budgets for effort words, where a model takes only a number. */
const budgets: { readonly [K in NonNullable<Reasoning["effort"]>]: number } = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24576,
  xhigh: 24576,
  max: 24576,
};

function encodeReasoning(reasoning: Reasoning, writer: SettingsWriter): void {
  const { mode, effort, budget, display, summary, context, includeThoughts } = reasoning;
  const thinking: WireObject = {};
  if (context !== undefined) report(writer, "reasoning.display", "reasoning/context");
  for (const [field, value] of Object.entries({ display, summary })) {
    if (value === undefined) continue;
    // Whether thoughts are shown at all is the one choice there is.
    thinking["includeThoughts"] = value !== "omitted";
    report(writer, "reasoning.shown", `reasoning/${field}`, { sent: value === "omitted" ? "false" : "true" });
  }
  if (includeThoughts !== undefined) thinking["includeThoughts"] = includeThoughts;
  const { thinkingStyle } = writer.target;
  if (thinkingStyle === "none" && !writer.faithful) {
    for (const field of ["mode", "effort", "budget"] as const)
      if (reasoning[field] !== undefined)
        report(writer, "reasoning.conflict", `reasoning/${field}`, { reason: "this model does not think" });
  } else if (mode === "disabled") {
    thinking["thinkingBudget"] = 0;
    if (effort !== undefined) writeLevel(effort, thinking, writer, "reasoning.effort_dropped");
    if (budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
  } else if (effort !== undefined && (writer.faithful || thinkingStyle !== "budget")) {
    writeLevel(effort, thinking, writer);
    if (writer.faithful) writeBudget(reasoning, thinking, writer);
    else {
      // The API refuses a level and a budget together; with a level the model decides how much.
      if (budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
      if (mode !== undefined)
        lose(writer.report, "reasoning.mode", writer.settings, "reasoning/mode", {
          kind: "approximated",
          values: { mode },
        });
    }
  } else {
    writeBudget(reasoning, thinking, writer);
    if (effort !== undefined && thinking["thinkingBudget"] === undefined) {
      thinking["thinkingBudget"] = budgets[effort];
      report(writer, "reasoning.effort", "reasoning/effort", { effort, sent: `${budgets[effort]} tokens` });
    } else if (effort !== undefined) report(writer, "reasoning.effort_dropped", "reasoning/effort");
  }
  if (Object.keys(thinking).length > 0) writer.config["thinkingConfig"] = thinking as JsonObject;
}

function writeLevel(
  effort: NonNullable<Reasoning["effort"]>,
  thinking: WireObject,
  writer: SettingsWriter,
  foreign?: "reasoning.effort_dropped",
): void {
  if (foreign !== undefined && !writer.faithful) {
    report(writer, foreign, "reasoning/effort");
    return;
  }
  const form = formOf(writer.conversation.wire, protocol, "thinkingLevel");
  const level = levels[effort];
  thinking["thinkingLevel"] = typeof form === "string" && form.toUpperCase() === level ? form : level;
  if (effort === "max") report(writer, "reasoning.effort", "reasoning/effort", { effort, sent: level });
}

function writeBudget({ mode, budget }: Reasoning, thinking: WireObject, writer: SettingsWriter): void {
  if (budget !== undefined) thinking["thinkingBudget"] = budget;
  else if (mode === "adaptive" || mode === "betweenTools") thinking["thinkingBudget"] = -1;
  else if (mode !== undefined) report(writer, "reasoning.mode", "reasoning/mode", { mode });
  // A budget of none is no thought here, whatever is said beside it.
  const isOff = mode === "enabled" && budget === 0 && !writer.faithful;
  if (isOff || mode === "betweenTools" || (mode === "adaptive" && budget !== undefined))
    report(writer, "reasoning.mode", "reasoning/mode", { mode });
}
