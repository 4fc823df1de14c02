import type {
  AssistantMessage,
  Conversation,
  Converted,
  Json,
  Protocol,
  TraceEntry,
  WireRequest,
} from "@rolecall/core";
import { createConverter, RolecallError } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { pairs } from "../protocols.ts";
import { readCorpus } from "./bodies.ts";
import type { Change } from "./differences.ts";
import { changesBetween } from "./differences.ts";
import { isEqualByMeaning, isReported, placeLosses, placeReturnLosses } from "./explanations.ts";
import { leaks } from "./opaque-payloads.ts";
import { meaningOf, parallelFixtures } from "./parallel-fixtures.ts";

/** What cannot be sent at all is left out and reported, so that the rest is looked at. */
const target = { fallbacks: { media: "drop", n: "first" } };

interface Step<T> extends Converted<T> {
  readonly trace: () => TraceEntry[];
}

interface Way<T> {
  readonly there: Step<T>;
  readonly back: Step<T>;
  readonly before: Conversation | AssistantMessage;
  readonly after: Conversation | AssistantMessage;
}

function requestWay(source: Protocol, other: Protocol, wire: WireRequest): Way<WireRequest> {
  const there = createConverter(source, other).convertRequest(wire, { target });
  const back = createConverter(other, source).convertRequest(there.value, { target });
  return { there, back, before: source.decodeRequest(wire).value, after: source.decodeRequest(back.value).value };
}

function responseWay(source: Protocol, other: Protocol, body: object): Way<object> {
  const there = createConverter(other, source).convertResponse(body, { target });
  const back = createConverter(source, other).convertResponse(there.value, { target });
  return {
    there,
    back,
    before: source.decodeResponse(body as Json).value,
    after: source.decodeResponse(back.value as Json).value,
  };
}

/** The places where the IR came back different and no report says so. */
function silentChanges({ there, back, before, after }: Way<unknown>): Change[] {
  const changes = changesBetween(meaningOf(before), meaningOf(after)).filter((change) => !isEqualByMeaning(change));
  if (changes.length === 0) return [];
  const losses = [...placeLosses(there.losses), ...placeReturnLosses(back.losses, there.trace(), back.trace())];
  return changes.filter((change) => !isReported(change, losses));
}

const told = (changes: readonly Change[]): string[] =>
  changes.map(
    ({ pointer, type, left, right }) =>
      `${type} ${pointer} ${JSON.stringify(left)?.slice(0, 80)} → ${JSON.stringify(right)?.slice(0, 80)}`,
  );

/** Bodies that cannot go there or back: typed refusals, never a crash. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RolecallError) return undefined;
    throw error;
  }
}

const named = pairs.map(([source, other]) => ({ name: `${source.id} to ${other.id}`, source, other }));

describe.each(named)("$name and back, for bodies that mean the same", ({ source, other }) => {
  test.each(parallelFixtures)("$name comes back as the reports say", ({ operation, body }) => {
    const wire = body(source.id);
    const way = attempt(() =>
      operation === "request" ? requestWay(source, other, wire) : responseWay(source, other, wire.body as object),
    );
    expect(way === undefined ? [] : told(silentChanges(way))).toEqual([]);
    expect(way === undefined ? [] : leaks(wire.body, way.there.value)).toEqual([]);
  });
});

describeWithCorpus("there and back, over the corpus", (folder) => {
  const { requests, responses } = readCorpus(folder);

  test.each(named)("$name", ({ source, other }) => {
    const ways = [
      ...requests
        .filter(({ protocol }) => protocol === source.id)
        .map(({ path, wire }) => ({ path, body: wire.body, way: attempt(() => requestWay(source, other, wire)) })),
      ...responses
        .filter(({ protocol }) => protocol === source.id)
        .map(({ path, body }) => ({ path, body, way: attempt(() => responseWay(source, other, body as object)) })),
    ];
    expect(
      ways.flatMap(({ path, way }) =>
        way === undefined ? [] : told(silentChanges(way)).map((change) => `${path} ${change}`),
      ),
    ).toEqual([]);
    expect(
      ways
        .filter(({ way, body }) => way !== undefined && leaks(body, way.there.value).length > 0)
        .map(({ path }) => path),
      "opaque state that crossed",
    ).toEqual([]);
    // Most bodies can go: a codec that refuses everything would pass all of the above. Those that are none are listed where they go to themselves.
    const isBody = ({ body }: (typeof ways)[number]): boolean =>
      attempt(() => source.decodeRequest({ body })) !== undefined ||
      attempt(() => source.decodeResponse(body)) !== undefined;
    expect(ways.filter((entry) => entry.way === undefined && isBody(entry)).length).toBeLessThan(ways.length / 40);
  });
});
