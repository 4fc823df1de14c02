import { DecodeError } from "../../errors/index.ts";
import type { JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { inexactDrafts, inexactPlaces } from "../../json/inexact.ts";
import { checkDepth } from "../../json/survey.ts";
import type { LossDraft } from "../../loss/index.ts";
import type { StreamFailure } from "../events.ts";
import { endedEarly } from "../failure.ts";
import type { SseFrame } from "../sse.ts";

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

/** The most of a text that a failure quotes. */
const longestMessage = 500;

/** Why a frame is no JSON object: it was cut off, it is the text of an error, it nests too deep, or nobody knows. `at` counts the frames. */
export function unreadable(frame: SseFrame, at: number): StreamFailure {
  if (frame.cut === true) return endedEarly;
  const text = frame.event === "error" ? frame.data.trim().slice(0, longestMessage) : "";
  const message = text === "" ? `the frame /events/${at} of the stream ${faultOf(frame.data)}` : text;
  return { message, kind: "server", retryable: true };
}

function faultOf(data: string): string {
  try {
    checkDepth(JSON.parse(data));
  } catch (error) {
    if (error instanceof DecodeError) return error.message.replace(/^the body /, "");
  }
  return "is not a JSON object";
}

/** Reports what reading the text of a frame loses, and whether it loses anything. `at` counts the frames of the stream. */
export function noteInexact(frame: SseFrame, value: JsonObject, at: number, losses: LossDraft[]): boolean {
  const drafts = inexactDrafts(inexactPlaces(frame.data, value), `/events/${at}`);
  if (frame.damaged === true) drafts.push({ code: "text.encoding", stage: "decode", path: `/events/${at}` });
  losses.push(...drafts);
  return drafts.length > 0;
}
