import { UnsupportedError } from "../errors/index.ts";
import type { Profile, ProtocolId, Settings } from "../ir/index.ts";
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
