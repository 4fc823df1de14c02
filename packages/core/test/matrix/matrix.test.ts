import { lintRequest } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import type { Json, ProtocolId } from "../../src/index.ts";
import { valueAt } from "../../src/index.ts";
import { hasCodec } from "../protocols.ts";
import { schemaFindings } from "../vendor-schema.ts";
import type { Example, Mode, Row } from "./matrix.ts";
import { areas, baseOf, bodyOf, casesOf, examplesOf, textsOf } from "./matrix.ts";
import type { Outcome } from "./outcome.ts";
import { namesOf, outcomeOf } from "./outcome.ts";

/** What a service would refuse of a body, or the types of its SDK do not allow. */
function faults(mode: Mode, protocol: ProtocolId, body: Json, { profiles = {} }: Example): string[] {
  if (mode !== "request" && mode !== "response") return [];
  const profile = profiles[protocol] ?? {};
  const findings = mode === "request" ? lintRequest({ body }, { protocol, profile }) : [];
  return [
    // Most models of Gemini go on with a started answer.
    ...findings
      .filter(({ severity, rule }) => severity === "error" && rule !== "G1b")
      .map(({ rule, path }) => `${rule} ${path}`),
    ...schemaFindings(protocol, mode, body, profile),
  ];
}

/** What the least body loses: the time of an answer, say. It is none of the concept's. */
async function ambientLosses(mode: Mode, from: ProtocolId, to: ProtocolId, { profiles }: Example): Promise<string[]> {
  const outcome = await outcomeOf(mode, from, to, baseOf(mode, from), { ...(profiles !== undefined && { profiles }) });
  return "refused" in outcome ? [] : namesOf(outcome.losses);
}

/** Texts that a loss says were dropped, that stand nowhere else in the source, and that arrive all the same. */
function arrived(body: Json, { value, losses }: Extract<Outcome, { value: Json }>): string[] {
  const target = JSON.stringify(value);
  const source = textsOf(body);
  const dropped = losses.filter(({ kind }) => kind === "dropped").flatMap(({ path }) => textsOf(valueAt(body, path)));
  const times = (texts: readonly string[], text: string): number =>
    texts.filter((other) => other.includes(text)).length;
  return dropped.filter((text) => target.includes(text) && times(source, text) === times(dropped, text));
}

/** The name of a loss whose frame of a stream may have another number. */
const placeless = (name: string): string => name.replace(/\/events\/\d+/, "/events/*");

const title = (row: Row, from: string, to: string): string => `${row.id} ${from} → ${to}`;

describe.each(areas)("%s", (_, rows) => {
  const cases = rows.flatMap(casesOf).map((found) => [title(found.row, found.from, found.to), found] as const);
  test.each(cases)("%s", async (_title, { row, from, to, example, expected }) => {
    const body = bodyOf(row, from, example);
    const outcome = await outcomeOf(row.mode, from, to, body, example);
    if ("refused" in outcome || expected.refused !== undefined) {
      expect(outcome).toEqual({ refused: expected.refused });
      return;
    }
    const { value, losses } = outcome;
    const { sent = {} } = expected;
    const ambient = (await ambientLosses(row.mode, from, to, example)).map(placeless);
    expect({
      sent: Object.fromEntries(Object.keys(sent).map((place) => [place, valueAt(value, place)])),
      losses: namesOf(losses)
        .filter((name) => !ambient.includes(placeless(name)))
        .sort(),
    }).toEqual({ sent, losses: [...(expected.losses ?? [])].sort() });
    expect(arrived(body, outcome)).toEqual([]);
    expect(faults(row.mode, to, value, example)).toEqual([]);
  });

  const own = rows.flatMap((row) =>
    examplesOf(row)
      .filter(({ from }) => hasCodec(from))
      .map(({ from, example }) => [title(row, from, from), row, from, example] as const),
  );
  test.each(own)("%s", async (_title, row, from, example) => {
    const body = bodyOf(row, from, example);
    if (example.invalid === undefined) expect(faults(row.mode, from, body, example)).toEqual([]);
    else expect(faults(row.mode, from, body, example)).not.toEqual([]);
    const outcome = await outcomeOf(row.mode, from, from, body, {
      ...(example.headers && { headers: example.headers }),
    });
    if (row.mode !== "stream") expect(outcome).toMatchObject({ value: body, losses: [] });
    else expect(outcome).toMatchObject({ losses: [] });
  });
});
