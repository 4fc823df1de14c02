import type { LossGroup, LossSeverity } from "@rolecall/core";
import { printable } from "../http/secrets.ts";
import type { ExchangeRecord } from "./record.ts";
import { groupsOf, summaryOf } from "./tally.ts";

const shortNames: { readonly [protocol: string]: string } = {
  "openai-chat": "chat",
  "openai-responses": "responses",
  "anthropic-messages": "messages",
  "gemini-generate-content": "gemini",
};
const marks: { readonly [S in LossSeverity]: string } = { error: "‼", warning: "!", info: "·" };

export interface FormatOptions {
  /** Shows the groups of losses also where they are the same as before. */
  readonly verbose?: boolean;
}

/** What a person reads about one exchange: one line, and below it the groups of losses where they are news. */
export function formatExchange(record: ExchangeRecord, options: FormatOptions = {}): string {
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const protocols =
    record.from === record.to
      ? (shortNames[record.from] ?? record.from)
      : `${shortNames[record.from]} → ${shortNames[record.to]}`;
  const model = printable(record.sentModel ?? record.model ?? "no model", 60);
  const facts = [
    `${printable(record.client ?? "client", 30)} → ${model} (${protocols})`,
    [size(record), ...(record.turn !== undefined && record.turn > 1 ? [`turn ${record.turn}`] : [])].join(" · "),
    outcome(record),
  ];
  const groups = groupsOf(record);
  // What an answer lost is not compared with earlier answers; of a conversation's first it is news.
  const showsGroups = groups.length > 0 && (options.verbose === true || record.fresh > 0 || record.turn === 1);
  return [
    `${time}  ${facts.filter((fact) => fact !== "").join("   ")}`,
    ...(showsGroups ? formatGroups(groups, options.verbose === true) : []),
  ].join("\n");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function size(record: ExchangeRecord): string {
  const kilobytes = record.requestBytes / 1000;
  return [
    ...(record.tools === undefined ? [] : [counted(record.tools, "tool")]),
    ...(record.messages === undefined ? [] : [counted(record.messages, "message")]),
    kilobytes < 10 ? `${kilobytes.toFixed(1)} KB` : `${Math.round(kilobytes)} KB`,
  ].join(" · ");
}

function outcome(record: ExchangeRecord): string {
  if (record.outcome === "failed") {
    const status = record.status === undefined ? "" : `${record.status} `;
    return `✗ ${status}${record.error?.stage ?? ""}: ${printable(record.error?.message ?? "", 120)}`;
  }
  if (record.outcome === "aborted") return "✗ given up by the client";
  return [losses(record), duration(record)].filter((text) => text !== "").join(" · ");
}

function losses(record: ExchangeRecord): string {
  const { total, groups } = summaryOf(record);
  if (total === 0) return record.passed ? "bytes through" : "nothing lost";
  const before = total - record.fresh - record.more;
  if (record.turn === undefined || record.turn === 1 || before === 0)
    return `${total} ${total === 1 ? "loss" : "losses"} in ${groups} ${groups === 1 ? "group" : "groups"}`;
  return [
    `${before} as before`,
    ...(record.more > 0 ? [`${record.more} more of known kinds`] : []),
    ...(record.fresh > 0 ? [`${record.fresh} new`] : []),
  ].join(" · ");
}

function duration(record: ExchangeRecord): string {
  const time = record.stream ? record.firstByteMs : record.totalMs;
  if (time === undefined) return "";
  return `${(time / 1000).toFixed(1)} s${record.stream ? " to first byte" : ""}`;
}

/** Wider details push their place to the right instead of the places of all others. */
const WIDEST_DETAIL = 64;

function formatGroups(groups: readonly LossGroup[], all: boolean): string[] {
  const shown = all ? groups : groups.filter((group) => group.effect !== "form" && group.accepted < group.count);
  const details = shown.map((group) => printable(group.detail, 120));
  const code = Math.max(0, ...shown.map((group) => group.code.length));
  const count = Math.max(0, ...shown.map((group) => timesOf(group).length));
  const detail = Math.min(WIDEST_DETAIL, Math.max(0, ...details.map((text) => text.length)));
  const lines = shown.map((group, index) => {
    const words = [
      group.effect.padEnd(9),
      marks[group.severity],
      group.code.padEnd(code),
      ...(count === 0 ? [] : [timesOf(group).padEnd(count)]),
      ` ${(details[index] ?? "").padEnd(detail)}`,
    ];
    return `  ${words.join(" ")}  ${printable(group.paths[0] ?? "/")}${group.count > 1 ? " …" : ""}`;
  });
  const form = groups.filter((group) => !shown.includes(group) && group.accepted < group.count);
  const accepted = groups.reduce((sum, group) => sum + group.accepted, 0);
  const rest = [
    ...(form.length > 0 ? [`+ ${form.length} of form (${form.reduce((sum, group) => sum + group.count, 0)})`] : []),
    ...(accepted > 0 ? [`accepted: ${accepted}`] : []),
    "rolecall explain CODE",
  ];
  return [...lines, `  ${rest.join("   ")}`];
}

function timesOf({ count }: LossGroup): string {
  return count > 1 ? `×${count}` : "";
}
