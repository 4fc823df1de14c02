import type { Conversation, JsonObject, Profile } from "@rolecall/core";
import { EncodeError, UnsupportedError } from "@rolecall/core";
import { lintRequest } from "@rolecall/core/check";
import { arbitraryAssistantMessage, arbitraryConversation } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { attempt, protocolIds, protocols } from "./conversion.ts";
import { expectSame } from "./differences.ts";
import { law } from "./law.ts";
import { responsesProblems } from "./responses-body.ts";

/** Targets that differ in what they take. */
const profiles: { readonly [id: string]: fc.Arbitrary<Profile> } = {
  "openai-chat": fc.constantFrom<Profile>(
    {},
    { provider: "mistral" },
    { provider: "deepseek" },
    { provider: "openrouter" },
    { provider: "ollama" },
    { supportsContentParts: false, supportsEffort: false },
  ),
  "openai-responses": fc.constantFrom<Profile>({}, { provider: "openai" }, { provider: "open-responses" }),
  "gemini-generate-content": fc.constantFrom<Profile>({}, { provider: "google" }, { provider: "google-vertex" }),
  "anthropic-messages": fc.constantFrom<Profile>(
    {},
    { apiVersion: "2023-06-01" },
    { model: "claude-opus-4-8" },
    { model: "claude-3-5-sonnet-20241022" },
  ),
};
const fallbacks = { media: "drop", n: "first" };

function refusedOnPurpose(error: unknown): boolean {
  return error instanceof UnsupportedError || error instanceof EncodeError;
}

describe.each(protocolIds)("%s", (id) => {
  const protocol = protocols[id];
  const targets = fc.tuple(profiles[id] as fc.Arbitrary<Profile>, fc.boolean());
  const written = (conversation: Conversation, [profile, drop]: [Profile, boolean]) => {
    const result = attempt(() => protocol.encodeRequest(conversation, { ...profile, ...(drop && { fallbacks }) }));
    if ("value" in result) return result.value;
    if (!refusedOnPurpose(result.error)) throw result.error;
    return undefined;
  };

  law(
    "writes each conversation as JSON or refuses it with a reason",
    400,
    fc.property(arbitraryConversation(), targets, (conversation, target) => {
      const encoded = written(conversation, target);
      if (encoded === undefined) return;
      expectSame(encoded.value, JSON.parse(JSON.stringify(encoded.value)));
    }),
  );

  law(
    "writes each answer as JSON or refuses it with a reason",
    400,
    fc.property(arbitraryAssistantMessage(), (message) => {
      const result = attempt(() => protocol.encodeResponse(message));
      if ("error" in result) {
        if (!refusedOnPurpose(result.error)) throw result.error;
        return;
      }
      expectSame(result.value.value, JSON.parse(JSON.stringify(result.value.value)));
    }),
  );

  law(
    "writes what its service takes: pairs, ids, names, places, limits",
    400,
    fc.property(arbitraryConversation(), targets, (conversation, target) => {
      const encoded = written(conversation, target);
      fc.pre(encoded !== undefined);
      // There are no rules of this protocol yet.
      const problems = id === "openai-responses" ? responsesProblems(encoded.value.body as JsonObject) : [];
      if (problems.length > 0) throw new Error(problems.join("\n"));
      const findings = lintRequest(encoded.value, { protocol: id, profile: target[0] });
      // Most models of Gemini go on with a started answer.
      const refused = findings.filter(({ severity, rule }) => severity === "error" && rule !== "G1b");
      if (refused.length > 0)
        throw new Error(refused.map(({ rule, path, message }) => `${rule} ${path}: ${message}`).join("\n"));
    }),
  );
});
