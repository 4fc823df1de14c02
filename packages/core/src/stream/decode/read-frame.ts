import { inexactDrafts, inexactPlaces } from "../../codec/json/inexact.ts";
import { checkDepth } from "../../codec/json/survey.ts";
import type { JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { LossDraft } from "../../loss/index.ts";

/** A frame cannot nest deeper than its brackets allow, so short ones need no look. */
const shortFrame = 1024;

/** The JSON object of a frame, or undefined for anything else. Never throws. */
export function readFrame(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    if (data.length > shortFrame) checkDepth(value);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reports what reading the text of a frame loses, and whether it loses anything. `at` counts the frames of the stream. */
export function noteInexact(data: string, value: JsonObject, at: number, losses: LossDraft[]): boolean {
  const drafts = inexactDrafts(inexactPlaces(data, value), `/events/${at}`);
  losses.push(...drafts);
  return drafts.length > 0;
}
