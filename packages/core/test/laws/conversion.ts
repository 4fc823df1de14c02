import type { ConvertedResponse, Converter, JsonObject, Protocol } from "@rolecall/core";
import { createConverter, DecodeError, RolecallError } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import type { BodyProtocol } from "@rolecall/core/testing";

/** The protocols under the laws. */
export const protocols: { readonly [P in BodyProtocol]: Protocol } = {
  "openai-chat": openaiChat,
  "anthropic-messages": anthropicMessages,
};
export const protocolIds = Object.keys(protocols) as BodyProtocol[];

/** Converts requests from the first protocol to the second, and their answers back. */
export function converterOf(from: BodyProtocol, to: BodyProtocol): Converter {
  return createConverter(protocols[from], protocols[to]);
}

export const operations = ["request", "response"] as const;
export type Operation = (typeof operations)[number];

/** Converts a body of either kind. */
export function convert(
  from: BodyProtocol,
  to: BodyProtocol,
  operation: Operation,
  body: JsonObject,
): ConvertedResponse<JsonObject> {
  const converter = operation === "request" ? converterOf(from, to) : converterOf(to, from);
  return operation === "request" ? converter.convertRequest(body) : converter.convertResponse(body);
}

/** What the work gives, or the error with which Rolecall refuses it. Other errors are bugs and go on. */
export function attempt<T>(work: () => T): { readonly value: T } | { readonly error: RolecallError } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof RolecallError) return { error };
    throw error;
  }
}

/** What the work gives, or undefined where the body is none of its protocol. Other refusals are errors. */
export function accepted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/**
 * What is mended toward its own protocol too, because its own services refuse it: each is reported, and tested by itself in `cases`.
 * See docs/adr/0003-disputed-conversions.md.
 */
const mended: ReadonlySet<string> = new Set(["cache.limit", "reasoning.unsigned", "tool_call.shape"]);
export const isMended = (losses: readonly { readonly code: string }[]): boolean =>
  losses.some((loss) => mended.has(loss.code));
