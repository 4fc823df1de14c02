import { describe, expect, test } from "vitest";
import { protocolIds } from "../../src/index.ts";
import type { AssistantMessageEvent, Models } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import type { ScriptedAnswer, ScriptedOptions, ScriptedRequest } from "../../src/providers/scripted.ts";
import { byRules, scriptedProvider } from "../../src/providers/scripted.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };

function modelsOf(options: Omit<ScriptedOptions, "id">): {
  models: Models;
  model: NonNullable<ReturnType<Models["getModel"]>>;
} {
  const models = createModels({
    environment: {},
    retry: { baseDelayMs: 1 },
    fetch: () => Promise.reject(new Error("the network is asked")),
  });
  models.setProvider(scriptedProvider(options));
  return { models, model: models.getModel("scripted", "scripted") as NonNullable<ReturnType<Models["getModel"]>> };
}

async function collect(stream: AsyncIterable<AssistantMessageEvent>): Promise<AssistantMessageEvent[]> {
  const list: AssistantMessageEvent[] = [];
  for await (const event of stream) list.push(event);
  return list;
}

const full: ScriptedAnswer = {
  thinking: "Hm, what is asked?",
  signature: "sealed-1",
  text: "I look it up.",
  toolCalls: [
    { name: "read", arguments: { path: "a" } },
    { name: "read", arguments: { path: "b" }, id: "own_id" },
  ],
  usage: { input: 100, output: 20 },
};

