import { EncodeError } from "../../../errors/index.ts";
import type { JsonObject, Message, SystemMessage, UserMessage } from "../../../ir/index.ts";
import { copyOf, lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

const protocol = "anthropic-messages";

/** Text of the turns that the API demands and the conversation does not have. */
export const firstUserText = "(The conversation begins with the assistant.)";
export const continueText = "Continue.";

/** Instructions before the conversation, and the turns with those instructions that can stay among them. */
export function arrangeInstructions(
  messages: readonly Message[],
  writer: Writer,
): { readonly instructions: readonly SystemMessage[]; readonly turns: readonly Message[] } {
  const instructions: SystemMessage[] = [];
  const turns: Message[] = [];
  let waiting: SystemMessage[] = [];
  let leading = 0;
  const deferred = new Set<SystemMessage>();
  let changed = false;
  const release = (): void => {
    turns.push(...waiting);
    waiting = [];
  };
  const move = (message: SystemMessage, code: "instruction.moved" | "instruction.deferred"): void => {
    lose(writer.report, code, message, "role");
    if (!changed) lose(writer.report, "cache.prefix_changed", message, "role");
    changed = true;
  };
  for (const message of messages) {
    if (message.role !== "system") {
      if (message.role === "assistant") release();
      for (const held of waiting) {
        if (!deferred.has(held)) move(held, "instruction.deferred");
        deferred.add(held);
      }
      turns.push(message);
      continue;
    }
    if (message.effort !== undefined && !(writer.target.midConversationSystem && turns.length > 0)) {
      lose(writer.report, "instruction.effort", message, "effort");
    }
    if (!hasText(message)) continue;
    if (message.authority === "user" || message.authority === "guideline") {
      if (message.authority === "guideline") lose(writer.report, "instruction.lowered", message, "role");
      turns.push(asUser(message));
      continue;
    }
    if (message.authority !== "system") {
      lose(writer.report, "instruction.authority", message, "role", {
        values: { authority: message.authority, sent: "system" },
      });
    }
    if (turns.length === 0) {
      instructions.push(message);
      leading = instructions.length;
    } else if (canStay(message, turns, waiting, writer)) waiting.push(withoutTools(message));
    else {
      move(message, "instruction.moved");
      instructions.push(message);
    }
    if (
      message.lifetime !== undefined &&
      message.lifetime !== "always" &&
      !waiting.some((held) => held.wire === message.wire)
    ) {
      lose(writer.report, "instruction.lifetime", message, "lifetime");
    }
  }
  release();
  // Blocks of one list: each keeps its text, but they are one instruction.
  if (turns.length > 0)
    for (const message of instructions.slice(1, leading)) lose(writer.report, "turn.merged", message, "role");
  return lowerWithoutTurns(instructions, turns, writer);
}

const hasText = (message: SystemMessage): boolean =>
  message.content.length > 0 || message.sections?.some((section) => section.text !== null) === true;

/** Tools are declared with the request; only text stays within the conversation. */
function withoutTools(message: SystemMessage): SystemMessage {
  if (message.toolsAdded === undefined && message.toolsRemoved === undefined) return message;
  const { toolsAdded: _added, toolsRemoved: _removed, ...rest } = message;
  return copyOf(message, rest);
}

/** The API takes a system message after a user turn, before the model's next turn, and never two in a row. */
function canStay(
  message: SystemMessage,
  turns: readonly Message[],
  waiting: readonly SystemMessage[],
  writer: Writer,
): boolean {
  if (!writer.target.midConversationSystem || waiting.length > 0) return false;
  return turns.at(-1)?.role !== "system" && message.content.every((part) => part.type === "text");
}

function asUser(message: SystemMessage): UserMessage {
  const { content, origin } = message;
  return copyOf(message, { role: "user", content, ...(origin !== undefined && { origin }) });
}

/** Without any turn the API has nothing to answer: the instructions are sent as one, with less authority, and reported. */
function lowerWithoutTurns(
  instructions: readonly SystemMessage[],
  turns: readonly Message[],
  writer: Writer,
): { readonly instructions: readonly SystemMessage[]; readonly turns: readonly Message[] } {
  if (turns.length > 0) return { instructions, turns };
  if (instructions.length === 0) {
    throw new EncodeError(
      "/messages",
      `${protocol} needs at least one message, and the conversation has none: add a user message`,
    );
  }
  for (const message of instructions) lose(writer.report, "instruction.lowered", message, "role");
  return { instructions: [], turns: instructions.map(asUser) };
}

/** The turns, with a user turn first and, where the model cannot continue an answer, last. */
export function arrangeTurns(turns: readonly Message[], writer: Writer): readonly Message[] {
  const first = turns.find((message) => message.role !== "system");
  const last = turns.at(-1);
  const arranged = [...turns];
  if (first?.role === "assistant") {
    lose(writer.report, "turn.first_user", undefined, "", { targetPath: "/messages/0", values: { to: protocol } });
    arranged.unshift({ role: "user", content: [{ type: "text", text: firstUserText }] });
  }
  if (isPrefill(last) && !writer.target.prefill) {
    lose(writer.report, "turn.prefill", last, "role");
    arranged.push({ role: "user", content: [{ type: "text", text: continueText }] });
  }
  return arranged;
}

function isPrefill(message: Message | undefined): message is Extract<Message, { role: "assistant" }> {
  return message?.role === "assistant" && !message.content.some((part) => part.type === "toolCall");
}

/** The API refuses a started answer that ends in white space. */
export function trimPrefill(last: Message | undefined, output: readonly unknown[], writer: Writer): void {
  if (!isPrefill(last) || !writer.target.prefill) return;
  const message = output.at(-1) as { readonly role: string; readonly content: JsonObject[] } | undefined;
  const block = message?.role === "assistant" && Array.isArray(message.content) ? message.content.at(-1) : undefined;
  const text = block?.["type"] === "text" ? block["text"] : undefined;
  if (block === undefined || typeof text !== "string" || text === text.trimEnd()) return;
  const part = last.content.findLast((candidate) => candidate.type === "text");
  lose(writer.report, "text.trailing_whitespace", part ?? last, part === undefined ? "role" : "type");
  (block as { [key: string]: unknown })["text"] = text.trimEnd();
}
