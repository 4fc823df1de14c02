import type { Pointer } from "./json.ts";
import type { Conversation, Message } from "./message.ts";
import type { Node } from "./node.ts";
import type { Part } from "./part.ts";
import type { Tool, ToolReference } from "./tool.ts";

/**
 * Called for each node that may carry `wire` or `state`; `pointer` leads to it in the IR. A cache mark, a media source or a usage is a field
 * of another node: `owner` and `field` say which.
 */
export type NodeVisitor = (node: Node, pointer: Pointer, owner?: object, field?: string) => void;

/** Cache marks and media sources carry residue only; they are visited where they have some. */
function visitResidue(
  owner: object,
  node: Node | undefined,
  pointer: Pointer,
  field: string,
  visit: NodeVisitor,
): void {
  if (node?.wire !== undefined) visit(node, `${pointer}/${field}`, owner, field);
}

function visitAll<T extends Node>(
  nodes: readonly T[] | undefined,
  pointer: Pointer,
  visit: (node: T, pointer: Pointer) => void,
): void {
  if (nodes === undefined) return;
  for (let index = 0; index < nodes.length; index++) visit(nodes[index] as T, `${pointer}/${index}`);
}

function visitPart(part: Part, pointer: Pointer, visit: NodeVisitor): void {
  visit(part, pointer);
  visitResidue(part, part.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
  switch (part.type) {
    case "text":
      visitAll(part.citations, `${pointer}/citations`, visit);
      return;
    case "image":
    case "audio":
    case "video":
      visitResidue(part, part.source, pointer, "source", visit);
      return;
    case "document":
      visitResidue(part, part.source, pointer, "source", visit);
      if (part.source.type === "content" || part.source.type === "searchResult") {
        visitAll(part.source.content, `${pointer}/source/content`, (inner, place) => visitPart(inner, place, visit));
      }
      return;
    default:
      return;
  }
}

function visitTool(tool: Tool, pointer: Pointer, visit: NodeVisitor): void {
  visit(tool, pointer);
  if (tool.type === "server") return;
  visitResidue(tool, tool.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
  if (tool.type === "namespace") {
    visitAll<Tool>(tool.tools, `${pointer}/tools`, (inner, place) => visitTool(inner, place, visit));
  }
}

/** Visits a message and everything below it. */
export function visitMessage(message: Message, pointer: Pointer, visit: NodeVisitor): void {
  visit(message, pointer);
  visitAll<Part>(message.content, `${pointer}/content`, (part, place) => visitPart(part, place, visit));
  switch (message.role) {
    case "system":
      visitAll(message.toolsAdded, `${pointer}/toolsAdded`, (tool, place) => visitTool(tool, place, visit));
      visitAll<ToolReference>(message.toolsRemoved, `${pointer}/toolsRemoved`, visit);
      return;
    case "assistant":
      visitResidue(message, message.usage, pointer, "usage", visit);
      visitAll<Message>(message.alternatives, `${pointer}/alternatives`, (other, place) =>
        visitMessage(other, place, visit),
      );
      return;
    case "toolResult":
      visitResidue(message, message.cacheBreakpoint, pointer, "cacheBreakpoint", visit);
      return;
    case "user":
      return;
  }
}

/** Visits every node of a conversation, the conversation itself first, in document order. */
export function visitNodes(conversation: Conversation, visit: NodeVisitor): void {
  visit(conversation, "");
  visitResidue(conversation.settings, conversation.settings.cache?.breakpoint, "/settings", "cache/breakpoint", visit);
  visitAll<Message>(conversation.messages, "/messages", (message, place) => visitMessage(message, place, visit));
}
