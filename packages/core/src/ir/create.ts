import type { JsonObject } from "./json.ts";
import { isJsonObject } from "./json.ts";
import type {
  AssistantTurn,
  Authority,
  Conversation,
  Message,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "./message.ts";
import type { Node } from "./node.ts";
import type { Part, SystemPart, ToolCallPart } from "./part.ts";
import type { Settings } from "./settings.ts";
import type { FunctionTool, Tool, ToolReference } from "./tool.ts";

/** A tool without `type` is a function tool. */
export type ToolInput = Tool | Omit<FunctionTool, "type">;
/** A function call whose kind, or even whose type, goes without saying. */
export interface CallInput extends Node {
  readonly type?: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}
/** An image whose bytes stand on the part itself, in Base64. */
export interface ImageInput extends Node {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}
/** A string is a text part, a bare `{id, name, arguments}` a function call. */
export type PartInput = string | Part | CallInput | ImageInput;
export type ContentInput = string | readonly PartInput[];

export interface SystemInput
  extends Omit<Partial<SystemMessage>, "role" | "content" | "sections" | "toolsAdded" | "toolsRemoved"> {
  readonly role: "system";
  readonly content?: string | readonly SystemPart[];
  readonly sections?: SystemMessage["sections"] | { readonly [name: string]: string | null };
  readonly toolsAdded?: readonly ToolInput[];
  readonly toolsRemoved?: readonly (string | ToolReference)[];
}
export interface UserInput extends Omit<UserMessage, "content"> {
  readonly content: ContentInput;
}
export interface AssistantInput extends Omit<AssistantTurn, "content"> {
  readonly content: ContentInput;
}
export interface ToolResultInput extends Omit<ToolResultMessage, "content" | "isError"> {
  readonly content: ContentInput;
  readonly isError?: boolean;
}
/** The loose spellings that constructors accept beside the normal form. */
export type MessageInput = Message | SystemInput | UserInput | AssistantInput | ToolResultInput;

export function createTool(tool: ToolInput): Tool {
  return "type" in tool ? tool : { type: "function", ...tool };
}

/** The normal form of a loosely spelled part. */
export function createPart(part: PartInput): Part {
  if (typeof part === "string") return { type: "text", text: part };
  if (part.type === undefined || (part.type === "toolCall" && !("kind" in part))) {
    const { type: _, ...call } = part as CallInput;
    return { type: "toolCall", kind: "function", ...call };
  }
  if (part.type === "image" && "data" in part) {
    const { data, mimeType, ...others } = part;
    return { ...others, source: { type: "base64", mediaType: mimeType, data } };
  }
  return part as Part;
}

/** A string becomes one text part; an empty string becomes no part. */
export function createContent(content: ContentInput): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content.map(createPart);
}

function createSystem(input: SystemInput): SystemMessage {
  const { content, sections, toolsAdded, toolsRemoved, authority, ...others } = input;
  const record = sections !== undefined && !Array.isArray(sections) && isJsonObject(sections);
  return {
    ...others,
    role: "system",
    authority: authority ?? ("system" satisfies Authority),
    content:
      typeof content === "string" || content === undefined
        ? (createContent(content ?? "") as readonly SystemPart[])
        : content,
    ...(sections !== undefined && {
      sections: record
        ? Object.entries(sections as { readonly [name: string]: string | null }).map(([name, text]) => ({ name, text }))
        : (sections as NonNullable<SystemMessage["sections"]>),
    }),
    ...(toolsAdded !== undefined && { toolsAdded: toolsAdded.map(createTool) }),
    ...(toolsRemoved !== undefined && {
      toolsRemoved: toolsRemoved.map((tool) => (typeof tool === "string" ? { name: tool } : tool)),
    }),
  };
}

/** The normal form of a loosely spelled message. */
export function createMessage(input: MessageInput): Message {
  switch (input.role) {
    case "system":
      return createSystem(input as SystemInput);
    case "user":
      return { ...input, content: createContent(input.content) };
    case "assistant":
      return { ...input, content: createContent(input.content) };
    case "toolResult":
      return { ...input, content: createContent(input.content), isError: input.isError ?? false };
  }
}

/** A function call made by the model. */
export function createToolCall(id: string, name: string, input: JsonObject): ToolCallPart {
  return { type: "toolCall", kind: "function", id, name, arguments: input };
}

/** A conversation in normal form from loosely spelled messages. */
export function createConversation(messages: readonly MessageInput[], settings: Settings = {}): Conversation {
  return { messages: messages.map(createMessage), settings };
}
