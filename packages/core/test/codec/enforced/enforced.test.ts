import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { Json, JsonObject, Loss } from "@rolecall/core";
import { convertRequest, valueAt } from "@rolecall/core";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { toStrictJsonSchema } from "openai/lib/transform";
import { describe, expect, test } from "vitest";
import { anySample, objectSample, wholeOf } from "./samples.ts";
import { faultsOf } from "./subsets.ts";

interface Sent {
  readonly body: JsonObject;
  readonly losses: readonly Loss[];
}

async function convert(more: JsonObject, from: "openai-chat" | "anthropic-messages"): Promise<Sent> {
  const body: JsonObject = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "q" }], ...more };
  const to = from === "openai-chat" ? "anthropic-messages" : "openai-chat";
  const { value, losses } = await convertRequest(body, { from, to });
  for (const { path, code } of losses) expect(valueAt(body, path), `${code} at ${path}`).toBeDefined();
  return { body: value as unknown as JsonObject, losses };
}

const options = { strict: false, validateFormats: false, logger: false } as const;
const validators = [new Ajv2020(options), new Ajv(options)];

/** False also for a schema that leads nowhere. A schema of the older draft has lists of items. */
function admits(schema: JsonObject, value: Json): boolean {
  for (const validator of validators) {
    try {
      return validator.compile(schema)(value);
    } catch {
      // Of the other draft, or of none.
    }
  }
  return false;
}

interface Outcome {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly sent: JsonObject | undefined;
  readonly given: boolean;
}

/** How often a schema was enforced and how often that was given up: a law that holds since nothing is enforced says nothing. */
const count = { enforced: 0, given: 0 };

function judge({ schema, value, sent, given }: Outcome, service: "anthropic" | "openai"): void {
  expect(given, "given up without a loss, or with a loss in vain").toBe(sent === undefined);
  count[sent === undefined ? "given" : "enforced"] += 1;
  if (sent === undefined) return;
  expect(faultsOf(sent, service)).toEqual([]);
  if (service === "openai") expect(toStrictJsonSchema(sent as Parameters<typeof toStrictJsonSchema>[0])).toEqual(sent);
  else transformJSONSchema(sent as Parameters<typeof transformJSONSchema>[0]);
  if (admits(schema, value)) expect(admits(sent, value), "what the schema admits is forbidden").toBe(true);
}

const runs = { seed: 20261130, numRuns: 1000 };
const closings = { enforced: 60, given: 60 };

function expectBoth(): void {
  expect(count.enforced).toBeGreaterThan(closings.enforced);
  expect(count.given).toBeGreaterThan(closings.given);
  count.enforced = 0;
  count.given = 0;
}

const strictTool = (schema: JsonObject): JsonObject => ({
  tools: [{ type: "function", function: { name: "f", strict: true, parameters: schema } }],
});
const has = ({ losses }: Sent, code: string, path: string): boolean =>
  losses.some((loss) => loss.code === code && loss.path === path);

describe("a schema is sent as enforced where the service enforces it, and still admits its values", () => {
  test("toward Messages: a strict tool", async () => {
    await fc.assert(
      fc.asyncProperty(wholeOf(objectSample), async ({ schema, value }) => {
        const result = await convert(strictTool(schema), "openai-chat");
        const [tool] = result.body["tools"] as readonly JsonObject[];
        const sent = tool?.["strict"] === true ? (tool["input_schema"] as JsonObject) : undefined;
        const given = has(result, "schema.unenforceable", "/tools/0/function/strict");
        judge({ schema, value, sent, given }, "anthropic");
      }),
      runs,
    );
    expectBoth();
  });

  test("toward Messages: the answer", async () => {
    await fc.assert(
      fc.asyncProperty(wholeOf(anySample), async ({ schema, value }) => {
        const format = { type: "json_schema", json_schema: { name: "n", schema } };
        const result = await convert({ response_format: format }, "openai-chat");
        const sent = valueAt(result.body, "/output_config/format/schema") as JsonObject | undefined;
        judge({ schema, value, sent, given: has(result, "format.unenforceable", "/response_format") }, "anthropic");
      }),
      runs,
    );
    expectBoth();
  });

  test("toward Chat: a strict tool and the answer, whose schema stays as it is", async () => {
    await fc.assert(
      fc.asyncProperty(wholeOf(objectSample), async ({ schema, value }) => {
        const tools = [{ name: "f", strict: true, input_schema: schema }];
        const format = { type: "json_schema", schema };
        const result = await convert({ tools, output_config: { format } }, "anthropic-messages");
        const [tool] = result.body["tools"] as readonly JsonObject[];
        const called = tool?.["function"] as JsonObject;
        const answered = valueAt(result.body, "/response_format/json_schema") as JsonObject;
        expect([called["parameters"], answered["schema"]]).toEqual([schema, schema]);
        for (const [strict, given] of [
          [called["strict"], has(result, "schema.unenforceable", "/tools/0/strict")],
          [answered["strict"], has(result, "format.enforcement", "/output_config/format/type")],
        ] as const) {
          judge({ schema, value, sent: strict === true ? schema : undefined, given }, "openai");
        }
      }),
      runs,
    );
    expectBoth();
  });
});
