import type { Part } from "../ir/index.ts";
import type { FieldPointer, Locator } from "../loss/index.ts";
import { locatorIn } from "../loss/index.ts";
import type { StreamEvent, UsageEvent } from "./events.ts";
import { eventPointer } from "./events.ts";

/** Finds the place in a stream of what its events hold. */
export interface Places {
  note(event: StreamEvent): void;
  readonly locate: Locator;
}

/** No node of a stream stands in two places. */
const nothing: ReadonlySet<object> = new Set();
const answer = { role: "assistant" } as const;

/** `fieldPointer` is the one of the protocol that the stream is of. Nodes that nobody holds any more are forgotten. */
export function createPlaces(fieldPointer: FieldPointer): Places {
  return new EventPlaces(fieldPointer);
}

/** A class, because each open stream has one. */
class EventPlaces implements Places {
  readonly #fieldPointer: FieldPointer;
  readonly #pointers = new WeakMap<object, string>();
  #usages: WeakMap<object, UsageEvent["origins"]> | undefined;
  #locate: Locator | undefined;

  constructor(fieldPointer: FieldPointer) {
    this.#fieldPointer = fieldPointer;
  }

  get locate(): Locator {
    this.#locate ??= locatorIn({
      pointers: this.#pointers,
      containers: this.#pointers,
      shared: nothing,
      fieldPointer: (node, field, base) => {
        const isEvent = "at" in node;
        const below = this.#fieldPointer(isEvent ? answer : node, field, base);
        const origins = this.#usages?.get(node);
        if (below === undefined || origins === undefined) return below;
        const slash = below.indexOf("/");
        const origin = origins[slash < 0 ? below : below.slice(0, slash)];
        return origin === undefined ? below : `${origin}/${below}`;
      },
    });
    return this.#locate;
  }

  note(event: StreamEvent): void {
    const pointers = this.#pointers;
    switch (event.type) {
      case "start":
        pointers.set(event.message, eventPointer(event));
        pointers.set(event.message.usage, eventPointer(event, this.#fieldPointer(answer, "usage", "")));
        return;
      case "part_start":
      case "toolcall_name":
        this.#notePart(event.part, eventPointer(event));
        return;
      case "usage":
        pointers.set(event.usage, eventPointer(event));
        if (event.origins !== undefined) {
          this.#usages ??= new WeakMap();
          this.#usages.set(event.usage, event.origins);
        }
        return;
      case "citation":
        pointers.set(event.citation, eventPointer(event));
        return;
      case "stop":
        pointers.set(event, eventPointer(event));
        return;
      default:
        return;
    }
  }

  #notePart(part: Part, pointer: string): void {
    this.#pointers.set(part, pointer);
    if (part.type !== "text") return;
    part.citations?.forEach((citation, index) => {
      this.#pointers.set(citation, `${pointer}/citations/${index}`);
    });
  }
}
