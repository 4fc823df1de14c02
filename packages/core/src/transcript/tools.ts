import type { FunctionTool, Message, Node, ServerTool, SystemMessage, Tool } from "../ir/index.ts";
import { jsonEqual } from "../ir/index.ts";
import type { Transcript } from "./messages.ts";
import { messagesOf } from "./messages.ts";

/** The name under which a tool is added and withdrawn; hosted tools without a name go by the type that their protocol gives them. */
export function toolName(tool: Tool): string {
  if (tool.type !== "server") return tool.name;
  const type = tool.value["type"];
  return tool.name ?? (typeof type === "string" ? type : tool.protocol);
}

export interface DeclaredTool {
  readonly tool: Tool;
  /** Index of the message that declares it. */
  readonly index: number;
}

/**
 * The tools in force after all messages. In each message withdrawals come before additions; a tool that is declared again takes its new
 * declaration and moves to the end. Hosted tools of the same name stand side by side. The lifetime of a message is that of its instruction:
 * tools stay until they are withdrawn.
 */
export function replayTools(transcript: Transcript): DeclaredTool[] {
  /** By number, ascending; and the numbers by name, so that a change costs no walk over all tools. */
  const current = new Map<number, DeclaredTool>();
  const numbers = new Map<string, number[]>();
  let next = 0;
  const remove = (name: string): void => {
    for (const number of numbers.get(name) ?? []) current.delete(number);
    numbers.delete(name);
  };
  messagesOf(transcript).forEach((message, index) => {
    if (message.role !== "system") return;
    for (const { name } of message.toolsRemoved ?? []) remove(name);
    const added = message.toolsAdded ?? [];
    if (current.size > 0) for (const tool of added) if (tool.type !== "server") remove(toolName(tool));
    for (const tool of added) {
      const name = toolName(tool);
      const same = numbers.get(name);
      if (same === undefined) numbers.set(name, [next]);
      else same.push(next);
      current.set(next++, { tool, index });
    }
  });
  return [...current.values()];
}

/** The tools in force after all messages. */
export function getCurrentTools(transcript: Transcript): Tool[] {
  return replayTools(transcript).map(({ tool }) => tool);
}

/**
 * Every tool that was declared at some time, also those withdrawn since, in the order of their first declaration and with their last one: what
 * is needed to read the calls of a whole history.
 */
export function getDeclaredTools(transcript: Transcript): Tool[] {
  const declared = new Map<string, Tool>();
  for (const message of messagesOf(transcript)) {
    if (message.role !== "system") continue;
    for (const tool of message.toolsAdded ?? []) {
      // Hosted tools of one name stand side by side, and are the same only where they say the same.
      const key = tool.type === "server" ? JSON.stringify([tool.protocol, tool.name, tool.value]) : `:${tool.name}`;
      declared.set(key, tool);
    }
  }
  return [...declared.values()];
}

/** Changes of the tools as a system message states them. */
export type ToolStateChanges = Required<Pick<SystemMessage, "toolsAdded" | "toolsRemoved">>;

/**
 * What a system message must withdraw and add so that the tools are `after` where they were `before`. A tool that changed is withdrawn and
 * added. The order of tools that stay is left alone.
 */
export function getToolStateChanges(before: readonly Tool[], after: readonly Tool[]): ToolStateChanges {
  const [old, current] = [byName(before), byName(after)];
  const isKept = (name: string): boolean => jsonEqual(old.get(name), current.get(name));
  return {
    toolsRemoved: [...old.keys()].filter((name) => !isKept(name)).map((name) => ({ name })),
    toolsAdded: [...current].flatMap(([name, tools]) => (isKept(name) ? [] : tools)),
  };
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> {
  const named = new Map<string, Tool[]>();
  for (const tool of tools) {
    const name = toolName(tool);
    const same = named.get(name);
    if (same === undefined) named.set(name, [toolDeclaration(tool)]);
    else same.push(toolDeclaration(tool));
  }
  return named;
}

const nodeKeys = ["type", "wire", "state", "origin"] as const satisfies readonly (keyof Node | "type")[];
const commonKeys = [...nodeKeys, "name", "cacheBreakpoint", "deferLoading", "allowedCallers", "description"] as const;
const functionKeys = [...commonKeys, "parameters", "strict", "inputExamples", "outputSchema"] as const;
/** The fields of each kind of tool that are part of its declaration. */
const declarationKeys: { readonly [T in Tool["type"]]: ReadonlySet<string> } = {
  function: new Set<keyof FunctionTool>(functionKeys),
  custom: new Set([...commonKeys, "format"]),
  namespace: new Set([...commonKeys, "tools"]),
  server: new Set<keyof ServerTool>([...nodeKeys, "protocol", "name", "value"]),
};

/**
 * What of a tool goes to a model and into a transcript: its whole declaration, and nothing of how it runs, such as `execute`. A tool that is
 * nothing but a declaration is returned as it is.
 */
export function toolDeclaration(tool: Tool): Tool {
  const keys = declarationKeys[tool.type];
  const tools = tool.type === "namespace" ? tool.tools.map(toolDeclaration) : undefined;
  const isSame = tool.type !== "namespace" || tool.tools.every((inner, index) => inner === tools?.[index]);
  const entries = Object.entries(tool);
  const own = entries.filter(([key]) => keys.has(key));
  if (isSame && own.length === entries.length) return tool;
  return { ...Object.fromEntries(own), ...(tools !== undefined && { tools }) } as unknown as Tool;
}

/** A message whose tools are declarations only. */
export function withDeclarations(message: Message): Message {
  if (message.role !== "system" || message.toolsAdded === undefined) return message;
  const toolsAdded = message.toolsAdded.map(toolDeclaration);
  return toolsAdded.every((tool, index) => tool === message.toolsAdded?.[index]) ? message : { ...message, toolsAdded };
}
