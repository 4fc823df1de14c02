import type { Protocol } from "@rolecall/core";
import { anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { geminiGenerateContent } from "@rolecall/core/protocols/gemini-generate-content";
import { openaiChat } from "@rolecall/core/protocols/openai-chat";
import { openaiResponses } from "@rolecall/core/protocols/openai-responses";

/** The protocols that have codecs. A new one is added here and runs through all tests of this folder. */
export const protocols: readonly Protocol[] = [openaiChat, openaiResponses, anthropicMessages, geminiGenerateContent];

/** Every way from one protocol to another. */
export const pairs: readonly (readonly [source: Protocol, target: Protocol])[] = protocols.flatMap((source) =>
  protocols.filter((target) => target !== source).map((target) => [source, target] as const),
);

export function protocolOf(id: string): Protocol {
  const found = protocols.find((protocol) => protocol.id === id);
  if (found === undefined) throw new Error(`no codec for ${id}`);
  return found;
}

export const hasCodec = (id: string): boolean => protocols.some((protocol) => protocol.id === id);
