import type { Conversation, EffectiveInstruction, Message, Part, ToolResultMessage } from "@rolecall/core";
import { effectiveInstructions, loadProtocol, readModelPath, replayTools, toolName } from "@rolecall/core";
import type { ModelExchange } from "@rolecall/core/models";

/** A tool that the model could call, and which message declared it. */
export interface ReceivedTool {
  readonly name: string;
  readonly description: string;
  readonly index: number;
}

/** A call of the history, and what became of it. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** Index of the message that made it. */
  readonly index: number;
  /** Absent where the model got no result. */
  readonly result?: { readonly index: number; readonly isError: boolean };
}

/** What a model really received, as its request says it. */
export interface Received {
  readonly conversation: Conversation;
  readonly instructions: readonly EffectiveInstruction[];
  readonly tools: readonly ReceivedTool[];
  readonly messages: readonly Message[];
  readonly calls: readonly ReceivedCall[];
}

/** Reads the request of an exchange as its service does. Throws a DecodeError for one that cannot be read. */
export async function receivedBy({ api, request }: ModelExchange): Promise<Received> {
  const protocol = await loadProtocol(api);
  const url = readModelPath(new URL(request.url).pathname);
  const { value } = protocol.decodeRequest({ body: request.body, ...(url !== undefined && { url }) });
  const { messages } = value;
  return {
    conversation: value,
    instructions: effectiveInstructions(messages).filter(({ replacedBy }) => replacedBy === undefined),
    tools: replayTools(messages).map(({ tool, index }) => ({
      name: toolName(tool),
      description: "description" in tool && typeof tool.description === "string" ? tool.description : "",
      index,
    })),
    messages,
    calls: callsIn(messages),
  };
}

function callsIn(messages: readonly Message[]): ReceivedCall[] {
  const results = new Map<string, { readonly index: number; readonly message: ToolResultMessage }>();
  messages.forEach((message, index) => {
    if (message.role === "toolResult") results.set(message.toolCallId, { index, message });
  });
  return messages.flatMap((message, index) =>
    message.role !== "assistant"
      ? []
      : (message.content as readonly Part[]).flatMap((part) => {
          if (part.type !== "toolCall") return [];
          const { id, name } = part;
          const found = results.get(id);
          const result = found && { index: found.index, isError: found.message.isError };
          return [{ id, name, index, ...(result !== undefined && { result }) }];
        }),
  );
}

/** Up to which message two requests say the same; as many as the shorter has where they differ nowhere before its end. */
export function sharedMessages(left: Received, right: Received): number {
  const most = Math.min(left.messages.length, right.messages.length);
  for (let index = 0; index < most; index++)
    if (JSON.stringify(left.messages[index]) !== JSON.stringify(right.messages[index])) return index;
  return most;
}
