import type { Linker } from "../codec/protocol.ts";
import type { AssistantMessage, Conversation, Pointer } from "../ir/index.ts";
import { escapeSegment, visitMessage, visitNodes } from "../ir/index.ts";
import type { Trace } from "../loss/index.ts";

/** Where one node of the IR came from and where it went; absent where it has no place. */
export interface TraceEntry {
  readonly irPath: Pointer;
  readonly source?: Pointer;
  readonly target?: Pointer;
}

/** The way of every node from source over IR to target. `encode` writes the target again, and tells what became what. */
export function traceNodes(
  value: Conversation | AssistantMessage,
  decoded: Trace,
  encode: (link: Linker) => object,
): TraceEntry[] {
  const links = new Map<object, object>();
  const body = encode((node, wire) => links.set(node, wire));
  const places = pointersOf(body);
  const entries: TraceEntry[] = [];
  const note = (node: object, irPath: Pointer): void => {
    const source = decoded.pointers.get(node);
    const wire = links.get(node);
    const target = wire === undefined ? undefined : places.get(wire);
    if (source !== undefined || target !== undefined) {
      entries.push({ irPath, ...(source !== undefined && { source }), ...(target !== undefined && { target }) });
    }
  };
  if ("messages" in value) visitNodes(value, note);
  else visitMessage(value, "", note);
  return entries;
}

/** The place of every object and list of a body. */
export function pointersOf(root: object): Map<object, Pointer> {
  const places = new Map<object, Pointer>();
  const visit = (value: unknown, pointer: Pointer): void => {
    if (typeof value !== "object" || value === null || places.has(value)) return;
    places.set(value, pointer);
    for (const [key, item] of Object.entries(value)) visit(item, `${pointer}/${escapeSegment(key)}`);
  };
  visit(root, "");
  return places;
}
