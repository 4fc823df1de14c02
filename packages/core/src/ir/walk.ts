import type { Pointer } from "./json.ts";
import type { Conversation, Message } from "./message.ts";
import type { Node } from "./node.ts";
import type { Part } from "./part.ts";
import type { Tool } from "./tool.ts";

/**
 * Called for each node that may carry `wire` or `state`; `pointer` leads to it in the IR. A cache mark, a media source or a usage is a field
 * of another node: `owner` and `field` say which. A walk that starts at null instead of a pointer builds none, which takes half the time.
 */
export type NodeVisitor<P extends Pointer | null = Pointer> = (
  node: Node,
  pointer: P,
  owner?: object,
  field?: string,
) => void;

function below<P extends Pointer | null>(pointer: P, key: string | number): P {
  return (pointer === null ? null : `${pointer}/${key}`) as P;
}

/** Cache marks and media sources carry residue only; they are visited where they have some. */
function visitResidue<P extends Pointer | null>(
  owner: object,
  node: Node | undefined,
  pointer: P,
  field: string,
  visit: NodeVisitor<P>,
): void {
  if (node?.wire !== undefined) visit(node, below(pointer, field), owner, field);
}

function visitList<P extends Pointer | null, T extends Node>(
  nodes: readonly T[] | undefined,
  pointer: P,
  key: string,
  visitOne: (node: T, pointer: P, visit: NodeVisitor<P>) => void,
  visit: NodeVisitor<P>,
): void {
  if (nodes === undefined || nodes.length === 0) return;
  const list = below(pointer, key);
  for (let index = 0; index < nodes.length; index++) visitOne(nodes[index] as T, below(list, index), visit);
}

function visitLeaf<P extends Pointer | null>(node: Node, pointer: P, visit: NodeVisitor<P>): void {
  visit(node, pointer);
}

function visitPart<P extends Pointer | null>(part: Part, pointer: P, visit: NodeVisitor<P>): void {
  visit(part, pointer);
  visitResidue(part, part.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
  switch (part.type) {
    case "text":
      visitList(part.citations, pointer, "citations", visitLeaf<P>, visit);
      return;
    case "image":
    case "audio":
    case "video":
      visitResidue(part, part.source, pointer, "source", visit);
      return;
    case "document":
      visitResidue(part, part.source, pointer, "source", visit);
      if (part.source.type === "content" || part.source.type === "searchResult") {
        visitList(part.source.content, below(pointer, "source"), "content", visitPart<P>, visit);
      }
      return;
    default:
      return;
  }
}

function visitTool<P extends Pointer | null>(tool: Tool, pointer: P, visit: NodeVisitor<P>): void {
  visit(tool, pointer);
  if (tool.type === "server") return;
  visitResidue(tool, tool.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
  if (tool.type === "namespace") visitList<P, Tool>(tool.tools, pointer, "tools", visitTool<P>, visit);
}

/** Visits a message and everything below it. */
export function visitMessage<P extends Pointer | null>(message: Message, pointer: P, visit: NodeVisitor<P>): void {
  visit(message, pointer);
  // Not as other lists are: most nodes are parts, and a call that is known beforehand costs a fraction.
  const { content } = message;
  const list = content.length === 0 ? pointer : below(pointer, "content");
  for (let index = 0; index < content.length; index++) visitPart(content[index] as Part, below(list, index), visit);
  switch (message.role) {
    case "system":
      visitList(message.toolsAdded, pointer, "toolsAdded", visitTool<P>, visit);
      visitList(message.toolsRemoved, pointer, "toolsRemoved", visitLeaf<P>, visit);
      return;
    case "assistant":
      visitResidue(message, message.usage, pointer, "usage", visit);
      visitList<P, Message>(message.alternatives, pointer, "alternatives", visitMessage<P>, visit);
      return;
    case "toolResult":
      visitResidue(message, message.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
      return;
    case "user":
      return;
  }
}

/** Visits the nodes of a conversation that are not its messages'. */
export function visitOwnNodes<P extends Pointer | null>(
  conversation: Conversation,
  visit: NodeVisitor<P>,
  pointer: P,
): void {
  const { settings } = conversation;
  visit(conversation, pointer);
  visitResidue(settings, settings.cache?.breakpoint, below(pointer, "settings"), "cache/breakpoint", visit);
}

/** Visits every node of a conversation, the conversation itself first, in document order. */
export function visitNodes<P extends Pointer | null = Pointer>(
  conversation: Conversation,
  visit: NodeVisitor<P>,
  pointer: P = "" as P,
): void {
  visitOwnNodes(conversation, visit, pointer);
  visitList<P, Message>(conversation.messages, pointer, "messages", visitMessage<P>, visit);
}
