import type { WireObject } from "../../../codec/restore.ts";
import type { Json, JsonObject, Reasoning } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { SettingsWriter } from "./writer.ts";
import { outputConfig, report } from "./writer.ts";

const protocol = "anthropic-messages";

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
  // A block that is no object came from this protocol and stays as it is.
  return Array.isArray(content) ? content.map((block: Json) => (isJsonObject(block) ? block["type"] : undefined)) : [];
}

const shownKeys: { readonly [key: string]: true } = { summary: true, context: true, includeThoughts: true };

export function encodeReasoning(reasoning: Reasoning, writer: SettingsWriter): void {
  const { summary, context, includeThoughts } = reasoning;
  if (summary !== undefined) report(writer, "reasoning.display", "reasoning/summary");
  if (context !== undefined) report(writer, "reasoning.display", "reasoning/context");
  if (includeThoughts !== undefined) report(writer, "reasoning.display", "reasoning/includeThoughts");
  if (writer.faithful) {
    if (!takesMode(reasoning, writer)) encodeOtherwise(reasoning, writer);
    else if (writer.mends && reasoning.mode === "enabled") mendManual(reasoning, writer);
    else writeReasoning(reasoning, writer);
    return;
  }
  // How much of its thoughts the client wants to see does not make the model think.
  if (Object.keys(reasoning).every((key) => shownKeys[key] === true)) return;
  const effort = nearestEffort(reasoning);
  if (reasoning.mode === "disabled") {
    writer.body["thinking"] = { type: "disabled" };
    if (reasoning.budget !== undefined) report(writer, "reasoning.budget_dropped", "reasoning/budget");
    if (reasoning.display !== undefined) report(writer, "reasoning.display", "reasoning/display");
    if (effort !== undefined) writeEffort(reasoning, effort, writer);
    return;
  }
  const reason = conflict(writer);
  if (reason !== undefined || writer.target.thinkingStyle === "none") {
    giveUp(reasoning, ["mode", "effort", "budget"], reason ?? unthinking, writer);
    return;
  }
  if (writer.target.thinkingStyle === "adaptive") encodeAdaptive(reasoning, writer);
  else if (!encodeBudget(reasoning, writer)) return;
  // A budget that was chosen by the effort says it.
  const isSaid = writer.target.thinkingStyle === "budget" && reasoning.budget === undefined && !writer.target.effort;
  if (effort !== undefined && !isSaid) writeEffort(reasoning, effort, writer);
}

const unthinking = "this model does not think";

function giveUp(
  reasoning: Reasoning,
  fields: readonly ("mode" | "effort" | "budget" | "display")[],
  reason: string,
  writer: SettingsWriter,
): void {
  for (const field of fields)
    if (reasoning[field] !== undefined) report(writer, "reasoning.conflict", `reasoning/${field}`, { reason });
}

/** True where the target is not known to refuse the mode of thinking, or the number of its tokens. */
function takesMode({ mode, budget = 0 }: Reasoning, writer: SettingsWriter): boolean {
  if (mode === undefined || mode === "disabled") return true;
  const { knownThinking: known, maxOutputTokens: most = Number.POSITIVE_INFINITY } = writer.target;
  if (known === "none" || (known === "adaptive" && mode === "enabled")) return false;
  if (known === "budget" && mode !== "enabled") return false;
  return mode !== "enabled" || budget < most || interleaves(writer);
}

/** Thinking of this protocol for a model that takes another mode of it, or none. */
function encodeOtherwise(reasoning: Reasoning, writer: SettingsWriter): void {
  const { knownThinking: known } = writer.target;
  const reason = known === "none" ? unthinking : conflict(writer);
  if (reason !== undefined) giveUp(reasoning, ["mode", "budget", "display"], reason, writer);
  else if (known === "adaptive") encodeAdaptive(reasoning, writer);
  else encodeBudget(reasoning, writer);
  const effort = nearestEffort(reasoning);
  if (effort !== undefined) writeEffort(reasoning, effort, writer);
}

/** The API's scale begins one step later. */
const nearestEffort = ({ effort }: Reasoning): string | undefined => (effort === "minimal" ? "low" : effort);

function writeEffort(reasoning: Reasoning, sent: string, writer: SettingsWriter): void {
  if (!writer.target.effort) {
    report(writer, "setting.no_counterpart", "reasoning/effort");
    return;
  }
  outputConfig(writer)["effort"] = sent;
  if (sent !== reasoning.effort)
    report(writer, "reasoning.effort", "reasoning/effort", { effort: reasoning.effort ?? "", sent });
}

/** Manual thinking of this protocol, where its service may refuse what stands beside it. */
function mendManual(reasoning: Reasoning, writer: SettingsWriter): void {
  const reason = conflict(writer);
  if (reason !== undefined) giveUp(reasoning, ["mode", "budget", "display"], reason, writer);
  else if (!writer.target.manualThinking) encodeAdaptive(reasoning, writer);
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
    giveUp(reasoning, ["mode", "effort", "budget"], "too few tokens are allowed", writer);
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
