import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { corpus, testWithCorpus } from "../../../../test/corpus.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies are read by path, as a client reads them
export type Body = any;

/** An input that has a fault, with what it shall come to where its check cannot tell. */
export interface Sibling {
  readonly input: Body;
  readonly expected?: Body;
}

/** A kind of reported fault of gateways: how it is checked, and inputs of our own that have it. */
export interface GatewayFault {
  readonly siblings: readonly Sibling[];
  check(input: Body, expected: Body): Promise<void>;
}

interface Reported {
  readonly id: string;
  readonly kind: string;
  readonly layer: string;
  readonly mode: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: Body;
  readonly expect: { readonly value?: Body };
}

/** The reported cases of a corpus. */
export function reportedCases(folder: string): readonly Reported[] {
  return readdirSync(join(folder, "cases"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, "cases", name), "utf8")));
}

function missing(kind: string): never {
  throw new Error(`the corpus has no case of kind ${kind}`);
}

/** Tests a set of faults: on our own inputs always, on the reported one with the corpus. */
export function testGatewayFaults(name: string, faults: { readonly [kind: string]: GatewayFault }): void {
  const folder = corpus();
  const reported = new Map((folder === undefined ? [] : reportedCases(folder)).map((entry) => [entry.kind, entry]));
  describe(name, () => {
    for (const [kind, fault] of Object.entries(faults)) {
      fault.siblings.forEach(({ input, expected }, index) => {
        test(`${kind}, sibling ${index + 1}`, () => fault.check(input, expected));
      });
      testWithCorpus(`${kind}, as reported`, folder, () => {
        const { input, expect } = reported.get(kind) ?? missing(kind);
        return fault.check(input, expect.value);
      });
    }
  });
}
