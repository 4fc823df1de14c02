import { UnsupportedError } from "../errors/index.ts";
import type { Conversation, Profile, ProtocolId, Settings } from "../ir/index.ts";
import type { Locator } from "../loss/index.ts";

const places = new WeakMap<Error, { readonly node: object; readonly field: string }>();

/** Refuses what the target cannot do at all. The place is known as a node of the IR; `placed` turns it into a pointer. */
export function refuse(
  feature: string,
  node: object,
  field: string,
  message: string,
  fallbacks: readonly string[] = [],
): never {
  const error = new UnsupportedError(feature, "", message, fallbacks);
  places.set(error, { node, field });
  throw error;
}

/** Refuses to ask for several answers where there is one, unless the profile says that the first will do. */
export function refuseChoices(settings: Settings, target: Profile, protocol: ProtocolId): void {
  if (target.fallbacks?.["n"] === "first") return;
  refuse(
    "n",
    settings,
    "n",
    `${protocol}${target.provider === undefined ? "" : ` of ${target.provider}`} gives one answer per request: ask for n = 1, or take the first with target.fallbacks.n: "first"`,
    ["n: first"],
  );
}

/** Fields of a request that name what its service stores, and what to send instead. */
const stored: { readonly [field: string]: string } = {
  conversation: "send its items instead of its id",
  prompt: "send its text instead of its id",
};

/** The only protocol with such an id of its own. */
const keeper: ProtocolId = "openai-responses";

/**
 * Refuses a request whose conversation, or a part of it, only another service has: the model would answer without what was said before. Called
 * before anything else, so that the refusal names the field and not what is missing without it.
 */
export function refuseStored(conversation: Conversation, protocol: ProtocolId): void {
  const { settings, wire } = conversation;
  const isOwn = wire?.protocol === protocol;
  if (settings.previousResponseId !== undefined && (protocol !== keeper || (!isOwn && wire !== undefined))) {
    refuse(
      "previousResponseId",
      settings,
      "previousResponseId",
      "a previous response is stored at its own service alone: send the whole conversation instead of its id",
    );
  }
  if (settings.cache?.content !== undefined && protocol !== "gemini-generate-content") {
    refuse(
      "cachedContent",
      settings,
      "cache/content",
      `${protocol} cannot read what another service has stored: send the whole conversation instead of the name of cached content`,
    );
  }
  if (isOwn) return;
  for (const field in stored) {
    const value = wire?.rest?.[field];
    if (value !== undefined && value !== null)
      refuse(field, conversation, `rest:${field}`, `a ${field} is stored at its own service alone: ${stored[field]}`);
  }
}

/** The same error with its path, where one of the locators knows the node. */
export function placed(error: unknown, ...locators: readonly Locator[]): unknown {
  if (!(error instanceof UnsupportedError)) return error;
  const place = places.get(error);
  if (place === undefined) return error;
  for (const locate of locators) {
    const path = locate(place.node, place.field) ?? locate(place.node, "");
    if (path !== undefined)
      return new UnsupportedError(error.feature, path, `${error.message} (at ${path || "/"})`, error.fallbacks);
  }
  return error;
}
