import { changesTerms, freeText, namesOf } from "../../codec/client-terms.ts";
import type { Exchange, ToolCallPart } from "../../ir/index.ts";
import type { LossDraft } from "../../loss/index.ts";
import type { PartStartEvent, StreamEvent, ToolCallDeltaEvent } from "../events.ts";
import { eventPointer } from "../events.ts";

interface HeldCall {
  start: PartStartEvent;
  readonly deltas: ToolCallDeltaEvent[];
}

/** Brings the names of a stream back to those that the client sent: renamed tools, and custom tools that went as functions. */
export function createTermRestorer(
  exchange: Exchange | undefined,
  losses: LossDraft[],
): (events: readonly StreamEvent[]) => readonly StreamEvent[] {
  if (exchange === undefined || !changesTerms(exchange)) return (events) => events;
  const { toolNames: names = {}, namespaces = {} } = exchange;
  const custom = new Set(exchange.customTools);
  const sent = [...Object.keys(names), ...Object.keys(namespaces), ...custom];
  /** Calls of custom tools, held until their arguments are whole. */
  const held = new Map<string, HeldCall>();
  /** Calls whose name may become one of those that were sent, held until it is whole. */
  const unnamed = new Map<string, HeldCall>();
  const keyOf = (event: { readonly index: number; readonly choice?: number }) => `${event.choice ?? 0}/${event.index}`;

  const begin = (event: PartStartEvent, part: ToolCallPart): readonly StreamEvent[] => {
    const name = Object.hasOwn(names, part.name) ? (names[part.name] as string) : part.name;
    const start: PartStartEvent = { ...event, part: { ...part, ...namesOf(name, exchange) } };
    if (part.kind !== "function" || !custom.has(name)) return [start];
    held.set(keyOf(start), { start, deltas: [] });
    return [];
  };
  const name = (call: HeldCall): readonly StreamEvent[] => {
    unnamed.delete(keyOf(call.start));
    const { unsettled: _settled, ...start } = call.start;
    return [...begin(start, start.part as ToolCallPart), ...call.deltas.flatMap(restore)];
  };
  const restore = (event: StreamEvent): readonly StreamEvent[] => {
    if (event.type === "part_start" && event.part.type === "toolCall") {
      const { part } = event;
      if (event.unsettled !== true || !sent.some((item) => item !== part.name && item.startsWith(part.name)))
        return begin(event, part);
      unnamed.set(keyOf(event), { start: event, deltas: [] });
      return [];
    }
    if (event.type !== "toolcall_name" && event.type !== "toolcall_delta" && event.type !== "part_end") return [event];
    const waiting = unnamed.get(keyOf(event));
    const call = waiting ?? held.get(keyOf(event));
    if (call === undefined) return [event];
    switch (event.type) {
      case "toolcall_name":
        call.start = { ...call.start, part: event.part };
        return [];
      case "toolcall_delta":
        if (waiting !== undefined && event.text !== "") return [...name(waiting), ...restore(event)];
        call.deltas.push(event);
        return [];
      case "part_end":
        if (waiting !== undefined) return [...name(waiting), ...restore(event)];
        held.delete(keyOf(event));
        return [...released(call, losses), event];
    }
  };
  return (events) => events.flatMap(restore);
}

/** A custom call with its free text in one piece. */
function released({ start, deltas }: HeldCall, losses: LossDraft[]): StreamEvent[] {
  const part = start.part as ToolCallPart;
  const { text, exact } = freeText(undefined, deltas.map((delta) => delta.text).join(""));
  const last = deltas.at(-1);
  if (!exact) losses.push({ code: "tool_call.free_text", stage: "decode", path: eventPointer(last ?? start) });
  const { arguments: _object, ...others } = part;
  return [
    { ...start, part: { ...others, kind: "custom", argumentsText: "" } },
    ...deltas.map((delta) => ({ ...delta, text: delta === last ? text : "" })),
  ];
}
