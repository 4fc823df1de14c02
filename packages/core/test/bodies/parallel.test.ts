import type { AssistantMessage, Conversation, Json, Message, Protocol, WireRequest } from "@rolecall/core";
import { createConverter, isJsonObject, RolecallError, valueAt, visitMessage, visitNodes } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { fallbacks, pairs, protocols } from "../protocols.ts";
import { changesBetween } from "./differences.ts";
import { isEqualByMeaning, isReported, placeLosses } from "./explanations.ts";
import type { IrValue, ParallelFixture } from "./parallel-fixtures.ts";
import { allProtocols, applyDifferences, meaningOf, parallelFixtures, unknownFiles } from "./parallel-fixtures.ts";

function decode(protocol: Protocol, { operation }: ParallelFixture, wire: WireRequest): IrValue {
  return operation === "request" ? protocol.decodeRequest(wire).value : protocol.decodeResponse(wire.body).value;
}

/** What the protocol's body means, by the fixture. */
const expected = (fixture: ParallelFixture, protocol: Protocol): unknown =>
  applyDifferences(fixture.ir, fixture.differences(protocol.id));

describe.each(protocols.map((protocol) => ({ name: protocol.id, protocol })))(
  "$name means the same",
  ({ protocol }) => {
    test.each(parallelFixtures.map((fixture) => ({ name: fixture.name, fixture })))("$name", ({ fixture }) => {
      expect(meaningOf(decode(protocol, fixture, fixture.body(protocol.id)))).toEqual(expected(fixture, protocol));
    });
  },
);

/** Converted, a body means what the target's own body means, but for what the reports say and what the source could not say. */
describe.each(pairs.map(([source, target]) => ({ name: `${source.id} as ${target.id}`, source, target })))(
  "$name",
  ({ source, target }) => {
    test.each(parallelFixtures.map((fixture) => ({ name: fixture.name, fixture })))("$name", ({ fixture }) => {
      const wire = fixture.body(source.id);
      const options = { target: { apiVersion: "2023-06-01", fallbacks } };
      let sent: WireRequest;
      let losses: Parameters<typeof placeLosses>[0];
      try {
        if (fixture.operation === "request") {
          ({ value: sent, losses } = createConverter(source, target).convertRequest(wire, options));
        } else {
          const converted = createConverter(target, source).convertResponse(wire.body as object, options);
          sent = { body: converted.value as Json };
          losses = converted.losses;
        }
      } catch (error) {
        if (error instanceof RolecallError && error.code === "unsupported") return;
        throw error;
      }
      // What the source cannot say, and what the target's own body says in another way than the rest.
      const unsaid = [source, target].flatMap(({ id }) =>
        fixture.differences(id).map(({ pointer }) => ({ code: "", irPath: pointer })),
      );
      const changes = changesBetween(expected(fixture, target), meaningOf(decode(target, fixture, sent)));
      const silent = changes.filter(
        (change) => !isEqualByMeaning(change) && !isReported(change, [...placeLosses(losses), ...unsaid]),
      );
      expect(silent).toEqual([]);
    });
  },
);

describe("the fixtures themselves", () => {
  test("there are some of each kind", () => {
    const requests = parallelFixtures.filter(({ operation }) => operation === "request");
    expect(requests.length).toBeGreaterThan(50);
    expect(parallelFixtures.length - requests.length).toBeGreaterThan(15);
  });

  describe.each(parallelFixtures.map((fixture) => ({ name: fixture.name, fixture })))("$name", ({ fixture }) => {
    test("has a body in every protocol, and no other file", () => {
      for (const protocol of allProtocols) expect(isJsonObject(fixture.body(protocol).body)).toBe(true);
      expect(unknownFiles(fixture)).toEqual([]);
    });

    test("has an IR value without what names a protocol", () => {
      const messages: readonly Message[] = "messages" in fixture.ir ? fixture.ir.messages : [fixture.ir];
      expect(messages.map(({ role }) => role).filter((role) => !roles.includes(role))).toEqual([]);
      const named: string[] = [];
      const visit = (node: object, pointer: string): void => {
        for (const key of ["wire", "state"]) if (key in node) named.push(`${pointer}/${key}`);
      };
      if ("messages" in fixture.ir) visitNodes(fixture.ir as Conversation, visit);
      else visitMessage(fixture.ir as AssistantMessage, "", visit);
      expect(named).toEqual([]);
    });

    test("answers each call once, in order", () => {
      if (!("messages" in fixture.ir)) return;
      const calls = new Set<string>();
      for (const message of fixture.ir.messages) {
        if (message.role === "assistant")
          for (const part of message.content) if (part.type === "toolCall") calls.add(part.id);
        if (message.role === "toolResult") expect(calls.delete(message.toolCallId)).toBe(true);
      }
    });

    test.each(allProtocols)("has differences of %s that apply, each with a reason", (protocol) => {
      const differences = fixture.differences(protocol);
      let value = fixture.ir;
      for (const difference of differences) {
        expect(difference.reason).not.toBe("");
        const next = applyDifferences(value, [difference]);
        if (difference.absent !== true) expect(valueAt(next, difference.pointer)).toEqual(difference.value);
        expect(next).not.toEqual(value);
        value = next;
      }
    });
  });
});

const roles = ["system", "user", "assistant", "toolResult"];
