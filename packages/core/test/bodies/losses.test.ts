import type { Json, Loss, Protocol, WireRequest } from "@rolecall/core";
import { createConverter, escapeSegment, lossDefinition, RolecallError, valueAt } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { fallbacks, pairs } from "../protocols.ts";
import { readCorpus } from "./bodies.ts";
import { parallelFixtures } from "./parallel-fixtures.ts";

type Operation = "request" | "response";

const target = { fallbacks };

interface Conversion {
  /** What the client, or the service, wrote; a request with what stands in its headers. */
  readonly source: unknown;
  readonly ir: unknown;
  readonly result: unknown;
  readonly losses: readonly Loss[];
}

/** A conversion, or nothing where it is refused. */
function convert(source: Protocol, to: Protocol, operation: Operation, wire: WireRequest): Conversion | undefined {
  try {
    if (operation === "request") {
      const { value, losses } = createConverter(source, to).convertRequest(wire, { target });
      const ir = source.decodeRequest(wire).value;
      return { source: { ...(wire.body as object), headers: wire.headers }, ir, result: value.body, losses };
    }
    const { value, losses } = createConverter(to, source).convertResponse(wire.body as object, { target });
    return { source: wire.body, ir: source.decodeResponse(wire.body).value, result: value, losses };
  } catch (error) {
    if (error instanceof RolecallError) return undefined;
    throw error;
  }
}

/** Losses that name a field because it is missing: their place exists but for its last segment. */
const namesMissing: ReadonlySet<string> = new Set(["field.absent", "stop.inferred", "stop.unknown"]);

/** A loss may name what a node is, and the arguments of a call, however the IR holds them. */
function isInIr(irPath: string, ir: unknown): boolean {
  const parent = irPath.slice(0, irPath.lastIndexOf("/"));
  return (
    valueAt(ir, irPath) !== undefined || (/\/(?:arguments|type)$/.test(irPath) && valueAt(ir, parent) !== undefined)
  );
}

/** What is wrong with a loss, whatever it says. */
function faultsOf(loss: Loss, { source, ir, result }: Conversion): string[] {
  const { code, path, irPath, targetPath, detail } = loss;
  const definition = lossDefinition(code);
  if (definition === undefined) return [`${code} is not in the catalogue`];
  const parent = path.slice(0, path.lastIndexOf("/"));
  const exists =
    valueAt(source, path) !== undefined || (namesMissing.has(code) && valueAt(source, parent) !== undefined);
  return [
    ...(loss.effect !== definition.effect ? [`${code} has another effect`] : []),
    ...(loss.severity !== definition.severity ? [`${code} has another severity`] : []),
    ...(path === "" && targetPath === undefined ? [`${code} has no place`] : []),
    ...(path !== "" && !exists ? [`${code} at ${path}: nothing is there`] : []),
    ...(irPath !== undefined && !namesMissing.has(code) && !isInIr(irPath, ir)
      ? [`${code} at ${irPath} of the IR: nothing is there`]
      : []),
    ...(targetPath !== undefined && valueAt(result, targetPath) === undefined
      ? [`${code} at ${targetPath} of the result: nothing is there`]
      : []),
    ...(/\{\w+\}/.test(detail) ? [`${code} has a gap in its detail`] : []),
  ];
}

/** Words of protocols that a body holds as well and that are no content. */
const words: ReadonlySet<string> = new Set([
  "application/pdf",
  "stop_sequence",
  "content_filter",
  "PROHIBITED_CONTENT",
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
]);

/** Texts of a body that are long enough to be told from words. */
function textsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === "string") {
    if (value.length >= 12 && !words.has(value)) found.add(value);
  } else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) textsOf(item, found);
  }
  return found;
}

/** Details that quote the body. */
function quotes({ source, losses }: Conversion): string[] {
  const texts = [...textsOf(source)];
  return losses
    .filter(({ detail }) => texts.some((text) => detail.includes(text)))
    .map(({ code, path }) => `${code} at ${path} quotes the body`);
}

/** The pointers of all texts of a value. */
function textPointers(value: Json, pointer = ""): string[] {
  if (typeof value === "string") return [pointer];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textPointers(item, `${pointer}/${escapeSegment(key)}`));
}

function replaced(value: Json, pointer: string, text: string): Json {
  if (pointer === "") return text;
  const [, head = "", rest = ""] = /^\/([^/]*)(.*)$/.exec(pointer) ?? [];
  const key = head.replaceAll("~1", "/").replaceAll("~0", "~");
  if (Array.isArray(value))
    return value.map((item: Json, index) => (String(index) === key ? replaced(item, rest, text) : item));
  const object = value as { readonly [key: string]: Json };
  return { ...object, [key]: replaced(object[key] as Json, rest, text) };
}

const named = pairs.map(([source, to]) => ({ name: `${source.id} to ${to.id}`, source, to }));

describe.each(named)("losses from $name", ({ source, to }) => {
  test.each(parallelFixtures)("are well formed for $name", ({ operation, body }) => {
    const conversion = convert(source, to, operation, body(source.id));
    if (conversion === undefined) return;
    expect([...conversion.losses.flatMap((loss) => faultsOf(loss, conversion)), ...quotes(conversion)]).toEqual([]);
  });

  // Words of a closed set could be anything as well: nobody keeps a client from writing a secret there.
  test.each(parallelFixtures)("quote nothing, whatever stands where in $name", ({ operation, body }) => {
    const wire = body(source.id);
    const secret = "hunter2-correct-horse";
    const quoting = textPointers(wire.body).flatMap((pointer) => {
      const conversion = convert(source, to, operation, { ...wire, body: replaced(wire.body, pointer, secret) });
      return (conversion?.losses ?? [])
        .filter(({ detail }) => detail.includes(secret))
        .map(({ code }) => `${code} ${pointer}`);
    });
    expect(quoting).toEqual([]);
  });
});

describeWithCorpus("losses over the corpus", (folder) => {
  const { requests, responses } = readCorpus(folder);

  test.each(named)("$name", ({ source, to }) => {
    const bodies = [
      ...requests.map((item) => ({ ...item, operation: "request" as const })),
      ...responses.map((item) => ({ ...item, wire: { body: item.body }, operation: "response" as const })),
    ].filter(({ protocol }) => protocol === source.id);
    const faults = bodies.flatMap(({ path, operation, wire }) => {
      const conversion = convert(source, to, operation, wire);
      if (conversion === undefined) return [];
      const found = [...conversion.losses.flatMap((loss) => faultsOf(loss, conversion)), ...quotes(conversion)];
      return found.map((fault) => `${path}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });
});
