import type { ProtocolId, SseFrame } from "@rolecall/core";
import { createSseParser } from "@rolecall/core";
import type { Ending } from "../families/family.ts";
import { familyOf } from "../families/index.ts";
import { isErrorEvent } from "../families/stated-error.ts";

/** The last event stands in so many bytes, mostly. */
const SHORT = 4096;

/** How the last events of a stream say that it ends, in pieces of whole events. Words within a text say nothing. */
export function endingOf(protocol: ProtocolId, pieces: readonly Buffer[]): Ending | undefined {
  for (const piece of pieces.toReversed()) {
    const start = piece.length > SHORT ? piece.indexOf("\n\n", piece.length - SHORT) : -1;
    const found = (start < 0 ? undefined : endingIn(protocol, piece.subarray(start))) ?? endingIn(protocol, piece);
    if (found !== undefined) return found;
  }
  return undefined;
}

function endingIn(protocol: ProtocolId, events: Buffer): Ending | undefined {
  const parser = createSseParser();
  const frames: readonly SseFrame[] = [...parser.push(events), ...parser.finish()];
  let found = endingOfEvent(protocol, undefined, parser.stray ?? parser.rest ?? "");
  for (let index = frames.length - 1; index >= 0 && found !== "last"; index--) {
    const { event, data } = frames[index] as SseFrame;
    found = endingOfEvent(protocol, event, data) ?? found;
  }
  return found;
}

/** An event says it in an object, or in a word that is no JSON: to try to parse that would take longer than all else. */
const object = /^\s*\{/;

function endingOfEvent(protocol: ProtocolId, name: string | undefined, data: string): Ending | undefined {
  let value: unknown;
  try {
    if (object.test(data)) value = JSON.parse(data);
  } catch {
    // It was cut.
  }
  return familyOf(protocol).endingOf(data, value) ?? (isErrorEvent(name, value) ? "stop" : undefined);
}
