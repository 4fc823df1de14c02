import type { Json, JsonObject, Loss } from "@rolecall/core";
import { convertRequest, valueAt } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { arbitraryRequestBody, arbitraryResponseBody, withUnknown } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fallbacks } from "../../protocols.ts";
import { attempt, convert, operations, ways } from "../conversion.ts";
import { law } from "../law.ts";

interface Conversion {
  readonly value: Json;
  readonly losses: readonly Loss[];
}

/** No value, null and empty containers mean absence. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** What is wrong with the place of a loss. */
function placeFault({ code, kind, path, targetPath }: Loss, body: JsonObject, result: Conversion): string | undefined {
  if (kind === "synthesized" && path === "") {
    const isThere = targetPath !== undefined && valueAt(result.value, targetPath) !== undefined;
    return isThere ? undefined : `${code} has no place in the output: ${targetPath}`;
  }
  const stated = path === "" ? undefined : valueAt(body, path);
  // An answer of Gemini may not say why it ended.
  if (code === "stop.unknown" && /\/(?:finishReason|candidates)$/.test(path)) return undefined;
  if (code !== "field.absent" && code !== "stop.inferred")
    return stated === undefined ? `${code} has no place in the body: "${path}"` : undefined;
  // A value of the wrong type counts as absent, and is told by a loss of its own.
  const others = result.losses.filter((other) => other.path === path && other.code !== code);
  return isNothing(stated) || others.length > 0 ? undefined : `${code} where there is something: ${path}`;
}

/** All that is wrong with the places of the losses. */
const placeFaults = (body: JsonObject, result: Conversion): string[] =>
  result.losses.flatMap((loss) => placeFault(loss, body, result) ?? []);

for (const { name, from, to, target } of ways)
  describe(`each loss from ${name} stands in the source, or where it was made up`, () => {
    describe.each(operations)("of a %s", (operation) => {
      const usual = operation === "request" ? arbitraryRequestBody(from) : arbitraryResponseBody(from);

      law(
        "whatever it holds",
        150,
        fc.property(fc.oneof(usual, withUnknown(usual)), (body) => {
          const outcome = attempt(() => convert(from, to, operation, body, target));
          if ("value" in outcome) expect(placeFaults(body, outcome.value)).toEqual([]);
        }),
      );
    });
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
  const result = await convertRequest(body, { from, to, target: { fallbacks, maxOutputTokens: 1000 } });
  expect(result.losses.map((loss) => loss.path)).toContain(path);
  expect(placeFaults(body, result)).toEqual([]);
});
