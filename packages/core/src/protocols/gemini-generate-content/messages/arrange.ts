import { continueText, firstUserText, isUnreadable, reportScope } from "../../../codec/content/instructions.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { EncodeError } from "../../../errors/index.ts";
import type { Message, SystemMessage } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

const protocol = "gemini-generate-content";

/** What of a conversation goes where: instructions before it, and the turns. */
export interface Arrangement {
  readonly instructions: readonly SystemMessage[];
  readonly turns: readonly Message[];
  /** Instructions that are sent as turns of the user. */
  readonly lowered: ReadonlySet<Message>;
}

/** The API has one system instruction, before the conversation: those within it move there, in order. */
export function arrangeInstructions(messages: readonly Message[], writer: Writer): Arrangement {
  const instructions: SystemMessage[] = [];
  const turns: Message[] = [];
  const lowered = new Set<Message>();
  let isMoved = false;
  for (const message of messages) {
    if (message.role !== "system") {
      turns.push(message);
      continue;
    }
    reportLimits(message, writer);
    if (!hasText(message)) {
      if (message.wire?.protocol === protocol) instructions.push(message);
      if ((message.sections?.length ?? 0) > 0) lose(writer.report, "instruction.sections", message, "sections");
      continue;
    }
    if (isUnreadable(message, protocol, writer.report)) continue;
    if (!isSendable(message)) {
      // What it refers to is declared with the request.
      lose(writer.report, "message.dropped", message, "container");
      continue;
    }
    const { authority } = message;
    if (authority === "user" || authority === "guideline") {
      if (authority === "guideline") lose(writer.report, "instruction.lowered", message, "role");
      lowered.add(message);
      turns.push(message);
      continue;
    }
    if (authority !== "system")
      lose(writer.report, "instruction.authority", message, "role", { values: { authority, sent: "system" } });
    if (turns.length > 0) {
      lose(writer.report, "instruction.moved", message, "role");
      if (!isMoved) lose(writer.report, "cache.prefix_changed", message, "role");
      isMoved = true;
    } else if (instructions.length > 0) lose(writer.report, "turn.merged", message, "role");
    instructions.push(message);
  }
  if (turns.length > 0 || writer.faithful) return { instructions, turns, lowered };
  return lowerAll(instructions, writer);
}

const hasText = (message: SystemMessage): boolean =>
  message.content.length > 0 || message.sections?.some((section) => section.text !== null) === true;

/** False for an instruction that only loads tools. */
const isSendable = (message: SystemMessage): boolean =>
  (message.sections?.length ?? 0) > 0 || message.content.some((part) => part.type !== "toolReference");

/** What only an instruction within the conversation can say. */
function reportLimits(message: SystemMessage, writer: Writer): void {
  if (message.lifetime !== undefined && message.lifetime !== "always")
    lose(writer.report, "instruction.lifetime", message, "lifetime");
  reportScope(message, writer.report);
}

/** Without any turn the API has nothing to answer: the instructions are sent as one, with less authority, and reported. */
function lowerAll(instructions: readonly SystemMessage[], writer: Writer): Arrangement {
  if (instructions.length === 0) {
    throw new EncodeError(
      "/messages",
      `${protocol} needs at least one message, and the conversation has none: add a user message`,
    );
  }
  for (const message of instructions) lose(writer.report, "instruction.lowered", message, "role");
  return { instructions: [], turns: instructions, lowered: new Set(instructions) };
}

/** Completes what the API demands of the turns that were written: a user turn first, and at the end no started answer that the model cannot continue. */
export function completeTurns(turns: readonly Message[], output: WireObject[], writer: Writer): void {
  if (output.length === 0) {
    throw new EncodeError(
      "/messages/0",
      `${protocol} needs a message with content, and this one has none (at /messages/0): write what the user says`,
    );
  }
  if (writer.faithful ? beginsWithCalls(output) : output[0]?.["role"] !== "user") {
    lose(writer.report, "turn.first_user", undefined, "", { targetPath: "/contents/0", values: { to: protocol } });
    output.unshift({ role: "user", parts: [{ text: firstUserText }] });
  }
  if (output.at(-1)?.["role"] !== "model") return;
  const last = turns.findLast((message) => message.role === "assistant");
  const { prefill } = writer.target;
  if (prefill === undefined && writer.faithful) return;
  if (prefill === undefined) lose(writer.report, "profile.unverified", last, "role");
  else if (!prefill) {
    lose(writer.report, "turn.prefill", last, "role");
    output.push({ role: "user", parts: [{ text: continueText }] });
  }
}

/** Calls need a turn before them; a greeting of the model does not. */
function beginsWithCalls([first]: readonly WireObject[]): boolean {
  const parts = first?.["role"] === "model" ? first["parts"] : undefined;
  return Array.isArray(parts) && parts.some((part) => isJsonObject(part) && part["functionCall"] !== undefined);
}
