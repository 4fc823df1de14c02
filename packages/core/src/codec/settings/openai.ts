import type { JsonObject, Settings } from "../../ir/index.ts";
import type { Ledger, Open } from "../ledger.ts";
import { keepOdd, readOneOf, readString, spell } from "../ledger.ts";

/** The user, as OpenAI names it in both of its protocols. */
export function decodeUser(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const current = readString(ledger, body, "safety_identifier");
  const { user } = body;
  if (current !== undefined) {
    settings.userId = current;
    keepOdd(ledger, "user", user);
  } else if (typeof user === "string") {
    settings.userId = user;
    spell(ledger, "userId", "user");
  } else keepOdd(ledger, "user", user);
}

/** The tier of service, as OpenAI names it in both of its protocols. */
export function decodeTier(body: JsonObject, ledger: Ledger, settings: Open<Settings>): void {
  const tier = readOneOf(ledger, body, "service_tier", [
    "auto",
    "default",
    "flex",
    "scale",
    "priority",
    "fast",
  ] as const);
  if (tier === "fast") settings.speed = "fast";
  else if (tier !== undefined) settings.serviceTier = tier;
}
