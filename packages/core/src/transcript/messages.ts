import type { Message } from "../ir/index.ts";

/** Messages, or what holds them: a conversation or a transcript context. */
export type Transcript = readonly Message[] | { readonly messages: readonly Message[] };

export function messagesOf(transcript: Transcript): readonly Message[] {
  return "messages" in transcript ? transcript.messages : transcript;
}
