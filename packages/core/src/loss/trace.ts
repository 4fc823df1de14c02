import type { Conversation, Message, Node, Pointer } from "../ir/index.ts";
import { escapeSegment, visitMessage, visitOwnNodes } from "../ir/index.ts";
import type { Locator } from "./report.ts";

/**
 * The pointer of a field below its node's wire object, without a leading slash; "" is the node itself; with a leading slash it counts from the
 * root; undefined where the wire has none. `base` is the node's own pointer.
 */
export type FieldPointer = (node: object, field: string, base: Pointer) => string | undefined;

interface Places {
  get(node: object): Pointer | undefined;
}

interface Pointers extends Places {
  copy(): Pointers;
  /** The pointers of these nodes alone, which costs less than to know all. */
  only(nodes: ReadonlySet<object>): Places;
  /** `item` is a key below the pointer that needs no escapes. */
  set(node: object, pointer: Pointer, item?: string | number): void;
}

interface Nodes {
  copy(): Nodes;
  has(node: object): boolean;
  add(node: object): unknown;
}

/** Where each node of a decoded value came from. */
export interface Trace {
  readonly pointers: Pointers;
  /** The container of nodes that open one, where it is another object than their own. */
  readonly containers: Pointers;
  /** Nodes that open a container which holds others as well. */
  readonly shared: Nodes;
  readonly fieldPointer: FieldPointer;
}

export function createTrace(fieldPointer: FieldPointer): Trace {
  return { pointers: new NotedPointers(), containers: new NotedPointers(), shared: new NotedNodes(), fieldPointer };
}

/** A trace that goes on where another stood. */
export function copyTrace({ pointers, containers, shared, fieldPointer }: Trace): Trace {
  return { pointers: pointers.copy(), containers: containers.copy(), shared: shared.copy(), fieldPointer };
}

/** Most bodies have no container that holds several nodes. */
class NotedNodes implements Nodes {
  #nodes: Set<object> | undefined;

  copy(): NotedNodes {
    const copy = new NotedNodes();
    if (this.#nodes !== undefined) copy.#nodes = new Set(this.#nodes);
    return copy;
  }

  has(node: object): boolean {
    return this.#nodes?.has(node) === true;
  }

  add(node: object): void {
    this.#nodes ??= new Set();
    this.#nodes.add(node);
  }
}

/** A small body fills the first page; the others are for large ones. */
const firstPage = 3 * 6;
const pageSize = 3 * 60;

/** So often the pages are searched; whoever asks more often than that gets a map. */
const mostSearches = 4;

/**
 * Every node of every body is noted, and most bodies lose nothing or little, so that hardly anybody asks: the map, and the pointers of items, are
 * made for those who do. Until then three slots are filled for each node, in pages, because an array that grows is copied again and again.
 */
class NotedPointers implements Pointers {
  /** The pages before the last one. */
  #full: unknown[][] | undefined;
  #page: unknown[] | undefined;
  #used = 0;
  #searches = 0;
  #known: Map<object, Pointer> | undefined;

