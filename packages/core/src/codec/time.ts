import type { Json, JsonObject } from "../ir/index.ts";
import type { Ledger } from "./ledger.ts";
import { keepOdd, readNumber } from "./ledger.ts";

/** The last second that engines have a date for. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const lastSecond = 8.64e12;

/** A time that is stated in seconds since 1970, in milliseconds; 0 for what is none. A fraction is left out. */
export function millisecondsOf(stated: Json | undefined): number {
  return typeof stated === "number" && stated >= 0 && stated <= lastSecond ? Math.floor(stated) * 1000 : 0;
}

/** The same for a key. What says more than that, or something else, such as a fraction or a time before 1970, is kept. */
export function readSeconds(ledger: Ledger, source: JsonObject, key: string): number {
  const stated = readNumber(ledger, source, key);
  const time = millisecondsOf(stated);
  if (stated !== undefined && time / 1000 !== stated) keepOdd(ledger, key, stated);
  return time;
}
