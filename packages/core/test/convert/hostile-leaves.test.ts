import type { Json, JsonObject, Protocol, ProtocolId } from "@rolecall/core";
import { createConverter, isJsonObject, RolecallError, setOwn, writeSse } from "@rolecall/core";
import { lintRequest, previewSwitch, repair } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { parallelFixtures } from "../bodies/parallel-fixtures.ts";
import { protocols } from "../protocols.ts";
import { framesOf } from "../stream/wire.ts";

/** What no service sends, and what a careless `String` or a look-up in a table stumbles over. */
const hostile: readonly Json[] = [
  { toString: 1 },
  { valueOf: 1, toString: 1 },
  ["__proto__"],
  [{ toString: 1 }],
  "constructor",
  "__proto__",
];

/** The value once for each hostile value at each of its texts whose place `seen` does not know. Places in lists of one kind are alike. */
function* spoiled(root: Json, seen: Set<string>): Generator<Json> {
  const places: { readonly path: readonly string[]; readonly kind: string }[] = [];
  const visit = (value: Json, path: readonly string[], kind: string): void => {
    if (typeof value === "string") places.push({ path, kind });
    else if (typeof value === "object" && value !== null) {
      const kinds = isJsonObject(value) ? ["type", "role"].map((key) => JSON.stringify(value[key])).join() : "";
      for (const [key, item] of Object.entries(value))
        visit(item as Json, [...path, key], `${kind}${Array.isArray(value) ? "" : `${kinds}/${key}`}`);
    }
  };
  visit(root, [], "");
  for (const { path, kind } of places) {
    if (seen.has(kind)) continue;
    seen.add(kind);
    for (const bad of hostile) yield replaced(root, path, bad);
  }
}

function replaced(value: Json, [key, ...below]: readonly string[], bad: Json): Json {
  if (key === undefined) return bad;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as Record<string, Json>;
  setOwn(copy, key, replaced(copy[key] as Json, below, bad));
  return copy as Json;
}

/** What is thrown beside the errors of Rolecall, each said once. */
async function faults(
  bodies: Iterable<Json>,
  runs: readonly ((body: Json) => unknown)[],
): Promise<{ readonly tried: number; readonly found: readonly string[] }> {
  const found = new Set<string>();
  let tried = 0;
  for (const body of bodies) {
    for (const run of runs) {
      tried++;
      try {
        await run(body);
      } catch (error) {
        if (!(error instanceof RolecallError))
          found.add(`${(error as Error).stack?.split("\n").slice(0, 3).join(" ")}`);
      }
    }
  }
  return { tried, found: [...found] };
}

const bodiesOf = (id: ProtocolId, operation: "request" | "response"): Json[] =>
  parallelFixtures.filter((fixture) => fixture.operation === operation).map((fixture) => fixture.body(id).body);

function* spoiledAll(bodies: readonly Json[]): Generator<Json> {
  const seen = new Set<string>();
  for (const body of bodies) yield* spoiled(body, seen);
}

/** One error body in the shape of each family, and one of a server that names places. */
const errorBodies: readonly Json[] = [
  { error: { message: "no", type: "invalid_request_error", param: "model", code: "model_not_found" } },
  { type: "error", error: { type: "overloaded_error", message: "busy" }, request_id: "req_1" },
  {
    error: {
      code: 429,
      message: "slow down",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" }],
    },
  },
  { detail: [{ loc: ["body", "model"], msg: "field required", type: "missing" }] },
];

const streamText = (frames: Json): string =>
  (frames as readonly JsonObject[])
    .map(({ event, data }) =>
      writeSse({
        ...(typeof event === "string" && { event }),
        data: typeof data === "string" ? data : JSON.stringify(data),
      }),
    )
    .join("");

async function drain(stream: AsyncIterable<string>): Promise<void> {
  for await (const text of stream) expect(text).toBeTypeOf("string");
}

/** Every protocol that an answer of this one may go to, also its own. */
const converters = (server: Protocol) => protocols.map((client) => createConverter(client, server));

describe.each(protocols)("texts of $id that are something else", (protocol) => {
  const { id } = protocol;

  test("of requests throw errors of Rolecall alone", async () => {
    const { tried, found } = await faults(spoiledAll(bodiesOf(id, "request")), [
      (body) => lintRequest(body as JsonObject, { protocol: id }),
      (body) => lintRequest(body as JsonObject),
      (body) => repair(body as JsonObject, { protocol: id }),
      ...protocols.flatMap((target) => [
        (body: Json) => createConverter(protocol, target).convertRequest(body as JsonObject),
        (body: Json) => previewSwitch(body as JsonObject, { protocol: id }, { protocol: target.id }),
      ]),
    ]);
    expect(found).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  }, 60_000);

  test("of answers throw errors of Rolecall alone", async () => {
    const { tried, found } = await faults(spoiledAll(bodiesOf(id, "response")), [
      ...converters(protocol).flatMap((converter) => [
        (body: Json) => converter.convertResponse(body as JsonObject),
        (body: Json) => converter.streamResponse(body as JsonObject),
      ]),
    ]);
    expect(found).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  }, 60_000);

  test("of streams throw errors of Rolecall alone", async () => {
    const own = createConverter(protocol, protocol);
    const streams = bodiesOf(id, "response").map(
      (body) => framesOf(own.streamResponse(body as JsonObject).value) as unknown as Json,
    );
    const { tried, found } = await faults(
      spoiledAll(streams),
      converters(protocol).flatMap((converter) => [
        (frames: Json) => drain(converter.convertStream(streamText(frames))),
        (frames: Json) => converter.collectStream(streamText(frames)),
      ]),
    );
    expect(found).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  }, 60_000);

  test("of errors throw errors of Rolecall alone", async () => {
    const { found } = await faults(
      spoiledAll(errorBodies),
      converters(protocol).flatMap((converter) => [
        (body: Json) => converter.convertError({ status: 400, body }),
        (body: Json) => drain(converter.convertStream(`data: ${JSON.stringify(body)}\n\n`)),
      ]),
    );
    expect(found).toEqual([]);
  });
});
