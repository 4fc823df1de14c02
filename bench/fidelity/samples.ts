import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { isJsonObject, protocolIds, valueAt } from "@rolecall/core";
import { areas, bodyOf, examplesOf } from "../../packages/core/test/matrix/matrix.ts";
import { repository } from "../../test/source-files.ts";
import type { Operation } from "./direction.ts";

/** A body of the fixtures. */
export interface Sample {
  readonly name: string;
  readonly operation: Operation;
  readonly protocol: ProtocolId;
  /** Of a stream `{ events }`, the JSON of its frames. */
  readonly body: Json;
  /** Where something stands that no other sample has; absent: everywhere. */
  readonly within?: readonly string[];
}

interface Frame {
  readonly data?: Json;
}

/** A request of Gemini names its model beside its body; those that are asked over HTTP read it from there. */
export const model = "example-model";

/** What is said around an answer that goes back with the next request. */
export const question = "Which files changed?";
export const next = "Go on.";
export const result = "Two files.";

/** The conversations and answers of `fixtures/parallel`. */
function parallelSamples(): Sample[] {
  const folder = join(repository, "fixtures/parallel");
  return readdirSync(folder).flatMap((name) =>
    protocolIds.flatMap((protocol) =>
      (["request", "response"] as const).flatMap((operation) => {
        const file = join(folder, name, `${protocol}.${operation}.json`);
        const text = readText(file);
        if (text === undefined) return [];
        const value = JSON.parse(text) as Json;
        const isWrapped = protocol === "gemini-generate-content" && operation === "request";
        const body = isWrapped ? (valueAt(value, "/body") as Json) : value;
        return [{ name: `parallel/${name}`, operation, protocol, body }];
      }),
    ),
  );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The examples of `fixtures/matrix` that a service takes as they stand: what each adds to the least body of its protocol is measured. */
function matrixSamples(): Sample[] {
  return areas.flatMap(([area, rows]) =>
    rows.flatMap((row) =>
      examplesOf(row).flatMap(({ from, example }, index): Sample[] => {
        if (row.mode === "error" || example.invalid !== undefined || example.headers !== undefined) return [];
        const name = `matrix/${area} ${row.id} ${index}`;
        const body = bodyOf(row, from, example);
        if (row.mode === "stream") {
          const events = (body as readonly Frame[]).flatMap(({ data }) => (isJsonObject(data) ? [data] : []));
          return [{ name, operation: "stream", protocol: from, body: { events } as JsonObject }];
        }
        return [{ name, operation: row.mode, protocol: from, body, within: placesOf(body, Object.keys(example.add)) }];
      }),
    ),
  );
}

/** The places of what was added; what stands behind the last element of a list is there the last one. */
function placesOf(body: Json, places: readonly string[]): string[] {
  return places.map((place) => {
    if (!place.endsWith("/-")) return place;
    const list = valueAt(body, place.slice(0, -2));
    return `${place.slice(0, -1)}${Array.isArray(list) ? list.length - 1 : 0}`;
  });
}

/** All bodies that are measured, and for each answer the request that has it in its history. */
export function collectSamples(): readonly Sample[] {
  const samples = [...parallelSamples(), ...matrixSamples()];
  const histories = samples.filter(({ operation }) => operation === "response");
  return [...samples, ...histories.map((sample): Sample => ({ ...sample, operation: "history" }))];
}
