import type { Converted, JsonObject, Loss } from "@rolecall/core";
import { arbitraryRequestBody, arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { readCorpus } from "../bodies/bodies.ts";
import { leaks, opaquePayloads } from "../bodies/opaque-payloads.ts";
import { parallelFixtures } from "../bodies/parallel-fixtures.ts";
import { fallbacks } from "../protocols.ts";
import type { Operation } from "./conversion.ts";
import { accepted, attempt, converterOf, isMended, operations, protocolIds, protocols } from "./conversion.ts";
import { expectSame } from "./differences.ts";
import { law } from "./law.ts";

/** L8: opaque state never crosses issuers, and returns to its own. Here both services speak one protocol. */
type Id = (typeof protocolIds)[number];

/** From a service to another, or back to itself. A response is read as one of `from` and sent on as the history of a request. */
function convert(id: Id, operation: Operation, body: JsonObject, from: string, to: string): Converted<JsonObject> {
  if (operation === "request")
    return converterOf(id, id).convertRequest(body, {
      source: { provider: from },
      target: { provider: to, fallbacks },
    });
  const protocol = protocols[id];
  const answer = protocol.decodeResponse(body, { from: id, to: id, provider: from }).value;
  const content = [{ type: "text", text: "hi" }] as const;
  const messages = [{ role: "user", content } as const, answer];
  const wire = answer.wire === undefined ? {} : { wire: { protocol: id } as const };
  const encoded = protocol.encodeRequest({ messages, settings: {}, ...wire }, { provider: to });
  return { value: encoded.value.body as JsonObject, losses: encoded.losses as unknown as readonly Loss[] };
}

const isUnder = (path: string, loss: Loss): boolean =>
  loss.kind === "dropped" && (path === loss.path || path.startsWith(`${loss.path}/`));

function expectKept(id: Id, operation: Operation, body: JsonObject): void {
  const crossed = convert(id, operation, body, "one", "another");
  expect(leaks(body, crossed.value)).toEqual([]);
  if (operation === "response") return;
  const untold = opaquePayloads(body).filter(({ path }) => !crossed.losses.some((loss) => isUnder(path, loss)));
  expect(untold).toEqual([]);
}

describe.each(protocolIds)("%s to another service of the protocol", (id) => {
  for (const [operation, bodies] of [
    ["request", arbitraryRequestBody(id)],
    ["response", arbitraryResponseBody(id)],
  ] as const) {
    law(
      `opaque state of a ${operation} stays behind, and is told`,
      400,
      fc.property(bodies, (body) => {
        fc.pre(accepted(() => convert(id, operation, body, "one", "one")) !== undefined);
        const crossed = attempt(() => convert(id, operation, body, "one", "another"));
        // What names a stored thing is refused toward another service.
        if ("error" in crossed) expect(crossed.error.code).toBe("unsupported");
        fc.pre(!("error" in crossed));
        expectKept(id, operation, body);
      }),
    );
  }

  law(
    "and returns to its own",
    200,
    fc.property(arbitraryRequestBody(id), (body) => {
      const result = accepted(() => convert(id, "request", body, "one", "one"));
      fc.pre(result !== undefined && !isMended(result.losses));
      expectSame(result.value, body);
    }),
  );

  test.each(parallelFixtures)("$name", ({ operation, body }) => {
    const result = attempt(() => expectKept(id, operation, body(id).body as JsonObject));
    expect("error" in result ? result.error.message : "").not.toContain("opaque");
  });
});

test("the signature of a call behind the compatible API of Gemini stays with it", () => {
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "read", arguments: "{}" },
    extra_content: { google: { thought_signature: "c2lnbmF0dXJl", more: 1 } },
  };
  const body = {
    model: "m",
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "done" },
    ],
  };
  expect(convert("openai-chat", "request", body, "google", "google")).toMatchObject({ value: body, losses: [] });
  const crossed = convert("openai-chat", "request", body, "google", "openai");
  expect(leaks(body, crossed.value)).toEqual([]);
  expect(crossed.losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "state.foreign /messages/1/tool_calls/0/extra_content/google/thought_signature",
  ]);
});

/** What gateways put beside messages: no protocol has these fields. */
test.each<readonly [Id, JsonObject]>([
  ["openai-chat", { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "c2lnbmF0dXJl" }] }],
  ["openai-chat", { thinking_blocks: [{ type: "redacted_thinking", data: "cmVkYWN0ZWQ=" }] }],
  ["openai-chat", { provider_specific_fields: { thought_signature: "c2lnbmF0dXJl", more: 1 } }],
  ["openai-chat", { reasoning_opaque: "b3BhcXVlLi4u" }],
  ["openai-chat", { x: { encrypted_content: "ZW5jcnlwdGVk" } }],
  ["anthropic-messages", { x: { encrypted_content: "ZW5jcnlwdGVk" } }],
])("payloads in unknown fields of %s stay behind, and nothing else", (id, fields) => {
  const body = {
    model: "m",
    max_tokens: 9,
    fallback_credit_token: "Y3JlZGl0Li4u",
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: "hello", ...fields },
      { role: "user", content: "go on" },
    ],
  };
  expectKept(id, "request", body);
  const crossed = convert(id, "request", body, "one", "another");
  expect(crossed.losses.map(({ code }) => code)).toEqual(["state.foreign", "state.foreign"]);
  expect(JSON.stringify(crossed.value)).toContain("hello");
  for (const kept of ["hm", '"more":1'])
    expect(JSON.stringify(crossed.value).includes(kept)).toBe(JSON.stringify(body).includes(kept));
  expect(convert(id, "request", body, "one", "one")).toMatchObject({ value: body, losses: [] });
});

describeWithCorpus("opaque state among services of one protocol, over the corpus", (folder) => {
  const { requests, responses } = readCorpus(folder);

  test.each(protocolIds)("%s", (id) => {
    const bodies = [
      ...requests.map(({ protocol, wire, path }) => ({ protocol, path, operation: operations[0], body: wire.body })),
      ...responses.map(({ protocol, body, path }) => ({ protocol, path, operation: operations[1], body })),
    ].filter(({ protocol }) => protocol === id);
    const holding = bodies.filter(({ body }) => opaquePayloads(body).length > 0);
    expect(holding.length).toBeGreaterThan(0);
    for (const { operation, body, path } of holding) {
      const result = attempt(() => expectKept(id, operation, body as JsonObject));
      expect("error" in result ? `${path}: ${result.error.message}` : "").toBe("");
    }
  });
});
