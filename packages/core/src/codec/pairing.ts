import type { AssistantTurn, Message, ToolCallPart, ToolResultMessage } from "../ir/index.ts";
import type { Report } from "../loss/index.ts";
import { lose } from "../loss/index.ts";

/** The text of a result that stands in for one that never came. */
const missingResultText = "The call was not answered: the conversation went on without its result.";

const madeUp = new WeakSet<object>();

/** Reports a result that stands in for one that never came; `object` is what it was written as. True for such a result. */
export function reportMissing(message: ToolResultMessage, object: object, report: Report): boolean {
  if (!madeUp.has(message)) return false;
  lose(report, "tool_result.missing", undefined, "", { made: { object } });
  return true;
}

const callsOf = (turn: AssistantTurn): ToolCallPart[] => turn.content.filter((part) => part.type === "toolCall");

/**
 * Puts each result directly behind the turn with its call, as Chat and Anthropic demand, answers calls that have no result and leaves
 * results out that have no call. Messages that are in order already come back as they are.
 */
export function pairResults(messages: readonly Message[], report: Report): readonly Message[] {
  if (isPaired(messages)) return messages;
  const { owners, orphans } = findOwners(messages);
  const ordered: Message[] = [];
  messages.forEach((message, index) => {
    if (message.role === "toolResult") {
      if (orphans.has(index)) lose(report, "tool_result.orphan", message, isAlone(messages, index) ? "container" : "");
      return;
    }
    if (message.role === "user" && interrupts(messages, index, owners)) lose(report, "turn.moved", message, "role");
    ordered.push(message);
    if (message.role === "assistant") ordered.push(...resultsOf(message, index, messages, owners, report));
  });
  return ordered;
}

/** True where the message is all that its wire container holds. */
function isAlone(messages: readonly Message[], index: number): boolean {
  return messages[index]?.wire?.joined !== true && messages[index + 1]?.wire?.joined !== true;
}

/** True where every turn with calls is followed by exactly its results, and no result stands elsewhere. */
function isPaired(messages: readonly Message[]): boolean {
  let open: Set<string> | undefined;
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (open === undefined || !open.delete(message.toolCallId)) return false;
      continue;
    }
    if (open !== undefined && open.size > 0) return false;
    open = undefined;
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type !== "toolCall") continue;
      open ??= new Set();
      open.add(part.id);
    }
  }
  return open === undefined || open.size === 0;
}

/** For each result the turn whose call it answers; the rest, and second answers, are orphans. */
function findOwners(messages: readonly Message[]): { owners: Map<number, number>; orphans: Set<number> } {
  const turnOf = new Map<string, number>();
  const owners = new Map<number, number>();
  const orphans = new Set<number>();
  messages.forEach((message, index) => {
    if (message.role === "assistant") for (const call of callsOf(message)) turnOf.set(call.id, index);
    if (message.role !== "toolResult") return;
    const turn = turnOf.get(message.toolCallId);
    if (turn === undefined) orphans.add(index);
    else {
      owners.set(index, turn);
      turnOf.delete(message.toolCallId);
    }
  });
  return { owners, orphans };
}

/** True where the message stands between a turn and one of its results, in the same container as the result. */
function interrupts(messages: readonly Message[], index: number, owners: ReadonlyMap<number, number>): boolean {
  for (let later = index + 1; messages[later]?.wire?.joined === true; later++) {
    const owner = owners.get(later);
    if (owner !== undefined && owner < index) return true;
  }
  return false;
}

function resultsOf(
  turn: AssistantTurn,
  index: number,
  messages: readonly Message[],
  owners: ReadonlyMap<number, number>,
  report: Report,
): ToolResultMessage[] {
  const calls = callsOf(turn);
  if (calls.length === 0) return [];
  const missing = new Map(calls.map((call) => [call.id, call]));
  const results: ToolResultMessage[] = [];
  for (const [place, owner] of owners) {
    const result = messages[place];
    if (owner !== index || result?.role !== "toolResult") continue;
    missing.delete(result.toolCallId);
    results.push(result);
    if (isApart(messages, index, place)) lose(report, "tool_result.moved", result, "role");
  }
  for (const call of missing.values()) {
    const result: ToolResultMessage = {
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: missingResultText }],
      isError: true,
    };
    madeUp.add(result);
    results.push(result);
  }
  return results;
}

/** True where something other than results, and other than parts of the result's own container, stands between a turn and its result. */
function isApart(messages: readonly Message[], turn: number, result: number): boolean {
  let start = result;
  while (start > turn + 1 && messages[start]?.wire?.joined === true) start--;
  for (let index = turn + 1; index < start; index++) if (messages[index]?.role !== "toolResult") return true;
  return false;
}