  copy(): NotedPointers {
    const copy = new NotedPointers();
    // Full pages do not change any more.
    if (this.#full !== undefined) copy.#full = [...this.#full];
    if (this.#page !== undefined) copy.#page = [...this.#page];
    copy.#used = this.#used;
    if (this.#known !== undefined) copy.#known = new Map(this.#known);
    return copy;
  }

  get(node: object): Pointer | undefined {
    if (this.#known === undefined) {
      if (this.#searches++ < mostSearches) return this.#search(node);
      this.#known = this.#collect();
    }
    return this.#known.get(node);
  }

  only(nodes: ReadonlySet<object>): Places {
    return this.#known ?? (this.#searches + nodes.size <= mostSearches ? this : this.#collect(nodes));
  }

  set(node: object, pointer: Pointer, item?: string | number): void {
    if (this.#known !== undefined) {
      this.#known.set(node, joined(pointer, item));
      return;
    }
    const page = this.#page !== undefined && this.#used < this.#page.length ? this.#page : this.#turn();
    page[this.#used++] = node;
    page[this.#used++] = pointer;
    page[this.#used++] = item;
  }

  #turn(): unknown[] {
    if (this.#page !== undefined) {
      this.#full ??= [];
      this.#full.push(this.#page);
    }
    const page = new Array(this.#page === undefined ? firstPage : pageSize);
    this.#page = page;
    this.#used = 0;
    return page;
  }

  /** From the end: of a node that was noted twice, the second place counts. */
  #search(node: object): Pointer | undefined {
    const full = this.#full ?? noPages;
    for (let number = full.length; number >= 0; number--) {
      const page = number === full.length ? this.#page : full[number];
      if (page === undefined) return undefined;
      const used = number === full.length ? this.#used : page.length;
      for (let slot = used - 3; slot >= 0; slot -= 3)
        if (page[slot] === node)
          return joined(page[slot + 1] as Pointer, page[slot + 2] as string | number | undefined);
    }
    return undefined;
  }

  #collect(nodes?: ReadonlySet<object>): Map<object, Pointer> {
    const found = new Map<object, Pointer>();
    const full = this.#full ?? noPages;
    const most = nodes?.size ?? Number.POSITIVE_INFINITY;
    // From the end, as in a search; what is wanted of a body that goes on is wanted of what is new.
    for (let number = full.length; number >= 0 && found.size < most; number--) {
      const page = number === full.length ? this.#page : full[number];
      if (page !== undefined) collectPage(page, number === full.length ? this.#used : page.length, nodes, found);
    }
    return found;
  }
}

const noPages: readonly unknown[][] = [];

function collectPage(
  page: readonly unknown[],
  used: number,
  nodes: ReadonlySet<object> | undefined,
  found: Map<object, Pointer>,
): void {
  for (let slot = used - 3; slot >= 0; slot -= 3) {
    const node = page[slot] as object;
    if (nodes?.has(node) !== false && !found.has(node))
      found.set(node, joined(page[slot + 1] as Pointer, page[slot + 2] as string | number | undefined));
  }
}

const joined = (pointer: Pointer, item: string | number | undefined): Pointer =>
  item === undefined ? pointer : `${pointer}/${item}`;

const none = {
  copy: () => none,
  get: () => undefined,
  only: () => none,
  set: () => {},
  has: () => false,
  add: () => {},
};

/** A trace that notes nothing, for nodes whose places are known otherwise. */
export function createBlindTrace(fieldPointer: FieldPointer): Trace {
  return { pointers: none, containers: none, shared: none, fieldPointer };
}

/** How a field begins that is residue, and whose it is: undefined for the node itself. */
interface Residue {
  readonly owner: string | undefined;
  readonly part: "rest" | "form";
}

/**
 * Residue of a node, or of the mark, source or usage that it holds. Only these hold some: elsewhere "rest:" is part of a name that a client
 * chose.
 */
const residues: ReadonlyMap<string, Residue> = new Map(
  (["rest", "form"] as const).flatMap((part) => [
    [part, { owner: undefined, part }],
    ...["cacheBreakpoint", "source", "usage", "cache/breakpoint"].map((owner): [string, Residue] => [
      `${owner}/${part}`,
      { owner, part },
    ]),
  ]),
);

/**
 * The place in the source of a node's field. Residue is addressed as `rest:POINTER` or `form:POINTER`, that of its container as
 * `group:POINTER`. `container` is the container itself where the node is all that it holds.
 */
export function traceLocator(trace: Trace, nodes?: ReadonlySet<object>): Locator {
  if (nodes === undefined) return locatorIn(trace);
  const { pointers, containers, shared, fieldPointer } = trace;
  return locatorIn({ pointers: pointers.only(nodes), containers, shared, fieldPointer });
}

/** The same for places that are known otherwise. */
export function locatorIn(trace: {
  readonly pointers: Places;
  readonly containers: Places;
  readonly shared: Pick<Nodes, "has">;
  readonly fieldPointer: FieldPointer;
}): Locator {
  return (node, field) => {
    const base = trace.pointers.get(node);
    if (base === undefined) return undefined;
    if (field === "") return base;
    const colon = field.indexOf(":");
    const residue = colon < 0 ? undefined : residues.get(field.slice(0, colon));
    if (residue !== undefined) {
      const owner = residue.owner === undefined ? base : placeOf(trace, node, residue.owner, base);
      return owner === undefined ? undefined : `${owner}/${field.slice(colon + 1)}`;
    }
    if (field === "container") return trace.shared.has(node) ? base : (trace.containers.get(node) ?? base);
    if (field.startsWith("group:")) return `${trace.containers.get(node) ?? base}/${field.slice(6)}`;
    return placeOf(trace, node, field, base);
  };
}

function placeOf(trace: Pick<Trace, "fieldPointer">, node: object, field: string, base: Pointer): Pointer | undefined {
  const below = trace.fieldPointer(node, field, base);
  if (below === undefined) return undefined;
  if (below === "") return base;
  return below.startsWith("/") ? below : `${base}/${below}`;
}

/** The place in the IR of a node's field. `nodes` are all that will be asked for, where they are known. */
export function irLocator(value: Conversation | Message, nodes?: ReadonlySet<object>): Locator {
  let pointers: Map<object, Pointer> | undefined;
  return (node, field) => {
    let base: Pointer | undefined = "";
    if (node !== value) {
      pointers ??= irPointers(value, nodes);
      base = pointers.get(node);
    }
    if (base === undefined) return undefined;
    if (field === "" || field === "whole") return base;
    if (field === "container") return base;
    if (field === "repeated") return `${base}/wire/form/repeated`;
    const colon = field.indexOf(":");
    const residue = colon < 0 ? undefined : residues.get(field.slice(0, colon));
    if (residue !== undefined) {
      const owner = residue.owner === undefined ? base : `${base}/${residue.owner}`;
      return `${owner}/wire/${residue.part}/${escapeSegment(field.slice(colon + 1))}`;
    }
    if (field.startsWith("group:")) return `${base}/wire/group/rest/${escapeSegment(field.slice(6))}`;
    if (field.startsWith("state:")) return `${base}/state/${field.slice(6)}`;
    return `${base}/${field}`;
  };
}

function irPointers(value: Conversation | Message, nodes: ReadonlySet<object> | undefined): Map<object, Pointer> {
  const pointers = new Map<object, Pointer>();
  const note = (node: Node, pointer: Pointer): void => {
    if (nodes?.has(node) !== false) pointers.set(node, pointer);
  };
  if (!("messages" in value)) {
    visitMessage(value, "", note);
    return pointers;
  }
  // The conversation and its settings are always there.
  const most =
    nodes === undefined
      ? Number.POSITIVE_INFINITY
      : nodes.size + (nodes.has(value) ? 0 : 1) + (nodes.has(value.settings) ? 0 : 1);
  visitOwnNodes(value, note, "");
  pointers.set(value, "");
  pointers.set(value.settings, "/settings");
  const { messages } = value;
  let isHit = nodes === undefined;
  const seek = (node: object): void => {
    if (nodes?.has(node) === true) isHit = true;
  };
  // From the end, because what is wanted of a conversation that goes on is wanted of what is new.
  for (let index = messages.length - 1; index >= 0 && pointers.size < most; index--) {
    const message = messages[index] as Message;
    // Pointers are made for messages that something is wanted of; most are not.
    if (nodes !== undefined) {
      isHit = false;
      visitMessage(message, null, seek);
    }
    if (isHit) visitMessage(message, `/messages/${index}`, note);
  }
  return pointers;
}
