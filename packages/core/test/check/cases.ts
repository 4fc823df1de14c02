import type { JsonObject, Pointer, Profile } from "@rolecall/core";

/** A body that breaks a rule, and one next to it that breaks none. */
export interface RuleCase {
  readonly rule: string;
  readonly bad: JsonObject;
  /** Where. */
  readonly path: Pointer;
  readonly good: JsonObject;
  readonly profile?: Profile;
  /** The path of its URL. */
  readonly url?: string;
  /** A profile for the good body, where the body is the same and the server differs. */
  readonly goodProfile?: Profile;
}
