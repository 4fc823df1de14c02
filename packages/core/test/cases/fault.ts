import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { corpus, testWithCorpus } from "../../../../test/corpus.ts";
import type { Exchange, Json, JsonObject, Loss, Profile, ProtocolId } from "../../src/index.ts";
import { convertRequest, convertResponse, loadProtocol } from "../../src/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: wire bodies are read by path, as a server reads them
export type Body = any;

export interface Outcome {
  readonly value: Body;
  readonly losses: readonly Loss[];
  readonly exchange?: Exchange;
}

/** A kind of reported fault: how it is checked, and inputs of our own that have it. */
export interface Fault {
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  readonly mode: "request" | "response";
  readonly target?: Profile;
  readonly siblings: readonly Body[];
  /** Not among the reported cases: found while the reported ones were generalised. */
  readonly own?: true;
  check(input: Body, convert: (target?: Profile) => Promise<Outcome>): Promise<void> | void;
}

interface Recorded {
  readonly id: string;
  readonly kind: string;
  readonly input: Body;
}

function recorded(): Map<string, Recorded> {
  const folder = corpus();
  const cases = new Map<string, Recorded>();
  if (folder === undefined) return cases;
  for (const name of readdirSync(join(folder, "cases"))) {
    if (!name.endsWith(".json")) continue;
    const entry = JSON.parse(readFileSync(join(folder, "cases", name), "utf8")) as Recorded;
    cases.set(entry.kind, entry);
  }
  return cases;
}

async function run(fault: Fault, input: Body, target: Profile | undefined): Promise<Outcome> {
  const body = input?.encoding === "json-text" ? (JSON.parse(input.text) as JsonObject) : (input as JsonObject);
  const options = { from: fault.from, to: fault.to, ...(target !== undefined && { target }) };
  const result = fault.mode === "request" ? await convertRequest(body, options) : await convertResponse(body, options);
  return result as Outcome;
}

function missing(kind: string): never {
  throw new Error(`the corpus has no case of kind ${kind}`);
}

/** Tests a set of faults: on our own inputs always, on the reported one with the corpus. */
export function testFaults(name: string, faults: { readonly [kind: string]: Fault }): void {
  const cases = recorded();
  describe(name, () => {
    for (const [kind, fault] of Object.entries(faults)) {
      const convert = (input: Body) => (target?: Profile) => run(fault, input, target ?? fault.target);
      fault.siblings.forEach((input, index) => {
        test(`${kind}, sibling ${index + 1}`, async () => fault.check(input, convert(input)));
      });
      if (fault.own) continue;
      const reported = cases.get(kind);
      testWithCorpus(`${kind}, as reported`, corpus(), async () =>
        fault.check(reported?.input ?? missing(kind), convert(reported?.input)),
      );
    }
  });
}

/** The decoded IR of a body. */
export async function decoded(protocol: ProtocolId, body: Json, mode: "request" | "response"): Promise<Body> {
  const loaded = await loadProtocol(protocol);
  return mode === "request" ? loaded.decodeRequest({ body }).value : loaded.decodeResponse(body).value;
}

export const codes = (outcome: Outcome): string[] => outcome.losses.map((loss) => loss.code);
export const has = (outcome: Outcome, code: string, path?: string): boolean =>
  outcome.losses.some((loss) => loss.code === code && (path === undefined || loss.path === path));
export const chat = "openai-chat" as const;
export const anthropic = "anthropic-messages" as const;
export const responses = "openai-responses" as const;

/** A Chat history of one call and its result. */
export const chatCall = (id: string, name: string, text: string, result: string, more: Body = {}): Body => ({
  model: "m",
  messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name, arguments: text } }] },
    { role: "tool", tool_call_id: id, content: result },
  ],
  ...more,
});
