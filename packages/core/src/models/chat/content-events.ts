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

  push(event: StreamEvent): readonly AssistantMessageEvent[] {
    if (event.choice !== undefined && event.choice !== 0) return none;
    switch (event.type) {
      case "part_start":
        return this.#start(event.index, event.part, event.unsettled === true);
      case "text_delta": {
        const kind = this.#open.get(event.index);
        if (event.text === "" || (kind !== "text" && kind !== "refusal")) return none;
        return [{ type: `${kind}_delta`, contentIndex: event.index, delta: event.text }];
      }
      case "thinking_delta":
        return event.text === "" ? none : [{ type: "thinking_delta", contentIndex: event.index, delta: event.text }];
      case "toolcall_delta":
        if (event.text === "" || this.#open.get(event.index) !== "toolcall") return none;
        return [...this.#named(event.index), { type: "toolcall_delta", contentIndex: event.index, delta: event.text }];
      case "part_end":
        return this.#end(event.index);
      case "usage":
        return [{ type: "usage", usage: event.usage }];
      default:
        return none;
    }
  }

  /** The ends of the parts that the service did not end itself. */
  finish(): readonly AssistantMessageEvent[] {
    return [...this.#open.keys()].flatMap((index) => this.#end(index));
  }

  #start(index: number, part: Part, isUnsettled: boolean): readonly AssistantMessageEvent[] {
    const kind = kinds[part.type];
    this.#open.set(index, kind);
    if (isUnsettled && kind === "toolcall") {
      this.#unnamed.add(index);
      return none;
    }
    return kind === undefined ? none : startOf(index, part);
  }

  /** The start of a call that was waiting for its name. */
  #named(index: number): readonly AssistantMessageEvent[] {
    const part = this.#unnamed.delete(index) ? this.#reducer.part(index) : undefined;
    return part === undefined ? none : startOf(index, part);
  }

  #end(index: number): readonly AssistantMessageEvent[] {
    if (!this.#open.delete(index)) return none;
    const start = this.#named(index);
    const part = this.#reducer.part(index);
    return part === undefined ? none : [...start, ...endOf(index, part)];
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
