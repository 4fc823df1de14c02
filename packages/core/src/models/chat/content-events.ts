import type { AssistantMessage, Part } from "../../ir/index.ts";
import type { StreamEvent } from "../../stream/events.ts";
import type { Reducer } from "../../stream/reduce.ts";
import type { AssistantMessageEvent } from "./events.ts";

/** Turns the events of a decoder into those of an application. Further candidates of an answer are in its message alone. */
export class ContentEvents {
  readonly #reducer: Reducer;
  /** Parts that have begun and not ended, with the name under which their events go; undefined for those that come as a whole. */
  readonly #open = new Map<number, "text" | "thinking" | "refusal" | "toolcall" | undefined>();
  /** Calls whose names may still grow: they begin when their names are whole. */
  readonly #unnamed = new Set<number>();

  /** The reducer has had each event before it comes here. */
  constructor(reducer: Reducer) {
    this.#reducer = reducer;
  }

  /** Adds what an event says to those that are told. */
  push(event: StreamEvent, told: AssistantMessageEvent[]): void {
    if (event.choice !== undefined && event.choice !== 0) return;
    switch (event.type) {
      case "part_start":
        this.#start(event.index, event.part, event.unsettled === true, told);
        return;
      case "text_delta": {
        const kind = this.#open.get(event.index);
        if (event.text !== "" && (kind === "text" || kind === "refusal"))
          told.push({ type: `${kind}_delta`, contentIndex: event.index, delta: event.text });
        return;
      }
      case "thinking_delta":
        if (event.text !== "") told.push({ type: "thinking_delta", contentIndex: event.index, delta: event.text });
        return;
      case "toolcall_delta":
        if (event.text === "" || this.#open.get(event.index) !== "toolcall") return;
        this.#name(event.index, told);
        told.push({ type: "toolcall_delta", contentIndex: event.index, delta: event.text });
        return;
      case "part_end":
        this.#end(event.index, told);
    }
  }

  /** Adds the ends of the parts that the service did not end itself. */
  finish(told: AssistantMessageEvent[]): void {
    for (const index of [...this.#open.keys()]) this.#end(index, told);
  }

  #start(index: number, part: Part, isUnsettled: boolean, told: AssistantMessageEvent[]): void {
    const kind = kinds[part.type];
    this.#open.set(index, kind);
    if (isUnsettled && kind === "toolcall") this.#unnamed.add(index);
    else if (kind !== undefined) told.push(...startOf(index, part));
  }

  /** The start of a call that was waiting for its name. */
  #name(index: number, told: AssistantMessageEvent[]): void {
    const part = this.#unnamed.delete(index) ? this.#reducer.part(index) : undefined;
    if (part !== undefined) told.push(...startOf(index, part));
  }

  #end(index: number, told: AssistantMessageEvent[]): void {
    if (!this.#open.delete(index)) return;
    this.#name(index, told);
    const part = this.#reducer.part(index);
    if (part !== undefined) told.push(...endOf(index, part));
  }
}

const none: readonly AssistantMessageEvent[] = [];

const kinds: { readonly [type: string]: "text" | "thinking" | "refusal" | "toolcall" } = {
  text: "text",
  thinking: "thinking",
  refusal: "refusal",
  toolCall: "toolcall",
};

function startOf(contentIndex: number, part: Part): readonly AssistantMessageEvent[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === ""
        ? [{ type: `${part.type}_start`, contentIndex }]
        : [
            { type: `${part.type}_start`, contentIndex },
            { type: `${part.type}_delta`, contentIndex, delta: part.text },
          ];
    case "thinking":
      return part.thinking === ""
        ? [{ type: "thinking_start", contentIndex }]
        : [
            { type: "thinking_start", contentIndex },
            { type: "thinking_delta", contentIndex, delta: part.thinking },
          ];
    case "toolCall":
      return [{ type: "toolcall_start", contentIndex, id: part.id, name: part.name }];
    default:
      return none;
  }
}

function endOf(contentIndex: number, part: Part): readonly AssistantMessageEvent[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return [{ type: `${part.type}_end`, contentIndex, text: part.text }];
    case "thinking":
      return [{ type: "thinking_end", contentIndex, thinking: part.thinking }];
    case "toolCall":
      return [{ type: "toolcall_end", contentIndex, toolCall: part }];
    default:
      return [{ type: "part", contentIndex, part }];
  }
}

/** The events of an answer that came as a whole, between its start and its end. */
export function eventsOfMessage({ content, usage }: AssistantMessage): readonly AssistantMessageEvent[] {
  const parts = content.flatMap((part, index) => {
    const start = startOf(index, part);
    const isCall = part.type === "toolCall";
    const delta = isCall ? (part.argumentsText ?? JSON.stringify(part.arguments)) : "";
    return [
      ...start,
      ...(delta === "" ? none : [{ type: "toolcall_delta" as const, contentIndex: index, delta }]),
      ...endOf(index, part),
    ];
  });
  return [...parts, { type: "usage", usage }];
}
