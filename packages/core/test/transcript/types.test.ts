import type {
  Api,
  AssistantMessage,
  ContextInput,
  ImageContent,
  Message,
  ProtocolId,
  ProviderId,
  StopReason,
  SystemMessage,
  TextContent,
  ThinkingContent,
  Tool,
  ToolCall,
  ToolReference,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "@rolecall/core";
import { normalizeContext } from "@rolecall/core";
import { expectTypeOf, test } from "vitest";
import type { request } from "./samples.ts";

/** The shapes by which applications know the messages, their lists read-only. */
interface KnownAssistant {
  role: "assistant";
  content: readonly (TextContent | ThinkingContent | ToolCall)[];
  api: Api;
  provider: ProviderId;
  model: string;
  usage: KnownUsage;
  stopReason: StopReason;
  timestamp: number;
}
interface KnownSystem {
  role: "system";
  content: string | readonly TextContent[];
  /** Complete definitions of tools that become available at this point. */
  toolsAdded?: readonly Tool[];
  /** Tools that stop being available at this point. */
  toolsRemoved?: readonly ToolReference[];
  timestamp: number;
}
interface KnownUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h?: number;
  reasoning?: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}
interface KnownTool {
  name: string;
  description: string;
  parameters: { type: "object"; properties: { path: { type: "string" } }; required: string[] };
  execute(): Promise<string>;
}
interface KnownCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: { path: string };
  thoughtSignature?: string;
}
interface KnownThinking {
  type: "thinking";
  thinking: string;
  thinkingSignature?: string;
  redacted?: boolean;
}
interface KnownText {
  type: "text";
  text: string;
  textSignature?: string;
}
interface KnownImage {
  type: "image";
  data: string;
  mimeType: string;
}

test("the union of messages is that of four roles", () => {
  expectTypeOf<Message["role"]>().toEqualTypeOf<"system" | "user" | "assistant" | "toolResult">();
  expectTypeOf<SystemMessage | UserMessage | AssistantMessage | ToolResultMessage>().toExtend<Message>();
  expectTypeOf<StopReason>().toEqualTypeOf<
    "pending" | "stop" | "length" | "toolUse" | "error" | "aborted" | "deferred"
  >();
});

test("the known shapes are messages", () => {
  expectTypeOf<KnownAssistant>().toExtend<AssistantMessage>();
  expectTypeOf<KnownUsage>().toExtend<Usage>();
  expectTypeOf<Omit<KnownAssistant, "content" | "usage">>().toExtend<Omit<AssistantMessage, "content" | "usage">>();
  expectTypeOf<AssistantMessage["timestamp"]>().toEqualTypeOf<number>();
  expectTypeOf<KnownCall["arguments"]>().toExtend<NonNullable<ToolCall["arguments"]>>();
});

test("the known names are those of the types", () => {
  expectTypeOf<Api>().toEqualTypeOf<ProtocolId>();
  expectTypeOf<ProviderId>().toEqualTypeOf<string>();
  expectTypeOf<TextContent["type"] | ThinkingContent["type"] | ToolCall["type"] | ImageContent["type"]>().toEqualTypeOf<
    "text" | "thinking" | "toolCall" | "image"
  >();
});

test("everything that applications keep may be given to normalizeContext", () => {
  expectTypeOf<readonly (KnownSystem | KnownAssistant)[]>().toExtend<ContextInput["messages"]>();
  expectTypeOf<readonly Message[]>().toExtend<ContextInput["messages"]>();
  expectTypeOf<readonly KnownTool[]>().toExtend<NonNullable<ContextInput["tools"]>>();
  expectTypeOf<typeof request>().toExtend<ContextInput["messages"]>();
  const content: (KnownText | KnownThinking | KnownCall)[] = [{ type: "text", text: "hi" }];
  const images: (KnownText | KnownImage)[] = [{ type: "image", data: "aGk=", mimeType: "image/png" }];
  normalizeContext({
    systemPrompt: "A",
    messages: [
      { role: "user", content: images },
      { role: "assistant", content, api: "openai-completions", usage: { input: 1 } },
      { role: "assistant", content: [{ id: "a", name: "read", arguments: {} }], api: "google-generative-ai" },
    ],
  });
  // @ts-expect-error: a role that no model knows
  expectTypeOf(normalizeContext).toBeCallableWith({ messages: [{ role: "notice", content: "" }] });
});
