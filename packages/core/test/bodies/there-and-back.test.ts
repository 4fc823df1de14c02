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
import { fallbacks, pairs, protocols } from "../protocols.ts";
import { readCorpus } from "./bodies.ts";
import type { Change } from "./differences.ts";
import { changesBetween } from "./differences.ts";
import { isEqualByMeaning, isReported, placeLossesOfWay } from "./explanations.ts";
import { leaks } from "./opaque-payloads.ts";
import { meaningOf, parallelFixtures } from "./parallel-fixtures.ts";

/** What cannot be sent at all is left out and reported, so that the rest is looked at. */
const target = { fallbacks };

interface Step<T> extends Converted<T> {
  readonly trace: () => TraceEntry[];
}

/** The way of a body from its protocol through others and back to its own. */
interface Way<T> {
  readonly steps: readonly [there: Step<T>, ...more: Step<T>[]];
  readonly before: Conversation | AssistantMessage;
  readonly after: Conversation | AssistantMessage;
}

/** A body goes to each of the stops, and from the last one back to the first. */
type Stops = readonly [source: Protocol, other: Protocol, ...more: Protocol[]];

function stepsOf<T>(
  stops: Stops,
  start: T,
  step: (from: Protocol, to: Protocol, value: T) => Step<T>,
): Way<T>["steps"] {
  const [source, other, ...more] = stops;
  const there = step(source, other, start);
  const steps: [Step<T>, ...Step<T>[]] = [there];
  let [from, { value }] = [other, there];
  for (const to of [...more, source]) {
    const next = step(from, to, value);
    steps.push(next);
    [from, { value }] = [to, next];
  }
  return steps;
}

const end = <T>(steps: readonly Step<T>[]): T => (steps.at(-1) as Step<T>).value;

function requestWay(stops: Stops, wire: WireRequest): Way<WireRequest> {
  const [source] = stops;
  const steps = stepsOf(stops, wire, (from, to, value) => createConverter(from, to).convertRequest(value, { target }));
  return { steps, before: source.decodeRequest(wire).value, after: source.decodeRequest(end(steps)).value };
}

function responseWay(stops: Stops, body: object): Way<object> {
  const [source] = stops;
  const steps = stepsOf(stops, body, (from, to, value) => createConverter(to, from).convertResponse(value, { target }));
  return {
    steps,
    before: source.decodeResponse(body as Json).value,
    after: source.decodeResponse(end(steps) as Json).value,
  };
}

/** The places where the IR came back different and no report says so. */
function silentChanges({ steps, before, after }: Way<unknown>): Change[] {
  const changes = changesBetween(meaningOf(before), meaningOf(after)).filter((change) => !isEqualByMeaning(change));
  if (changes.length === 0) return [];
  const losses = placeLossesOfWay(steps.map((step) => ({ losses: step.losses, trace: step.trace() })));
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

const rounds: readonly Stops[] = [
  ...pairs,
  ...pairs.flatMap(([source, other]) =>
    protocols.filter((third) => third !== source && third !== other).map((third): Stops => [source, other, third]),
  ),
];
const named = rounds.map((stops) => [stops.map(({ id }) => id).join(" to "), stops] as const);

describe.each(named)("%s and back, for bodies that mean the same", (_, stops) => {
  const [source] = stops;
  test.each(parallelFixtures)("$name comes back as the reports say", ({ operation, body }) => {
    const wire = body(source.id);
    const way = attempt(() =>
      operation === "request" ? requestWay(stops, wire) : responseWay(stops, wire.body as object),
    );
    expect(way === undefined ? [] : told(silentChanges(way))).toEqual([]);
    expect(way === undefined ? [] : leaks(wire.body, way.steps[0].value)).toEqual([]);
  });
});

describeWithCorpus("there and back, over the corpus", (folder) => {
  const { requests, responses } = readCorpus(folder);

  test.each(named)("%s and back", (_, stops) => {
    const [source] = stops;
    const ways = [
      ...requests
        .filter(({ protocol }) => protocol === source.id)
        .map(({ path, wire }) => ({ path, body: wire.body, way: attempt(() => requestWay(stops, wire)) })),
      ...responses
        .filter(({ protocol }) => protocol === source.id)
        .map(({ path, body }) => ({ path, body, way: attempt(() => responseWay(stops, body as object)) })),
    ];
    expect(
      ways.flatMap(({ path, way }) =>
        way === undefined ? [] : told(silentChanges(way)).map((change) => `${path} ${change}`),
      ),
    ).toEqual([]);
    expect(
      ways
        .filter(({ way, body }) => way !== undefined && leaks(body, way.steps[0].value).length > 0)
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
