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
  const pointers = new WeakMap<object, string>();
  let usages: WeakMap<object, UsageEvent["origins"]> | undefined;
  const locate = locatorIn({
    pointers,
    containers: pointers,
    shared: nothing,
    fieldPointer: (node, field, base) => {
      const isEvent = "at" in node;
      const below = fieldPointer(isEvent ? answer : node, field, base);
      const origins = usages?.get(node);
      if (below === undefined || origins === undefined) return below;
      const slash = below.indexOf("/");
      const origin = origins[slash < 0 ? below : below.slice(0, slash)];
      return origin === undefined ? below : `${origin}/${below}`;
    },
  });
  const notePart = (part: Part, pointer: string): void => {
    pointers.set(part, pointer);
    if (part.type !== "text") return;
    part.citations?.forEach((citation, index) => {
      pointers.set(citation, `${pointer}/citations/${index}`);
    });
  };
  return {
    locate,
    note(event) {
      switch (event.type) {
        case "start":
          pointers.set(event.message, eventPointer(event));
          pointers.set(event.message.usage, eventPointer(event, fieldPointer(answer, "usage", "")));
          return;
        case "part_start":
        case "toolcall_name":
          notePart(event.part, eventPointer(event));
          return;
        case "usage":
          pointers.set(event.usage, eventPointer(event));
          if (event.origins !== undefined) {
            usages ??= new WeakMap();
            usages.set(event.usage, event.origins);
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
    },
  };
}
