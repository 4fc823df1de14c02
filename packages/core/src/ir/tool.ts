import type { Json, JsonObject } from "./json.ts";
import type { CacheBreakpoint, Node, ProtocolId } from "./node.ts";

interface ToolNode extends Node {
  readonly cacheBreakpoint?: CacheBreakpoint;
  readonly deferLoading?: boolean;
  /** Who may call the tool, for example "direct" or a code execution tool. */
  readonly allowedCallers?: readonly Json[];
}

/** A tool with JSON Schema parameters that the host runs. */
export interface FunctionTool extends ToolNode {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  readonly inputExamples?: readonly JsonObject[];
  readonly outputSchema?: JsonObject;
}

/** A tool that takes free text, maybe under a grammar. */
export interface CustomTool extends ToolNode {
  readonly type: "custom";
  readonly name: string;
  readonly description?: string;
  readonly format?:
    | { readonly type: "text" }
    | { readonly type: "grammar"; readonly syntax: string; readonly definition: string };
}

export interface NamespaceTool extends ToolNode {
  readonly type: "namespace";
  readonly name: string;
  readonly description: string;
  readonly tools: readonly (FunctionTool | CustomTool)[];
}

/** A tool that the service runs or defines; `value` is its whole declaration on the wire of `protocol`. */
export interface ServerTool extends Node {
  readonly type: "server";
  readonly protocol: ProtocolId;
  readonly name?: string;
  readonly value: JsonObject;
}

export type Tool = FunctionTool | CustomTool | NamespaceTool | ServerTool;

export interface ToolReference extends Node {
  readonly name: string;
}
