import type { Json, JsonObject } from "@rolecall/core";
import { createConverter, loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { createBodyAuditor } from "../../src/audit/audit-body.ts";
import type { AuditedConverter } from "../../src/audit/outcome.ts";

const anthropic = await loadProtocol("anthropic-messages");
const pair = { operation: "request", from: "anthropic-messages", to: "anthropic-messages" } as const;

type Mutable = Record<string, unknown>;

describe("a body that its own services refuse", () => {
  const marked = (text: string): JsonObject => ({ type: "text", text, cache_control: { type: "ephemeral" } });
  const thinking: JsonObject = { type: "thinking", thinking: "", signature: "" };
  const body: JsonObject = {
    model: "claude-opus-4-8",
    max_tokens: 9,
    system: [..."abcdefghijkl"].map(marked),
    messages: [
      { role: "user", content: "q" },
      { role: "assistant", content: [thinking, thinking, { type: "text", text: "a" }] },
      { role: "user", content: "r" },
    ],
  };
  const itself = createConverter(anthropic, anthropic).convertRequest;
  const mending =
    (change: (output: Mutable) => void): AuditedConverter =>
    (input) => {
      const { value, losses } = itself(input as JsonObject);
      const output = structuredClone(value) as Mutable;
      change(output);
      return { value: output as Json, losses };
    };

  const findings = (convert: AuditedConverter): string[] =>
    createBodyAuditor(pair, anthropic.redundancy, { leaves: 500, seed: 1 })
      .audit(body, convert)
      .findings.map(({ problem, place }) => `${problem} ${place}`);

  test("may be mended, which is told", () => {
    expect(itself(body).losses).toHaveLength(10);
    expect(findings(mending(() => {}))).toEqual([]);
  });

  test("must lose nothing else with it", () => {
    const forgetful = mending((output) => delete output["max_tokens"]);
    expect(findings(forgetful)).toContain("not the same /");
    const greedy = mending((output) => (output["system"] as unknown[]).pop());
    expect(findings(greedy)).toContain("not the same /");
  });

  test("must tell it", () => {
    const silent: AuditedConverter = (input) => ({ value: itself(input as JsonObject).value, losses: [] });
    expect(findings(silent)).toContain("not the same /");
  });
});

test("toward a stated receiver a body is judged leaf by leaf, and what comes into an empty list is no text", () => {
  const options = { leaves: 500, seed: 1, target: { provider: "anthropic" } };
  const message = { role: "assistant", content: [{ type: "web_search_tool_result", tool_use_id: "s", content: [] }] };
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "q" }, message] };
  const audit = (convert: AuditedConverter) =>
    createBodyAuditor(pair, anthropic.redundancy, options).audit(body, convert).findings;
  expect(audit((input) => ({ value: input, losses: [] }))).toEqual([]);
  const withoutModel: AuditedConverter = (input) => ({ value: { ...(input as JsonObject), model: "n" }, losses: [] });
  expect(audit(withoutModel)).toContainEqual({ problem: "silent change", place: "/model", pointer: "/model" });
});
