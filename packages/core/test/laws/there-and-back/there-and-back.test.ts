import type { AssistantMessage, Conversation, ConvertedResponse, JsonObject } from "@rolecall/core";
import {
  arbitraryAssistantMessage,
  arbitraryConversation,
  arbitraryRequestBody,
  arbitraryResponseBody,
} from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import type { Operation } from "../conversion.ts";
import { attempt, convert, crossPairs, operations, protocolIds, protocols } from "../conversion.ts";
import { law } from "../law.ts";
import type { Mention } from "./facts.ts";
import { answeredCalls, commonTexts, factsOf, mentionOf, mentionsAt, mentionsBeside, silentFact } from "./facts.ts";
import { joined } from "./joined.ts";

type Id = (typeof protocolIds)[number];

/** Losses that change the order of texts. */
const moving: ReadonlySet<string> = new Set(
  "refusal.text instruction.moved instruction.deferred turn.moved turn.order tool_result.moved media.moved".split(" "),
);

/** What the reports of all legs mention, each as a place in the IR that the first one started from. */
function mentionsOf(legs: readonly ConvertedResponse<JsonObject>[]): Mention[] {
  const [first, ...later] = legs;
  if (first === undefined) return [];
  const trace = first.trace();
  const mentions = [
    ...first.losses.flatMap(({ code, irPath }) => (irPath === undefined ? [] : [mentionOf(code, irPath)])),
    ...mentionsBeside(first.losses, trace),
    ...mentionsAt(madeIn(first), trace),
  ];
  let way = trace;
  for (const leg of later) {
    mentions.push(...mentionsAt(leg.losses, way));
    way = joined(way, leg.trace());
    if (leg !== later.at(-1)) mentions.push(...mentionsAt(madeIn(leg), way));
  }
  return mentions;
}

/** What a leg made up has a place in its target alone. */
const madeIn = ({ losses }: ConvertedResponse<JsonObject>): { readonly code: string; readonly path: string }[] =>
  losses.flatMap(({ code, path, targetPath }) =>
    path === "" && targetPath !== undefined ? [{ code, path: targetPath }] : [],
  );

/** A conversation or an answer as a body. */
function written(id: Id, value: Conversation | AssistantMessage): JsonObject {
  const protocol = protocols[id];
  if (!("messages" in value)) return protocol.encodeResponse(value).value as JsonObject;
  const { body, url } = protocol.encodeRequest(value).value;
  return { ...(body as JsonObject), ...(url !== undefined && { url: { ...url } }) };
}

/** The reports of a body on its way through protocols; nothing where one of them cannot say it. */
function travel(stops: readonly Id[], operation: Operation, body: JsonObject): ConvertedResponse<JsonObject>[] {
  const legs: ConvertedResponse<JsonObject>[] = [];
  let value = body;
  for (const [index, to] of stops.slice(1).entries()) {
    const leg = attempt(() => convert(stops[index] as Id, to, operation, value));
    fc.pre("value" in leg);
    legs.push(leg.value);
    value = leg.value.value;
  }
  return legs;
}

/** Throws with the first thing that the body said, that is gone or elsewhere, and that no report mentions. */
function expectTold(left: Conversation | AssistantMessage, right: typeof left, mentions: readonly Mention[]): void {
  const told = mentions.map(({ code, node, field }) => `${code} ${node}${field}`).join("\n");
  const [facts, others] = [factsOf(left), factsOf(right)];
  const silent = silentFact(facts, others, mentions);
  if (silent !== undefined)
    throw new Error(`gone: ${silent.key}\n${silent.pointer} = ${silent.value.slice(0, 60)}\n${told}`);
  if ("messages" in left && "messages" in right) {
    const answers = answeredCalls(right);
    for (const [text, call] of answeredCalls(left))
      if ((answers.get(text) ?? call) !== call) throw new Error(`answers another call: ${text}\n${told}`);
  }
  const [before, after] = commonTexts(facts, others);
  if (before.join() !== after.join() && !mentions.some(({ code }) => moving.has(code)))
    throw new Error(`moved\n${before.join(" | ")}\n${after.join(" | ")}\n${told}`);
}

const rounds = (stops: readonly (readonly Id[])[], runs: number) =>
  stops.map((way) => [way.join(" to "), way, runs] as const);

/** L4: there and back, and back by way of a third protocol. */
describe.each([
  ...rounds(
    crossPairs.map(([from, to]) => [from, to, from]),
    500,
  ),
  ...rounds(
    crossPairs.flatMap(([from, to]) =>
      protocolIds.filter((third) => third !== from && third !== to).map((third) => [from, to, third, from]),
    ),
    200,
  ),
])("%s", (_, stops, runs) => {
  const [from] = stops as readonly [Id, ...Id[]];
  describe.each(operations)("%s", (operation) => {
    const bodies = operation === "request" ? arbitraryRequestBody(from) : arbitraryResponseBody(from);
    const decode = (body: unknown) =>
      operation === "request"
        ? protocols[from].decodeRequest({ body: body as never }).value
        : protocols[from].decodeResponse(body as never).value;

    const expectWayTold = (body: JsonObject): void => {
      const legs = travel(stops, operation, body);
      expectTold(decode(body), decode(legs.at(-1)?.value), mentionsOf(legs));
    };

    law("what is not there again was told", runs, fc.property(bodies, expectWayTold));

    const values = operation === "request" ? arbitraryConversation() : arbitraryAssistantMessage();
    law(
      "what is not there again of a value that was written was told",
      runs / 2,
      fc.property(values, (value) => {
        const body = attempt(() => written(from, value));
        fc.pre("value" in body);
        expectWayTold(body.value);
      }),
    );
  });
});
