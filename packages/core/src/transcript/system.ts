import type { Message, SystemMessage, SystemPart } from "../ir/index.ts";
import { jsonEqual, originOf } from "../ir/index.ts";
import type { TranscriptContext } from "./context.ts";
import { brandContext, isTranscriptContext } from "./context.ts";
import type { ReplayedInstruction } from "./instructions.ts";
import { replayInstructions } from "./instructions.ts";
import type { Transcript } from "./messages.ts";
import { messagesOf } from "./messages.ts";
import { getCurrentTools } from "./tools.ts";

/** The system message that the transcript begins with: the baseline of instructions and tools. */
export function getInitialSystemMessage(transcript: Transcript): SystemMessage | undefined {
  const first = messagesOf(transcript)[0];
  return first?.role === "system" ? first : undefined;
}

/** The messages after the baseline. */
export function withoutInitialSystemMessage(transcript: Transcript): readonly Message[] {
  const messages = messagesOf(transcript);
  return messages[0]?.role === "system" ? messages.slice(1) : messages;
}

/** What is in force at the end: contents in the order in which they were given, then sections. */
function inForce(transcript: Transcript): readonly ReplayedInstruction[] {
  const { all, sections } = replayInstructions(transcript);
  const contents = all.filter(({ section, replacedBy }) => section === undefined && replacedBy === undefined);
  return [...contents, ...sections];
}

/** What the system messages state beside instructions: the tools and the effort in force, and the time of the first. */
function stateOf(transcript: Transcript): Pick<SystemMessage, "toolsAdded" | "effort" | "timestamp"> {
  const messages = messagesOf(transcript);
  const tools = getCurrentTools(messages);
  const first = messages.find((message) => message.role === "system");
  const effort = messages.findLast((message) => message.role === "system" && message.effort !== undefined);
  return {
    ...(tools.length > 0 && { toolsAdded: tools }),
    ...(effort?.role === "system" && effort.effort !== undefined && { effort: effort.effort }),
    ...(first?.timestamp !== undefined && { timestamp: first.timestamp }),
  };
}

/** A message of one standing that says what several instructions say. Lifetimes are left out: what is in force here stays so. */
function fold(standing: SystemMessage, instructions: readonly ReplayedInstruction[]): SystemMessage {
  const sections = instructions.flatMap(({ section, text }) =>
    section === undefined ? [] : [{ name: section, text }],
  );
  return {
    role: "system",
    authority: standing.authority,
    content: instructions.flatMap(({ message, section }) =>
      section === undefined ? message.content.map((part) => withOrigin(part, message, standing)) : [],
    ),
    ...(sections.length > 0 && { sections }),
    ...(standing.origin !== undefined && { origin: standing.origin }),
  };
}

/** A part that moves to another message keeps the origin that it had. */
function withOrigin(part: SystemPart, from: SystemMessage, to: SystemMessage): SystemPart {
  const origin = originOf(from, part);
  return jsonEqual(origin, originOf(to, part)) ? part : { ...part, origin };
}

/**
 * The system state in force after all messages as one message: all content in order, each section with its last text at the place where it
 * first stood (or at the end, when it was removed in between), the current tools. Instructions whose lifetime is over are left out; tools and
 * effort have no lifetime, they are added and withdrawn. Undefined without any system message.
 *
 * Authority, origin and time are those of the first system message, and no scope is stated: where instructions differ in these, look at
 * `effectiveInstructions`, or at `collapseSystemMessages`, which keeps them apart. Content keeps its own origin.
 */
export function getCurrentSystemMessage(transcript: Transcript): SystemMessage | undefined {
  const first = messagesOf(transcript).find((message) => message.role === "system");
  return first?.role === "system" ? { ...fold(first, inForce(transcript)), ...stateOf(transcript) } : undefined;
}

/** The text in force: content, then sections, separated by blank lines. Instructions whose lifetime is over are left out. */
export function getCurrentSystemPrompt(transcript: Transcript): string {
  const instructions = inForce(transcript);
  return instructions
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Whose instruction it is, where it holds and where it comes from: what must not change when messages are folded. */
const standingOf = ({ authority, scope, delegatesTo, origin }: SystemMessage): string =>
  JSON.stringify([authority, scope, delegatesTo, origin?.source, origin?.trust]);

/**
 * The same conversation with its system state folded to the front, for models that take no updates. That is one message, unless instructions
 * differ in authority, scope, delegation or origin: then each run of equal ones stays a message of its own, because none may gain or lose
 * authority by the way. Instructions whose lifetime is over are gone, and those that are left hold from now on; so fold for a request, and keep the
 * transcript.
 */
export function collapseSystemMessages(transcript: Transcript): Message[] {
  const messages = messagesOf(transcript);
  const others = messages.filter((message) => message.role !== "system");
  const first = messages.find((message) => message.role === "system");
  if (first?.role !== "system") return others;
  const runs: { readonly standing: SystemMessage; readonly instructions: ReplayedInstruction[] }[] = [];
  for (const instruction of inForce(transcript)) {
    const { message } = instruction;
    const run = runs.at(-1);
    if (run !== undefined && standingOf(run.standing) === standingOf(message)) run.instructions.push(instruction);
    else runs.push({ standing: message, instructions: [instruction] });
  }
  if (runs.length === 0) runs.push({ standing: first, instructions: [] });
  const heads = runs.map(({ standing, instructions }, index): SystemMessage => {
    const { scope, delegatesTo } = standing;
    return {
      ...fold(standing, instructions),
      ...(scope !== undefined && { scope }),
      ...(delegatesTo !== undefined && { delegatesTo }),
      ...(index === 0 && stateOf(messages)),
    };
  });
  return [...heads, ...others];
}

/**
 * The messages as a model can take them: as they are where it supports updates of the system state, else collapsed. A transcript context gives
 * a transcript context.
 */
export function resolveTranscript(transcript: TranscriptContext, supportsUpdates: boolean): TranscriptContext;
export function resolveTranscript(transcript: readonly Message[], supportsUpdates: boolean): readonly Message[];
export function resolveTranscript(
  transcript: TranscriptContext | readonly Message[],
  supportsUpdates: boolean,
): TranscriptContext | readonly Message[] {
  if (supportsUpdates) return transcript;
  const collapsed = collapseSystemMessages(transcript);
  return isTranscriptContext(transcript) ? brandContext(collapsed) : collapsed;
}