describe.each(protocolIds)("a script in the wire of %s", (api) => {
  test.each([true, false])("says all that it states, streamed: %s", async (stream) => {
    const { models, model } = modelsOf({ api, script: [full] });
    const message = await models.complete(model, context, { stream });
    expect(message).toMatchObject({
      api,
      provider: "scripted",
      stopReason: "toolUse",
      usage: { input: 100, output: 20 },
    });
    // The last chunk of Gemini has an empty text.
    const content = message.content.filter((part) => part.type !== "text" || part.text !== "");
    const shown = content.map((part) =>
      part.type === "thinking"
        ? part.thinking
        : part.type === "text"
          ? part.text
          : part.type === "toolCall"
            ? part.name
            : part.type,
    );
    expect(shown).toEqual(["Hm, what is asked?", "I look it up.", "read", "read"]);
    expect(JSON.stringify(message).includes("sealed-1")).toBe(api !== "openai-chat");
    const calls = message.content.filter((part) => part.type === "toolCall");
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(models.getProvider("scripted")?.name).toContain("no language model");
  });

  test("reads what it was asked, also what comes home", async () => {
    const seen: ScriptedRequest[] = [];
    const { models, model } = modelsOf({
      api,
      script: (request) => {
        seen.push(request);
        return request.call === 0 ? full : { text: "done" };
      },
    });
    const first = await models.complete(model, { systemPrompt: "Be brief.", ...context });
    const results = first.content.flatMap((part) =>
      part.type === "toolCall"
        ? [{ role: "toolResult" as const, toolCallId: part.id, toolName: part.name, content: "found", isError: false }]
        : [],
    );
    const second = await models.complete(model, {
      systemPrompt: "Be brief.",
      messages: [...context.messages, first, ...results],
    });
    expect(second.content).toMatchObject([{ type: "text", text: "done" }]);
    expect(seen.map(({ call, model: name }) => [call, name])).toEqual([
      [0, "scripted"],
      [1, "scripted"],
    ]);
    expect(seen[1]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "toolResult",
      "toolResult",
    ]);
    expect(JSON.stringify(seen[1]?.body).includes("sealed-1")).toBe(api !== "openai-chat");
  });

  test("refuses, is too busy, and sends a page", async () => {
    const { models, model } = modelsOf({
      api,
      script: [
        { error: { status: 429, kind: "rate_limit", message: "slow down", retryAfterMs: 1 } },
        { text: "there" },
        { error: { status: 400, kind: "invalid_request", message: "no" } },
        { error: { status: 502, body: "<html>bad gateway</html>" } },
      ],
    });
    expect((await models.complete(model, context)).content).toMatchObject([{ text: "there" }]);
    expect(await models.complete(model, context)).toMatchObject({
      error: { status: 400, kind: "invalid_request" },
      errorMessage: "no",
    });
    expect(await models.complete(model, context, { retry: { maxRetries: 0 } })).toMatchObject({
      error: { status: 502, retryable: true },
    });
    const spent = await models.complete(model, context);
    expect(spent.errorMessage).toBe("the script has 4 answers, and this is request 5");
  });

  test("breaks off in the middle, in each way", async () => {
    const text = "a text of some length, in pieces";
    const { models, model } = modelsOf({
      api,
      script: [
        { text, breaks: { after: 4, how: "cut" } },
        { text, breaks: { after: 4, how: "error", message: "too much to do", kind: "rate_limit" } },
        { text, breaks: { after: 4, how: "stall" } },
      ],
    });
    const once = { retry: { maxRetries: 0 }, timeouts: { idleMs: 60 } };
    expect(await models.complete(model, context, once)).toMatchObject({
      stopReason: "error",
      error: { providerCode: "reset" },
    });
    expect(await models.complete(model, context, once)).toMatchObject({
      stopReason: "error",
      errorMessage: "too much to do",
    });
    expect(await models.complete(model, context, once)).toMatchObject({ error: { providerCode: "idleTimeout" } });
  });

  test("goes at the speed that is chosen, and ends when it is given up", async () => {
    const { models, model } = modelsOf({ api, script: () => ({ text: "one two three", pieceLength: 4, delayMs: 15 }) });
    const deltas = (await collect(models.stream(model, context))).flatMap((event) =>
      event.type === "text_delta" ? [event.delta] : [],
    );
    expect(deltas).toEqual(["one ", "two ", "thre", "e"]);
    const controller = new AbortController();
    const stream = models.stream(model, context, { signal: controller.signal });
    for await (const event of stream) if (event.type === "text_delta") controller.abort();
    expect(await stream.result()).toMatchObject({ stopReason: "aborted", content: [{ type: "text" }] });
  });

  test("says a length and a refusal", async () => {
    const { models, model } = modelsOf({
      api,
      script: [{ text: "cut", stopReason: "length" }, { refusal: "I will not." }],
    });
    expect((await models.complete(model, context)).stopReason).toBe("length");
    const refused = await models.complete(model, context);
    expect(refused.stopReason === "stop" || refused.stopDetail === "refusal").toBe(true);
    expect(JSON.stringify(refused.content).includes("I will not.")).toBe(!api.startsWith("gemini"));
  });

  test("lists its models", async () => {
    const { models } = modelsOf({ api, script: [] });
    expect((await models.refresh("scripted")).map(({ id }) => id)).toEqual(["scripted"]);
  });
});

describe("rules", () => {
  const script = byRules([
    { when: { toolResult: "read" }, answer: { text: "I have read it." } },
    { when: { text: /weather/i }, answer: { toolCalls: [{ name: "get_weather", arguments: { city: "Bergen" } }] } },
    { when: { text: "again", call: 2 }, answer: ({ call }) => ({ text: `request ${call}` }) },
  ]);

  test("the first that fits answers", async () => {
    const { models, model } = modelsOf({ script });
    const ask = (text: string) => models.complete(model, { messages: [{ role: "user", content: text }] });
    expect((await ask("How is the Weather?")).content).toMatchObject([{ type: "toolCall", name: "get_weather" }]);
    expect((await ask("again")).errorMessage).toBe('no rule of the script fits "again"');
    expect((await ask("again")).content).toMatchObject([{ text: "request 2" }]);
  });

  test("a result is known by the call that it answers", async () => {
    const { models, model } = modelsOf({ script });
    const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
    const message = await models.complete(model, {
      messages: [
        { role: "user", content: "read it" },
        {
          role: "assistant",
          content: [call],
          api: "openai-chat",
          provider: "scripted",
          model: "scripted",
          stopReason: "toolUse",
        },
        { role: "toolResult", toolCallId: "c1", content: "text" },
      ],
    });
    expect(message.content).toMatchObject([{ text: "I have read it." }]);
  });
});
