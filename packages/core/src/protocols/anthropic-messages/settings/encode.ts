import { isBlank } from "../../../codec/content/blank.ts";
import { refuse, refuseChoices } from "../../../codec/refuse.ts";
import { formOf } from "../../../codec/restore.ts";
import { enforceSchema } from "../../../codec/schema/enforce.ts";
import { keywordLoss } from "../../../codec/schema/losses.ts";
import type { Settings } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import { markObject } from "../parts/cache.ts";
import { encodeReasoning } from "./reasoning.ts";
import { encodeToolChoice } from "./tool-choice.ts";
import type { SettingsWriter } from "./writer.ts";
import { outputConfig, report } from "./writer.ts";

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
    if (!writer.target.sampling || (setting === "topK" && !writer.target.topK))
      report(writer, "setting.no_counterpart", setting);
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
    const limit = writer.target.maxOutputTokens;
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
    if (sent.length > 0 || value.length === 0 || !writer.mends) writer.body["stop_sequences"] = sent;
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
      reportMarksTtl(value.ttl, writer);
    if (value.key !== undefined) report(writer, "cache.setting", "cache/key");
    if (value.retention !== undefined) report(writer, "cache.setting", "cache/retention");
  },
  store: absent("store"),
  previousResponseId: () => {
    // Refused before anything is written.
  },
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

/** A time to live of the request stands on the marks that state none. */
function reportMarksTtl(ttl: string, writer: SettingsWriter): void {
  if (!writer.marked.some(({ inherits }) => inherits === true)) report(writer, "cache.setting", "cache/ttl");
  else if (writer.requestTtl !== undefined && writer.requestTtl !== ttl)
    report(writer, "cache.ttl", "cache/ttl", { sent: writer.requestTtl });
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
  if (!writer.target.structuredOutput) {
    report(writer, "setting.no_counterpart", "responseFormat");
    return;
  }
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
