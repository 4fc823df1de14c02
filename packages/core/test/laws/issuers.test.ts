import type { Converted, JsonObject, Loss } from "@rolecall/core";
import { DecodeError } from "@rolecall/core";
import { arbitraryRequestBody, arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { readCorpus } from "../bodies/bodies.ts";
import { leaks, opaquePayloads } from "../bodies/opaque-payloads.ts";
import { parallelFixtures } from "../bodies/parallel-fixtures.ts";
import { fallbacks } from "../protocols.ts";
import type { Operation } from "./conversion.ts";
import {
  accepted,
  attempt,
  convert as convertAcross,
  converterOf,
  crossPairs,
  isMended,
  operations,
  protocolIds,
  protocols,
} from "./conversion.ts";
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

/** To a service of another protocol, whose own state it cannot be. */
function expectKeptAcross(from: Id, to: Id, operation: Operation, body: JsonObject): void {
  const crossed = convertAcross(from, to, operation, body, { fallbacks });
  expect(leaks(body, crossed.value)).toEqual([]);
  const untold = opaquePayloads(body).filter(({ path }) => !crossed.losses.some((loss) => isUnder(path, loss)));
  expect(untold).toEqual([]);
}

describe.each(crossPairs)("%s to %s", (from, to) => {
  for (const operation of operations) {
    law(
      `opaque state of a ${operation} stays behind, and is told`,
      200,
      fc.property(operation === "request" ? arbitraryRequestBody(from) : arbitraryResponseBody(from), (body) => {
        fc.pre("value" in attempt(() => convertAcross(from, to, operation, body, { fallbacks })));
        expectKeptAcross(from, to, operation, body);
      }),
    );
  }
});

/** The state of each issuer: what it is called there, and a turn of the model that holds it. */
const issued: { readonly [id in Id]: { readonly [name: string]: (payload: string) => JsonObject } } = {
  "openai-chat": {
    "a signature of the compatible API of Gemini": (payload) =>
      chat({ tool_calls: [{ ...chatCall, extra_content: { google: { thought_signature: payload } } }] }),
    "encrypted reasoning of OpenRouter": (payload) =>
      chat({ content: "a", reasoning_details: [{ type: "reasoning.encrypted", data: payload, index: 0 }] }),
    "signed reasoning of OpenRouter": (payload) =>
      chat({ content: "a", reasoning_details: [{ type: "reasoning.text", text: "hm", signature: payload, index: 0 }] }),
    "reasoning of Copilot": (payload) => chat({ content: "a", reasoning_opaque: payload }),
  },
  "openai-responses": {
    "encrypted reasoning": (payload) =>
      responses({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: payload }),
    "a compaction": (payload) => responses({ type: "compaction", encrypted_content: payload }),
  },
  "anthropic-messages": {
    "a signature": (payload) => messages({ type: "thinking", thinking: "hm", signature: payload }),
    "redacted thinking": (payload) => messages({ type: "redacted_thinking", data: payload }),
    "what a search found": (payload) =>
      messages(
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "a" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: [{ type: "web_search_result", url: "https://example.com", title: "a", encrypted_content: payload }],
        },
      ),
  },
  "gemini-generate-content": {
    "a signature of a text": (payload) => gemini({ text: "a", thoughtSignature: payload }),
    "a signature of a thought": (payload) => gemini({ text: "hm", thought: true, thoughtSignature: payload }),
    "a signature alone": (payload) => gemini({ text: "a" }, { text: "", thoughtSignature: payload }),
  },
};

const chatCall = { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } };
const chat = (turn: JsonObject): JsonObject => ({
  model: "m",
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: null, ...turn },
    ...("tool_calls" in turn ? [{ role: "tool", tool_call_id: "call_1", content: "done" }] : []),
    { role: "user", content: "go on" },
  ],
});
const responses = (item: JsonObject): JsonObject => ({
  model: "m",
  input: [{ role: "user", content: "hi" }, item, { role: "assistant", content: "a" }, { role: "user", content: "b" }],
});
const messages = (...blocks: readonly JsonObject[]): JsonObject => ({
  model: "m",
  max_tokens: 9,
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [...blocks, { type: "text", text: "a" }] },
    { role: "user", content: "b" },
  ],
});
const gemini = (...parts: readonly JsonObject[]): JsonObject => ({
  contents: [
    { role: "user", parts: [{ text: "hi" }] },
    { role: "model", parts },
    { role: "user", parts: [{ text: "b" }] },
  ],
});

describe.each(protocolIds.flatMap((id) => Object.entries(issued[id]).map(([name, body]) => [id, name, body] as const)))(
  "%s: %s",
  (id, _, bodyOf) => {
    const body = bodyOf("b3BhcXVlLXN0YXRl");

    test("is found", () => {
      expect(opaquePayloads(body)).toHaveLength(1);
    });

    test("returns to its own, verbatim", () => {
      expect(convert(id, "request", body, "one", "one")).toMatchObject({ value: body, losses: [] });
    });

    test("goes to no other service of the protocol", () => {
      expectKept(id, "request", body);
    });

    test.each(protocolIds.filter((other) => other !== id))("goes to none of %s", (other) => {
      expectKeptAcross(id, other, "request", body);
    });
  },
);

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
      // What is no body of its protocol is listed where bodies go to themselves.
      const isBody = !("error" in result && result.error instanceof DecodeError);
      expect("error" in result && isBody ? `${path}: ${result.error.message}` : "").toBe("");
    }
  });
});
