import type { ProtocolId } from "@rolecall/core";
import { convertRequest, DecodeError, detectProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { readExchanges } from "../bodies/bodies.ts";
import { allProtocols, parallelFixtures } from "../bodies/parallel-fixtures.ts";

const user = { role: "user", content: "hi" };

describe("the path of the URL decides", () => {
  test.each<[path: string, protocol: ProtocolId | undefined]>([
    ["/v1/chat/completions", "openai-chat"],
    ["/openai/deployments/gpt/chat/completions?api-version=2024-10-21", "openai-chat"],
    ["/v1/responses", "openai-responses"],
    ["/v1/messages?beta=true", "anthropic-messages"],
    ["/v1/messages/count_tokens", "anthropic-messages"],
    ["/v1beta/models/gemini-3-pro:generateContent", "gemini-generate-content"],
    ["/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse", "gemini-generate-content"],
    ["/v1/models", undefined],
    ["/", undefined],
  ])("%s: %s", (path, protocol) => {
    expect(detectProtocol(undefined, path)).toBe(protocol);
  });

  test("over the lack of max_tokens, which the counting of tokens has", () => {
    expect(detectProtocol({ model: "m", messages: [user] }, "/v1/messages/count_tokens")).toBe("anthropic-messages");
  });

  test("over the body", () => {
    expect(detectProtocol({ model: "m", system: "Be brief.", messages: [user] }, "/v1/chat/completions")).toBe(
      "openai-chat",
    );
  });
});

describe("a body tells by", () => {
  test.each<[sign: string, body: object, protocol: ProtocolId | undefined]>([
    ["contents", { contents: [] }, "gemini-generate-content"],
    ["input", { model: "m", input: "hi" }, "openai-responses"],
    ["its system", { model: "m", max_tokens: 5, system: "Be brief.", messages: [user] }, "anthropic-messages"],
    ["its tools", { messages: [user], tools: [{ name: "a", input_schema: { type: "object" } }] }, "anthropic-messages"],
    ["its tools", { messages: [user], tools: [{ type: "function", function: { name: "a" } }] }, "openai-chat"],
    ["its tools", { messages: [user], tools: [{ type: "bash_20250124", name: "bash" }] }, "anthropic-messages"],
    ["its roles", { messages: [{ role: "developer", content: "Be brief." }, user] }, "openai-chat"],
    ["its settings", { messages: [user], max_completion_tokens: 5 }, "openai-chat"],
    [
      "its parts",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
      "openai-chat",
    ],
    ["its thinking", { messages: [user], thinking: { type: "enabled", budget_tokens: 2048 } }, "anthropic-messages"],
    [
      "nothing, for DeepSeek and Z.ai have it too",
      { messages: [user], max_tokens: 5, thinking: { type: "disabled" } },
      undefined,
    ],
    ["the lack of max_tokens, which Anthropic demands", { model: "m", messages: [user] }, "openai-chat"],
    ["the lack of max_tokens, whatever the model", { model: "claude-opus-4-8", messages: [user] }, "openai-chat"],
    ["the lack of max_tokens, among equal signs", { messages: [user], system: "x", seed: 1 }, "openai-chat"],
    ["its system over the lack of max_tokens", { messages: [user], system: "x" }, "anthropic-messages"],
    ["nothing, for equal signs tell nothing", { messages: [user], max_tokens: 5, system: "x", seed: 1 }, undefined],
    ["its blocks", { messages: [{ role: "user", content: [{ type: "image", source: {} }] }] }, "anthropic-messages"],
    ["nothing, for it could be two", { model: "m", max_tokens: 5, messages: [user] }, undefined],
    ["nothing, for it has no messages", { model: "m" }, undefined],
    ["nothing, for it is decoded", { messages: [{ role: "toolResult" }, user], settings: {} }, undefined],
    ["choices", { id: "1", choices: [] }, "openai-chat"],
    ["candidates", { candidates: [] }, "gemini-generate-content"],
    ["its object", { object: "response", output: [] }, "openai-responses"],
    ["its type", { type: "message", role: "assistant", content: [] }, "anthropic-messages"],
    ["its type", { type: "error", error: { type: "api_error", message: "no" } }, "anthropic-messages"],
  ])("%s: %j", (_sign, body, protocol) => {
    expect(detectProtocol(body)).toBe(protocol);
  });

  test.each([[null], [undefined], ["text"], [7], [[]], [{}]])("%j is of no protocol", (body) => {
    expect(detectProtocol(body)).toBeUndefined();
  });
});

test("a body that could be of two protocols is refused, not guessed", async () => {
  const refused = convertRequest({ model: "m", max_tokens: 5, messages: [user] }, { to: "openai-chat" });
  await expect(refused).rejects.toThrow(DecodeError);
  await expect(refused).rejects.toThrow('state which with "from"');
});

describe("bodies that mean the same", () => {
  test.each(allProtocols)("are never taken for another protocol than %s", (protocol) => {
    const wrong = parallelFixtures.filter(({ body }) => {
      const found = detectProtocol(body(protocol).body);
      return found !== undefined && found !== protocol;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describeWithCorpus("recorded bodies", (folder) => {
  const exchanges = readExchanges(folder).filter(({ protocol }) =>
    (allProtocols as readonly string[]).includes(protocol),
  );
  /** A body whose index says one protocol and that is of another. */
  const mislabelled = "recordings/openai-responses/vercel__ai/azure__azure-deepseek-reasoning.1.json";
  const bodies = exchanges
    .filter(({ path }) => path !== mislabelled)
    // Bodies of other operations are told by their path alone.
    .filter(({ request }) => !/count_tokens/.test(request?.path ?? ""))
    .flatMap(({ path, protocol, request, response }) => [
      ...(request?.body ? [{ path, protocol, operation: "request", body: request.body }] : []),
      ...(response?.body ? [{ path, protocol, operation: "response", body: response.body }] : []),
    ]);

  test(`none of ${bodies.length} is taken for another protocol`, () => {
    const wrong = bodies.flatMap(({ path, protocol, operation, body }) => {
      const found = detectProtocol(body);
      return found === undefined || found === protocol ? [] : [`${operation} ${path}: ${found}`];
    });
    expect(wrong).toEqual([]);
  });

  test("most are told without their path", () => {
    const told = bodies.filter(({ body }) => detectProtocol(body) !== undefined);
    expect(told.length / bodies.length).toBeGreaterThan(0.8);
  });

  test("no path is taken for another protocol", () => {
    const wrong = exchanges.filter(({ protocol, request }) => {
      const found = detectProtocol(undefined, request?.path);
      return found !== undefined && found !== protocol;
    });
    expect(wrong.map(({ path, request }) => `${path}: ${request?.path}`)).toEqual([]);
  });
});
