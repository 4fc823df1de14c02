import { checkDepth } from "../../codec/json/survey.ts";
import type { JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";

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
