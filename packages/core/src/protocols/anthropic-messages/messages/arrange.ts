import { isBlank } from "../../../codec/content/blank.ts";
import { continueText, firstUserText, isUnreadable, reportScope } from "../../../codec/content/instructions.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import { EncodeError } from "../../../errors/index.ts";
import type { Message, Part, SystemMessage } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

const protocol = "anthropic-messages";

/** What of a conversation goes where: instructions before it, and the turns with those instructions that may stay among them. */
export interface Arrangement {
  readonly instructions: readonly SystemMessage[];
  /** Instructions within the conversation that cannot stay there. */
  readonly moved: readonly SystemMessage[];
  readonly turns: readonly Message[];
  /** Instructions among the turns that are sent as turns of the user. */
  readonly lowered: ReadonlySet<Message>;
}

export function arrangeInstructions(messages: readonly Message[], writer: Writer): Arrangement {
  const instructions: SystemMessage[] = [];
  const moved: SystemMessage[] = [];
  const turns: Message[] = [];
  const lowered = new Set<Message>();
  for (const message of messages) {
    if (message.role !== "system") {
      turns.push(message);
      continue;
    }
    const { authority } = message;
    if (!hasText(message)) {
      reportLimits(message, writer);
      if ((message.sections?.length ?? 0) > 0) lose(writer.report, "instruction.sections", message, "sections");
      continue;
    }
    if (isUnreadable(message, protocol, writer.report)) {
      reportLimits(message, writer);
      continue;
    }
    if (authority === "user" || authority === "guideline") {
      if (authority === "guideline") lose(writer.report, "instruction.lowered", message, "role");
      reportLimits(message, writer);
      lowered.add(message);
      turns.push(message);
      continue;
    }
    reportAuthority(message, writer);
    // Some models take a system message after a user turn, before their next turn. What it cannot hold is lost at the front as well.
    if (turns.length > 0 && writer.target.midConversationSystem) turns.push(message);
    else if (turns.length > 0) moved.push(moveInstruction(message, writer));
    else if (formOf(message.wire, protocol, "place") === "messages")
      instructions.push(moveInstruction(message, writer));
    else {
      reportLimits(message, writer);
      instructions.push(message);
    }
  }
  return turns.length > 0 || !writer.mends ? { instructions, moved, turns, lowered } : lowerAll(instructions, writer);
}

const hasText = (message: SystemMessage): boolean =>
  message.content.length > 0 || message.sections?.some((section) => section.text !== null) === true;

/** Reports an instruction within the conversation that now counts earlier: from the start, or from `place`. */
export function moveInstruction(message: SystemMessage, writer: Writer, place?: string): SystemMessage {
  lose(writer.report, "instruction.moved", message, "role", place === undefined ? {} : { values: { place } });
  reportLimits(message, writer);
  return message;
}

/** The API has one level of instructions. */
export function reportAuthority(message: SystemMessage, writer: Writer): void {
  const { authority } = message;
  if (authority !== "system")
    lose(writer.report, "instruction.authority", message, "role", { values: { authority, sent: "system" } });
}

/** What only an instruction within the conversation can say. */
export function reportLimits(message: SystemMessage, writer: Writer): void {
  if (message.effort !== undefined) lose(writer.report, "instruction.effort", message, "effort");
  if (message.lifetime !== undefined && message.lifetime !== "always")
    lose(writer.report, "instruction.lifetime", message, "lifetime");
  reportScope(message, writer.report);
  const { wire } = message;
  if (wire?.protocol === protocol && wire.rest !== undefined)
    loseResidue(writer.report, message, wire.rest, Object.keys(wire.rest));
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
  return { instructions: [], moved: [], turns: instructions, lowered: new Set(instructions) };
}

/**
 * Completes what the API demands of the turns that were written: a user turn first, and at the end no started answer that the model cannot
 * continue or that ends in white space.
 */
export function completeTurns(turns: readonly Message[], output: WireObject[], writer: Writer): void {
  if (writer.target.prefill) trimPrefill(turns, output, writer);
  if (output.length === 0) {
    const needed = `${protocol} needs a message with content`;
    const media = turns.flatMap(unsent)[0];
    const mend =
      media === undefined
        ? "and this one has none (at /messages/0): write what the user says"
        : `and of this one nothing can be sent (at /messages/0): send ${media} in a form that it takes, or a text`;
    throw new EncodeError("/messages/0", `${needed}, ${mend}`);
  }
  if (output[0]?.["role"] !== "user") {
    lose(writer.report, "turn.first_user", undefined, "", { targetPath: "/messages/0", values: { to: protocol } });
    output.unshift({ role: "user", content: [{ type: "text", text: firstUserText }] });
  }
  if (!writer.target.prefill) completePrefill(turns, output, writer);
}

const partTypes: { readonly [type: string]: string | undefined } = {
  image_url: "the image",
  image: "the image",
  input_audio: "the audio",
  file: "the file",
  document: "the document",
};

/** What of a turn was no text and could not be sent, in the words of an error. */
function unsent({ content }: Message): string[] {
  return (content as readonly Part[]).flatMap((part) => {
    const type = part.type === "opaque" && isJsonObject(part.value) ? part.value["type"] : part.type;
    const name = typeof type === "string" && Object.hasOwn(partTypes, type) ? partTypes[type] : undefined;
    if (name !== undefined) return [name];
    return part.type === "audio" || part.type === "video" ? [`the ${part.type}`] : [];
  });
}

/** A user turn behind a started answer that the model cannot continue. */
export function completePrefill(turns: readonly Message[], output: WireObject[], writer: Writer): void {
  if (output.at(-1)?.["role"] !== "assistant") return;
  lose(
    writer.report,
    "turn.prefill",
    turns.findLast((message) => message.role === "assistant"),
    "role",
  );
  output.push({ role: "user", content: [{ type: "text", text: continueText }] });
}

/** The API refuses a started answer that ends in white space. Texts of nothing else were left out before. */
function trimPrefill(turns: readonly Message[], output: WireObject[], writer: Writer): void {
  const message = output.at(-1);
  if (message?.["role"] !== "assistant" || !Array.isArray(message["content"])) return;
  const content = message["content"] as WireObject[];
  const block = content.at(-1);
  const text = block?.["text"];
  if (block?.["type"] !== "text" || typeof text !== "string") return;
  const trimmed = text.trimEnd();
  if (trimmed === text || trimmed === "") return;
  const last = turns.flatMap((turn) => (turn.role === "assistant" ? turn.content.filter(isWritten) : [])).at(-1);
  lose(writer.report, "text.trailing_whitespace", last, "type");
  block["text"] = trimmed;
}

/** True for parts of a turn that become text. */
function isWritten(part: Part): boolean {
  return (part.type === "text" || part.type === "refusal") && !isBlank(part.text);
}
