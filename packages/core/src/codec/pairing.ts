import type { AssistantTurn, Message, ToolCallPart, ToolResultMessage } from "../ir/index.ts";
import type { Report } from "../loss/index.ts";
import { lose } from "../loss/index.ts";

/** The text of a result that stands in for one that never came. */
const missingResultText = "The call was not answered: the conversation went on without its result.";

const madeUp = new WeakSet<object>();

/** True for a result that stands in for one that never came: it has no place in the source. */
export const isMadeUp = (message: ToolResultMessage): boolean => madeUp.has(message);

/** Reports a result that stands in for one that never came; `object` is what it was written as. True for such a result. */
export function reportMissing(message: ToolResultMessage, object: object, report: Report): boolean {
  if (!madeUp.has(message)) return false;
  lose(report, "tool_result.missing", undefined, "", { made: { object } });
  return true;
}

const callsOf = (turn: AssistantTurn): ToolCallPart[] => turn.content.filter((part) => part.type === "toolCall");

/**
 * Puts each result directly behind the turn with its call, as Chat and Anthropic demand, answers calls that have no result and leaves
 * results out that have no call. Messages that are in order already come back as they are. The work grows with the number of messages and
 * not with the distance of results from their calls, which a client chooses. `joinsTurns`: neighbouring turns of the model count as one, so
 * that results behind the last of them are in order.
 */
export function pairResults(messages: readonly Message[], report: Report, joinsTurns = false): readonly Message[] {
  if (isPaired(messages, joinsTurns)) return messages;
  const { owners, orphans } = findOwners(messages);
  const places = surveyPlaces(messages, owners);
  const ordered: Message[] = [];
  messages.forEach((message, index) => {
    if (message.role === "toolResult") {
      if (orphans.has(index)) lose(report, "tool_result.orphan", message, "container");
      return;
    }
    if (message.role === "user" && interrupts(index, places)) lose(report, "turn.moved", message, "role");
    ordered.push(message);
    if (message.role === "assistant") ordered.push(...resultsOf(message, index, messages, places, report));
  });
  return ordered;
}

/**
 * True where every turn with calls is followed by exactly its results, and no result stands elsewhere. Only sure where it is true: it gives up at
 * turns with so many calls that a list is no good place to look for one.
 */
function isPaired(messages: readonly Message[], joinsTurns: boolean): boolean {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      const place = open.indexOf(message.toolCallId);
      if (place < 0) return false;
      const last = open.pop() as string;
      if (place < open.length) open[place] = last;
      continue;
    }
    if (open.length > 0 && !(joinsTurns && message.role === "assistant")) return false;
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type !== "toolCall" || open.includes(part.id)) continue;
      if (open.length === 20) return false;
      open.push(part.id);
    }
  }
  return open.length === 0;
}

/** True where behind the turns with calls stand as many results, whichever calls they name. */
export function isAnsweredInNumber(messages: readonly Message[]): boolean {
  let open = 0;
  for (const message of messages) {
    if (message.role === "toolResult") open--;
    else if (message.role === "assistant") open += callsOf(message).length;
    else if (open !== 0) return false;
    if (open < 0) return false;
  }
  return open === 0;
}

/** True where each result has a call before it, and each call a result somewhere behind it. */
export function isAnswered(messages: readonly Message[]): boolean {
  const { owners, orphans } = findOwners(messages);
  const calls = new Set(
    messages.flatMap((message) => (message.role === "assistant" ? callsOf(message) : []).map(({ id }) => id)),
  );
  return orphans.size === 0 && owners.size === calls.size;
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

/** What is known of all places after one walk, so that no message has to look for its neighbours. */
interface Places {
  /** For each turn the places of the results that answer its calls. */
  readonly results: ReadonlyMap<number, readonly number[]>;
  /** For each place the first place of its container. */
  readonly starts: readonly number[];
  /** For each place how many messages before it are no results. */
  readonly others: readonly number[];
  /** For each place the earliest turn that a later result of its container answers. */
  readonly earliest: readonly number[];
}

function surveyPlaces(messages: readonly Message[], owners: ReadonlyMap<number, number>): Places {
  const results = new Map<number, number[]>();
  for (const [place, turn] of owners) {
    const list = results.get(turn);
    if (list === undefined) results.set(turn, [place]);
    else list.push(place);
  }
  const starts: number[] = [];
  const others: number[] = [];
  let before = 0;
  messages.forEach((message, index) => {
    starts.push(message.wire?.joined === true ? (starts[index - 1] ?? index) : index);
    others.push(before);
    if (message.role !== "toolResult") before++;
  });
  const earliest = messages.map(() => Number.POSITIVE_INFINITY);
  for (let index = messages.length - 2; index >= 0; index--) {
    if (messages[index + 1]?.wire?.joined !== true) continue;
    earliest[index] = Math.min(
      earliest[index + 1] ?? Number.POSITIVE_INFINITY,
      owners.get(index + 1) ?? Number.POSITIVE_INFINITY,
    );
  }
  return { results, starts, others, earliest };
}

/** True where the message stands between a turn and one of its results, in the same container as the result. */
const interrupts = (index: number, places: Places): boolean =>
  (places.earliest[index] ?? Number.POSITIVE_INFINITY) < index;

function resultsOf(
  turn: AssistantTurn,
  index: number,
  messages: readonly Message[],
  places: Places,
  report: Report,
): ToolResultMessage[] {
  const calls = callsOf(turn);
  if (calls.length === 0) return [];
  const missing = new Map(calls.map((call) => [call.id, call]));
  const results: ToolResultMessage[] = [];
  for (const place of places.results.get(index) ?? []) {
    const result = messages[place];
    if (result?.role !== "toolResult") continue;
    missing.delete(result.toolCallId);
    results.push(result);
    if (isApart(index, place, places)) lose(report, "tool_result.moved", result, "role");
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
function isApart(turn: number, result: number, { starts, others }: Places): boolean {
  const start = Math.max(turn + 1, starts[result] ?? result);
  return (others[start] ?? 0) > (others[turn + 1] ?? 0);
}
