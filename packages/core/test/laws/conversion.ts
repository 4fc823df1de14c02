import type { ConvertedResponse, Converter, HttpRequest, JsonObject, Loss, Profile, Protocol } from "@rolecall/core";
import { createConverter, DecodeError, lossDefinition, RolecallError } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as geminiGenerateContent } from "@rolecall/core/protocols/gemini-generate-content";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { protocol as openaiResponses } from "@rolecall/core/protocols/openai-responses";
import type { BodyProtocol } from "@rolecall/core/testing";

/** The protocols under the laws. */
export const protocols: { readonly [P in BodyProtocol]: Protocol } = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "gemini-generate-content": geminiGenerateContent,
};
export const protocolIds = Object.keys(protocols) as BodyProtocol[];

/** Each protocol with each other one. */
export const crossPairs = protocolIds.flatMap((from) =>
  protocolIds.filter((to) => to !== from).map((to) => [from, to] as const),
);

/** Converts requests from the first protocol to the second, and their answers back. */
export function converterOf(from: BodyProtocol, to: BodyProtocol): Converter {
  return createConverter(protocols[from], protocols[to]);
}

export const operations = ["request", "response"] as const;
export type Operation = (typeof operations)[number];

/** Converts a body of either kind. What Gemini has in its URL stands in the body as `url` here. */
export function convert(
  from: BodyProtocol,
  to: BodyProtocol,
  operation: Operation,
  body: JsonObject,
  target: Profile = {},
): ConvertedResponse<JsonObject> {
  if (operation === "response") return converterOf(to, from).convertResponse(body, { target });
  const converter = converterOf(from, to);
  if (from === to || ![from, to].includes("gemini-generate-content")) return converter.convertRequest(body, { target });
  const { url, ...bare } = body;
  const { value, ...rest } = converter.convertRequest<HttpRequest>({ body: bare, url }, { target });
  return {
    ...rest,
    value: { ...(value.body as JsonObject), ...(value.url !== undefined && { url: value.url as JsonObject }) },
  };
}

/** What cannot be sent at all is left out and told, so that the rest is looked at. */
export const fallbacks = { media: "drop", n: "first" };

/** Models that take less, or more, than the version of their API says. */
const models: { readonly [P in BodyProtocol]: readonly Profile[] } = {
  "openai-chat": [],
  "openai-responses": [],
  "gemini-generate-content": [],
  "anthropic-messages": [
    { provider: "anthropic", apiVersion: "2023-06-01", model: "claude-3-5-sonnet-20241022" },
    { provider: "anthropic", apiVersion: "2023-06-01", model: "claude-opus-4-1" },
    { provider: "anthropic", apiVersion: "2026-10-21", model: "claude-opus-4-8" },
  ],
};

/** Targets of a protocol: one of which nothing is known, each service that has a profile, and models that differ. */
function targetsOf(id: BodyProtocol): readonly Profile[] {
  // A profile by its name, as users state it.
  const named = Object.values(protocols[id].profiles).map(
    ({ provider, apiVersion }): Profile => ({
      ...(provider !== undefined && { provider }),
      ...(apiVersion !== undefined && { apiVersion }),
    }),
  );
  return [{}, ...[...named, ...models[id]].map((profile) => ({ ...profile, fallbacks }))];
}

const wordsOf = ({ provider, apiVersion, model }: Profile): string[] =>
  [provider, apiVersion, model].filter((word) => word !== undefined);

/** One way that a body can go: from a protocol to a server of another, or to one of its own that is stated. */
export interface Way {
  readonly name: string;
  readonly from: BodyProtocol;
  readonly to: BodyProtocol;
  readonly target: Profile;
}

/** All ways on which something may be lost. */
export const ways: readonly Way[] = protocolIds.flatMap((from) =>
  protocolIds.flatMap((to) =>
    targetsOf(to)
      .filter(({ provider }) => from !== to || provider !== undefined)
      .map((target) => ({ name: `${from} to ${[to, ...wordsOf(target)].join(" ")}`, from, to, target })),
  ),
);

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

/** What is mended toward its own protocol too; each is tested by itself in `cases`. See docs/adr/0003-disputed-conversions.md. */
export const isMended = (losses: readonly Pick<Loss, "code">[]): boolean =>
  losses.some(({ code }) => lossDefinition(code)?.mends === true);
