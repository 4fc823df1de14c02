import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { corpus, testWithCorpus } from "../../../../test/corpus.ts";
import type { AssistantMessage, LossCode, ProtocolId, StreamSource } from "../../src/index.ts";
import type { Body, Converted } from "./wire.ts";
import { converted, decoded } from "./wire.ts";

export interface StreamOutcome {
  /** The message that the stream decodes to, and the losses of that. */
  readonly message: AssistantMessage;
  readonly codes: readonly LossCode[];
  /** The stream as a client of the target gets it. */
  readonly target: Converted;
}

/** A kind of reported fault of streams: how it is checked, and inputs of our own that have it. */
export interface StreamFault {
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  readonly siblings: readonly StreamSource[];
  /** Not among the reported cases. */
  readonly own?: true;
  check(outcome: StreamOutcome, input: StreamSource): Promise<void> | void;
}

/** The reported cases of streams between protocols that exist, by kind. */
export function reportedStreams(folder: string): Map<string, Body> {
  const cases = new Map<string, Body>();
  for (const name of readdirSync(join(folder, "cases"))) {
    if (!name.endsWith(".json")) continue;
    const entry = JSON.parse(readFileSync(join(folder, "cases", name), "utf8"));
    if (entry.mode === "stream") cases.set(entry.kind, entry);
  }
  return cases;
}

function sourceOf(input: Body): StreamSource {
  if (typeof input === "string") return input;
  return (input.chunks as string[]).map((chunk) => Uint8Array.from(Buffer.from(chunk, "base64")));
}

async function run(fault: StreamFault, input: StreamSource): Promise<void> {
  const { value: message, codes } = await decoded(input, fault.from);
  const target = await converted(input, fault.from, fault.to);
  await fault.check({ message, codes, target }, input);
}

/** Tests a set of faults: on our own inputs always, on the reported one with the corpus. */
export function testStreamFaults(name: string, faults: { readonly [kind: string]: StreamFault }): void {
  const folder = corpus();
  const cases = folder === undefined ? new Map<string, Body>() : reportedStreams(folder);
  describe(name, () => {
    for (const [kind, fault] of Object.entries(faults)) {
      fault.siblings.forEach((input, index) => {
        test(`${kind}, sibling ${index + 1}`, () => run(fault, input));
      });
      if (fault.own) continue;
      testWithCorpus(`${kind}, as reported`, folder, () => run(fault, sourceOf(cases.get(kind)?.input)));
    }
  });
}

/** The calls of a message with their arguments as an object. */
export function callsOf(message: AssistantMessage): Body[] {
  return message.content.flatMap((part) =>
    part.type !== "toolCall"
      ? []
      : [{ id: part.id, name: part.name, input: part.arguments ?? JSON.parse(part.argumentsText || "{}") }],
  );
}

export const textIn = (message: AssistantMessage): string =>
  message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
