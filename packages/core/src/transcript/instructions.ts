import type { Authority, Lifetime, Origin, SystemMessage, SystemPart } from "../ir/index.ts";
import { originOf } from "../ir/index.ts";
import type { Transcript } from "./messages.ts";
import { messagesOf } from "./messages.ts";

/** What one system message says: its content, or one of its sections. */
export interface ReplayedInstruction {
  readonly message: SystemMessage;
  readonly index: number;
  readonly section?: string;
  readonly text: string;
  readonly replaces?: number;
  replacedBy?: number;
}

export interface ReplayedInstructions {
  /** Everything that was ever said, in order. */
  readonly all: readonly ReplayedInstruction[];
  /** The sections in force: each where it first stood, or at the end when it was removed in between. */
  readonly sections: readonly ReplayedInstruction[];
}

function textsOf(parts: readonly SystemPart[]): string {
  return parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : [])).join("\n\n");
}

const saysNothing = (part: SystemPart): boolean => part.type === "text" && part.text === "";

/** One walk over the messages. What ends is marked with the message that ended it. */
export function replayInstructions(transcript: Transcript): ReplayedInstructions {
  const all: ReplayedInstruction[] = [];
  const sections = new Map<string, ReplayedInstruction>();
  /** Content that the next content of the same standing replaces. */
  const replaceable = new Map<string, ReplayedInstruction>();
  /** What holds for one turn, oldest first, with the user messages seen before it. */
  const passing: { readonly instruction: ReplayedInstruction; readonly seen: number }[] = [];
  let passed = 0;
  let seen = 0;

  const end = (instruction: ReplayedInstruction, index: number): void => {
    instruction.replacedBy ??= index;
    const { section } = instruction;
    if (section !== undefined && sections.get(section) === instruction) sections.delete(section);
  };
  const begin = (instruction: ReplayedInstruction): void => {
    all.push(instruction);
    if (instruction.message.lifetime === "nextUserTurn") passing.push({ instruction, seen });
  };

  messagesOf(transcript).forEach((message, index) => {
    if (message.role === "user") {
      seen++;
      for (; passed < passing.length; passed++) {
        const { instruction, seen: before } = passing[passed] as (typeof passing)[number];
        if (seen <= before + 1) break;
        end(instruction, index);
      }
    }
    if (message.role !== "system") return;
    if (!message.content.every(saysNothing)) {
      const standing = JSON.stringify([message.authority, message.scope]);
      const earlier = replaceable.get(standing);
      if (earlier !== undefined) end(earlier, index);
      const instruction = {
        message,
        index,
        text: textsOf(message.content),
        ...(earlier !== undefined && { replaces: earlier.index }),
      };
      begin(instruction);
      if (message.lifetime === "untilReplaced") replaceable.set(standing, instruction);
      else replaceable.delete(standing);
    }
    for (const { name, text } of message.sections ?? []) {
      const earlier = sections.get(name);
      if (earlier !== undefined) earlier.replacedBy = index;
      if (text === null) {
        sections.delete(name);
        continue;
      }
      const instruction = {
        message,
        index,
        section: name,
        text,
        ...(earlier !== undefined && { replaces: earlier.index }),
      };
      begin(instruction);
      sections.set(name, instruction);
    }
  });
  return { all, sections: [...sections.values()] };
}

/** An instruction as it was given, and what became of it. */
export interface EffectiveInstruction {
  readonly authority: Authority;
  /** Index of the message that gives it. */
  readonly index: number;
  /** Name of the section, where the text is one. */
  readonly section?: string;
  readonly text: string;
  readonly lifetime?: Lifetime;
  readonly scope?: string;
  readonly delegatesTo?: Authority;
  /** Where the text comes from. Untrusted where any part of it is. */
  readonly origin: Required<Origin>;
  /** Index of the message whose text it replaced. */
  readonly replaces?: number;
  /** Index of the message that replaced or ended it; absent while it is in force. */
  readonly replacedBy?: number;
}

/**
 * What instructs the model at the end of the transcript, in order, together with what was replaced and by which message. Conflicts between
 * instructions stay: they are the model's and the policy's to solve.
 *
 * An instruction of lifetime `nextUserTurn` ends with the second user message after it. Content of lifetime `untilReplaced` ends with the next
 * content of the same authority and scope: nobody ends the instruction of another. A section ends with the next text, or the removal, of its
 * name. What replaced something that ends does not bring it back.
 */
export function effectiveInstructions(transcript: Transcript): EffectiveInstruction[] {
  return replayInstructions(transcript).all.flatMap(({ message, ...instruction }) => {
    if (instruction.section === undefined && instruction.text === "") return [];
    const { authority, lifetime, scope, delegatesTo } = message;
    return [
      {
        authority,
        ...instruction,
        ...(lifetime !== undefined && { lifetime }),
        ...(scope !== undefined && { scope }),
        ...(delegatesTo !== undefined && { delegatesTo }),
        origin: originOfText(message, instruction.section),
      },
    ];
  });
}

function originOfText(message: SystemMessage, section: string | undefined): Required<Origin> {
  const own = originOf(message);
  if (section !== undefined) return own;
  const doubtful = message.content.find((part) => part.type === "text" && originOf(message, part).trust !== "trusted");
  return doubtful === undefined ? own : originOf(message, doubtful);
}
