import type { AssistantMessage, Part, ToolCallPart, Usage } from "../../ir/index.ts";

/**
 * What an application sees of an answer while it comes. Events are facts and never change afterwards: what an answer is so far, its stream tells by
 * `snapshot()`. `contentIndex` is the place of a part in the content of the message. Text that comes for a part is never repeated; its end has all
 * of it. After `done` or `error` there is nothing.
 */
export type AssistantMessageEvent =
  /** The service began to answer. The message has no content yet, and `stopReason` "pending". */
  | { readonly type: "start"; readonly message: AssistantMessage }
  | { readonly type: "text_start"; readonly contentIndex: number }
  | { readonly type: "text_delta"; readonly contentIndex: number; readonly delta: string }
  | { readonly type: "text_end"; readonly contentIndex: number; readonly text: string }
  | { readonly type: "thinking_start"; readonly contentIndex: number }
  | { readonly type: "thinking_delta"; readonly contentIndex: number; readonly delta: string }
  | { readonly type: "thinking_end"; readonly contentIndex: number; readonly thinking: string }
  | { readonly type: "refusal_start"; readonly contentIndex: number }
  | { readonly type: "refusal_delta"; readonly contentIndex: number; readonly delta: string }
  | { readonly type: "refusal_end"; readonly contentIndex: number; readonly text: string }
  | { readonly type: "toolcall_start"; readonly contentIndex: number; readonly id: string; readonly name: string }
  /** A piece of the JSON text of the arguments, which is not complete before the end. */
  | { readonly type: "toolcall_delta"; readonly contentIndex: number; readonly delta: string }
  /** The whole call. It may run only when the message is done. */
  | { readonly type: "toolcall_end"; readonly contentIndex: number; readonly toolCall: ToolCallPart }
  /** A part of another kind, as a whole. */
  | { readonly type: "part"; readonly contentIndex: number; readonly part: Part }
  /** All counts so far. They are a snapshot and not added to those before. Several that come at once are told as the last of them. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** The answer is whole. */
  | {
      readonly type: "done";
      readonly reason: "stop" | "length" | "toolUse" | "deferred";
      readonly message: AssistantMessage;
    }
  /** The answer failed or was given up; `error` is the message with what came of it. */
  | { readonly type: "error"; readonly reason: "aborted" | "error"; readonly error: AssistantMessage };
