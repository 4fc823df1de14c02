import type { JsonObject, Loss } from "@rolecall/core";
import { convertRequest, lossDefinition, valueAt } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { arbitraryRequestBody, arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attempt, converterOf, crossPairs } from "./conversion.ts";
import { law } from "./law.ts";

/** Losses that name a field because it is missing: their place exists but for its last segment. */
const namesMissing: ReadonlySet<string> = new Set(["field.absent", "tool.schema"]);

/** Losses whose place is not in the source. */
function nowhere(losses: readonly Loss[], source: JsonObject): string[] {
  return losses
    .filter(({ code, path, targetPath }) => {
      if (path === "") return targetPath === undefined;
      const parent = namesMissing.has(code) ? path.slice(0, path.lastIndexOf("/")) : path;
      return valueAt(source, path) === undefined && valueAt(source, parent) === undefined;
    })
    .map(({ code, path }) => `${code} at ${path} (${lossDefinition(code)?.kind})`);
}

const target = { fallbacks: { media: "drop", n: "first" } };

describe.each(crossPairs)("every loss from %s to %s stands in the source", (from, to) => {
  law(
    "of a request",
    400,
    fc.property(arbitraryRequestBody(from), (body) => {
      const outcome = attempt(() => converterOf(from, to).convertRequest(body, { target }));
      if ("value" in outcome) expect(nowhere(outcome.value.losses, body)).toEqual([]);
    }),
  );

  law(
    "of an answer",
    400,
    fc.property(arbitraryResponseBody(from), (body) => {
      const outcome = attempt(() => converterOf(to, from).convertResponse(body, { target }));
      if ("value" in outcome) expect(nowhere(outcome.value.losses, body)).toEqual([]);
    }),
  );
});

const user: JsonObject = { role: "user", content: "q" };
const format: JsonObject = { type: "json_schema", schema: { type: "object" } };
const claude = { model: "claude-opus-4-8", max_tokens: 9, messages: [user] };
const chat = { model: "gpt-5.6", messages: [user] };

/** Settings of several keys, or with values that the other side takes in part. */
const cases: readonly (readonly [string, BodyProtocol, BodyProtocol, JsonObject, string])[] = [
  [
    "a surplus stop sequence",
    "anthropic-messages",
    "openai-chat",
    { ...claude, stop_sequences: ["a", "b", "c", "d", "e"] },
    "/stop_sequences/4",
  ],
  [
    "the deprecated format",
    "anthropic-messages",
    "openai-chat",
    { ...claude, output_format: { ...format, schema: { type: "object", properties: { a: { type: "string" } } } } },
    "/output_format/type",
  ],
  [
    "the deprecated choice",
    "openai-chat",
    "anthropic-messages",
    { ...chat, functions: [{ name: "f" }], function_call: { name: "nope" } },
    "/function_call",
  ],
  ["the deprecated bound", "openai-chat", "anthropic-messages", { ...chat, max_tokens: 10_000_000 }, "/max_tokens"],
];

test.each(cases)("the place of %s is its own", async (_name, from, to, body, path) => {
  const { losses } = await convertRequest(body, { from, to, target: { ...target, maxOutputTokens: 1000 } });
  expect(losses.map((loss) => loss.path)).toContain(path);
  expect(nowhere(losses, body)).toEqual([]);
});
