import type { Json, JsonObject, Profile, ProtocolId } from "@rolecall/core";
import { DecodeError } from "@rolecall/core";
import type { RuleDefinition } from "@rolecall/core/check";
import { lintRequest, lintRules } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { anthropicCases } from "./anthropic-cases.ts";
import type { RuleCase } from "./cases.ts";
import { chatCases } from "./chat-cases.ts";
import { geminiCases } from "./gemini-cases.ts";
import { responsesCases } from "./responses-cases.ts";

const cases: { readonly [protocol in ProtocolId]: readonly RuleCase[] } = {
  "openai-chat": chatCases,
  "openai-responses": responsesCases,
  "anthropic-messages": anthropicCases,
  "gemini-generate-content": geminiCases,
};

const checked = Object.keys(cases) as ProtocolId[];
const rulesOf = (protocol: string): readonly RuleDefinition[] => lintRules[protocol] ?? [];

describe.each(checked)("%s", (protocol) => {
  const own = cases[protocol];
  const lint = (body: JsonObject, profile: Profile = {}) => lintRequest(body, { protocol, profile });

  test("has a case for each of its rules", () => {
    const ids = new Set(own.map(({ rule }) => rule));
    expect(
      rulesOf(protocol)
        .map(({ id }) => id)
        .filter((id) => !ids.has(id)),
    ).toEqual([]);
  });

  test.each(own.map((entry) => [entry.rule, entry.path, entry] as const))("%s finds %s", (rule, path, entry) => {
    const definition = rulesOf(protocol).find(({ id }) => id === rule);
    const found = lint(entry.bad, entry.profile).filter((finding) => finding.rule === rule);
    expect(found.map((finding) => finding.path)).toContain(path);
    for (const { severity, source, evidence } of found)
      expect({ severity, source, evidence }).toEqual({
        severity: definition?.severity,
        source: definition?.source,
        evidence: definition?.evidence,
      });
  });

  test.each(own.map((entry) => [entry.rule, entry] as const))("%s lets the body next to it be", (_, entry) => {
    expect(lint(entry.good, entry.goodProfile ?? entry.profile)).toEqual([]);
  });

  test("changes no input", () => {
    for (const { bad, profile } of own.filter(({ rule }) => rule !== "A16")) {
      const before = JSON.stringify(bad);
      lint(bad, profile);
      expect(JSON.stringify(bad) === before).toBe(true);
    }
  });

  test("says nothing of what is said", () => {
    const secret = "sesame";
    for (const { bad, profile } of own.filter(({ rule }) => rule !== "A16")) {
      const body = JSON.parse(JSON.stringify(bad).replaceAll("weather", secret).replaceAll("Paris", secret));
      for (const { message } of lint(body, profile)) expect(message).not.toContain(secret);
    }
  });
});

describe("the table of rules", () => {
  const all = Object.entries(lintRules).flatMap(([kind, rules]) => rules.map((rule) => ({ kind, ...rule })));

  test("has each id once for a kind", () => {
    const ids = all.map(({ kind, id }) => `${kind} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("makes no error of what nobody has shown", () => {
    const guesses = all.filter(({ evidence, unenforced }) => evidence === "knowledge" || unenforced !== undefined);
    expect(guesses.filter(({ severity }) => severity === "error").map(({ id }) => id)).toEqual([]);
    expect(guesses.length).toBeGreaterThan(0);
  });

  test("names a source and says something for each rule", () => {
    expect(all.filter(({ source, description }) => source === "" || !description.endsWith("."))).toEqual([]);
  });
});

describe("what is known of the server", () => {
  const body = { model: "m", max_tokens: 100, temperature: 0.5, messages: [{ role: "user", content: "hi" }] };
  const rules = (input: Parameters<typeof lintRequest>[0], profile?: Profile) =>
    lintRequest(input, { protocol: "anthropic-messages", ...(profile !== undefined && { profile }) }).map(
      ({ rule }) => rule,
    );

  test("comes from the headers of the request", () => {
    expect(rules({ body, headers: { "anthropic-version": "2026-10-21" } })).toEqual(["A11a"]);
    expect(rules({ body, headers: { "anthropic-version": "2023-06-01" } })).toEqual([]);
  });

  test("comes from the profile before the request", () => {
    const headers = { "anthropic-version": "2026-10-21" };
    expect(rules({ body, headers }, { apiVersion: "2023-06-01" })).toEqual([]);
    expect(rules({ ...body, model: "claude-opus-4-8" }, { model: "claude-opus-4-5" })).toEqual([]);
    expect(rules(body, { supportsSampling: false })).toEqual(["A11a"]);
  });

  test("is no finding where it is unknown", () => {
    expect(rules(body)).toEqual([]);
  });

  test("comes from the path of the request", () => {
    const { max_tokens: _maximum, ...counted } = body;
    expect(rules({ body: counted, path: "/v1/messages/count_tokens" } as never)).toEqual([]);
    expect(rules({ body: counted, path: "/v1/messages" } as never)).toEqual(["A1"]);
  });
});

describe("the input", () => {
  const body = { model: "m", messages: [] };

  test("may be an object, text, bytes or a request over HTTP", () => {
    const text = JSON.stringify(body);
    for (const input of [body, text, new TextEncoder().encode(text), { body: text, headers: {} }])
      expect(lintRequest(input).map(({ rule }) => rule)).toEqual(["C1a"]);
  });

  test("must be an object of one protocol", () => {
    expect(() => lintRequest("[1]")).toThrow(DecodeError);
    expect(() => lintRequest("{")).toThrow(DecodeError);
    expect(() => lintRequest({ model: "m", max_tokens: 5, messages: [{ role: "user", content: "hi" }] })).toThrow(
      /state which with "protocol"/,
    );
  });

  const odd: readonly (readonly [string, Json])[] = [
    ["null", null],
    ["numbers", 5],
    ["lists of numbers", [5]],
    ["lists of odd objects", [{}, { role: 5, content: 5, parts: 5, type: 5, function: 5, name: 5 }, null]],
    ["objects", { content: [5], type: 5, functionCallingConfig: 5, function: { name: 5 }, format: 5 }],
  ];
  const keys = [
    "messages",
    "input",
    "contents",
    "tools",
    "system",
    "stop",
    "stop_sequences",
    "tool_choice",
    "thinking",
  ];
  const others = ["response_format", "text", "output_config", "generationConfig", "toolConfig", "temperature"];

  test.each(odd)("may hold %s where other things belong", (_, value) => {
    const body = Object.fromEntries([...keys, ...others].map((key) => [key, value]));
    for (const protocol of checked) expect(() => lintRequest(body, { protocol })).not.toThrow();
    for (const role of ["user", "assistant", "system", "model", "tool"]) {
      const items = [{ role, content: value, parts: value, tool_calls: value, tool_call_id: value }];
      const said = { messages: items, input: items, contents: items };
      for (const protocol of checked) expect(() => lintRequest(said, { protocol })).not.toThrow();
    }
  });
});
