import type { Message } from "../../ir/index.ts";
import { textOf } from "../../ir/index.ts";
import type { ScriptedAnswer, ScriptedRequest } from "./answer.ts";

/** When a rule counts: all that is stated has to be so. */
export interface ScriptedCondition {
  /** What the last message of the user says, or holds. */
  readonly text?: string | RegExp;
  /** The last message is the result of this tool. */
  readonly toolResult?: string;
  /** How many requests came before. */
  readonly call?: number;
}

export interface ScriptedRule {
  /** Absent: always. */
  readonly when?: ScriptedCondition;
  readonly answer: ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer);
}

/** A script of rules, of which the first that fits answers. A request that none fits is refused, with what was asked. */
export function byRules(rules: readonly ScriptedRule[]): (request: ScriptedRequest) => ScriptedAnswer {
  return (request) => {
    const rule = rules.find(({ when }) => when === undefined || fits(when, request));
    if (rule !== undefined) return typeof rule.answer === "function" ? rule.answer(request) : rule.answer;
    const asked = lastOf(request.messages, "user");
    const shown = asked === undefined ? "nothing" : JSON.stringify(textOf(asked).slice(0, 200));
    return { error: { status: 400, kind: "invalid_request", message: `no rule of the script fits ${shown}` } };
  };
}

function fits({ text, toolResult, call }: ScriptedCondition, { messages, call: number }: ScriptedRequest): boolean {
  if (call !== undefined && call !== number) return false;
  if (toolResult !== undefined && !isResultOf(messages, toolResult)) return false;
  if (text === undefined) return true;
  const asked = lastOf(messages, "user");
  const said = asked === undefined ? "" : textOf(asked);
  return typeof text === "string" ? said.includes(text) : said.search(text) >= 0;
}

function lastOf(messages: readonly Message[], role: Message["role"]): Message | undefined {
  return messages.findLast((message) => message.role === role);
}

/** Results often do not say whose they are; their calls do. */
function isResultOf(messages: readonly Message[], name: string): boolean {
  const last = messages.findLast(({ role }) => role !== "system");
  if (last?.role !== "toolResult") return false;
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      message.content.some((part) => part.type === "toolCall" && part.id === last.toolCallId && part.name === name),
  );
}
