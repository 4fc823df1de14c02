import type { JsonObject, ProtocolId } from "@rolecall/core";
import { convertRequest, convertResponse } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { chat, chunk, converted, data, done, gemini, responses } from "../stream/wire.ts";

const lines = (losses: readonly { readonly code: string; readonly kind: string; readonly path: string }[]): string[] =>
  losses.map(({ code, kind, path }) => `${code} ${kind} ${path}`);

const chatAnswer = (message: JsonObject): JsonObject => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: "a", refusal: null, ...message }, finish_reason: "stop" },
  ],
});

describe("a call without a name and without arguments", () => {
  const answer = chatAnswer({ function_call: { name: "", arguments: "" } });

  test.each<ProtocolId>(["openai-responses", "gemini-generate-content", "anthropic-messages"])(
    "calls nothing, and nothing is lost toward %s",
    async (to) => {
      const { losses } = await convertResponse(answer, { from: "openai-chat", to });
      expect(lines(losses).filter((line) => line.includes("function_call"))).toEqual([]);
    },
  );

  test("comes back as it was", async () => {
    const { value, losses } = await convertResponse(answer, { from: "openai-chat", to: "openai-chat" });
    expect(value).toEqual(answer);
    expect(losses).toEqual([]);
  });

  test("is lost with what else it says", async () => {
    const odd = chatAnswer({ function_call: { name: "", arguments: "{}" } });
    const { losses } = await convertResponse(odd, { from: "openai-chat", to: "openai-responses" });
    expect(lines(losses)).toContain("field.no_counterpart dropped /choices/0/message/function_call");
  });
});

describe("an empty text of Gemini", () => {
  const answer = (...parts: JsonObject[]): JsonObject => ({
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
  });
  const call = { functionCall: { name: "f", args: {} } };

  test.each([
    [[{ text: "a" }, call, { text: "" }], "text.empty approximated /candidates/0/content/parts/2"],
    [[call, { text: "" }], "text.empty approximated /candidates/0/content/parts/1"],
    [[{ text: "a" }, { text: "" }], "text.empty approximated /candidates/0/content/parts/1"],
    [[call, { text: "a" }], "turn.order merged /candidates/0/content/parts/1/text"],
    [[{ text: "a" }, { text: "b" }], "text.joined merged /candidates/0/content/parts/1/text"],
    [[{ text: "" }, { text: "a" }], undefined],
  ])("%j moves nothing in an answer of Chat, whole or in a stream", async (parts, loss) => {
    const { losses } = await convertResponse(answer(...parts), { from: "gemini-generate-content", to: "openai-chat" });
    const found = lines(losses).filter((line) => line.startsWith("text.") || line.startsWith("turn."));
    expect(found).toEqual(loss === undefined ? [] : [loss]);
    const { losses: streamed } = await converted(data(answer(...parts)), gemini, chat);
    const told = lines(streamed).filter((line) => line.startsWith("text.") || line.startsWith("turn."));
    expect(told).toEqual(found.map((line) => line.replace(" /", " /events/0/")));
  });
});

describe("a stream of Chat whose time is zero", () => {
  const stream = (created: number): string =>
    chunk({ content: "a" }, null, { created }) + chunk({}, "stop", { created }) + done;

  test("tells no time, and loses none", async () => {
    const { losses } = await converted(stream(0), chat, responses);
    expect(lines(losses).filter((line) => line.endsWith("/created"))).toEqual([]);
  });

  test("comes back as it was", async () => {
    expect((await converted(stream(0), chat, chat)).text).toBe(stream(0));
  });
});

describe("a turn of which nothing can be sent", () => {
  test("is itself lost toward Responses, as toward the others", async () => {
    const turn = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
    const user = { role: "user", content: "q" };
    const body = { model: "m", max_tokens: 16, messages: [user, { role: "assistant", content: [turn] }, user] };
    const { losses } = await convertRequest(body, { from: "anthropic-messages", to: "openai-responses" });
    expect(lines(losses)).toContain("message.dropped dropped /messages/1");
  });
});

describe("a cache mark that cannot stand on what the model said", () => {
  const said = (more: JsonObject): JsonObject => ({
    model: "m",
    max_tokens: 16,
    messages: [
      { role: "user", content: "q" },
      { role: "assistant", content: [{ type: "text", text: "a", ...more }] },
    ],
  });

  test("changes nothing else toward Responses", async () => {
    const options = { from: "anthropic-messages", to: "openai-responses" } as const;
    const marked = await convertRequest(said({ cache_control: { type: "ephemeral" } }), options);
    expect(marked.value).toEqual((await convertRequest(said({}), options)).value);
    expect(lines(marked.losses)).toContain("cache.mark dropped /messages/1/content/0/cache_control");
  });
});

describe("an empty list of stop sequences", () => {
  const body: JsonObject = { contents: [{ parts: [{ text: "q" }] }], generationConfig: { stop_sequences: [] } };

  test("is sent where it can be, and told where nothing stops an answer", async () => {
    const from = "gemini-generate-content";
    const { value } = await convertRequest(body, { from, to: "anthropic-messages" });
    expect(value).toMatchObject({ stop_sequences: [] });
    const { losses } = await convertRequest(body, { from, to: "openai-responses" });
    expect(lines(losses)).toContain("field.empty dropped /generationConfig/stop_sequences");
  });
});

test("the phase of an empty text is lost with it", async () => {
  const content = [{ type: "output_text", text: "", annotations: [] }];
  const output = [
    { type: "message", id: "msg_1", role: "assistant", status: "completed", phase: "final_answer", content },
  ];
  const answer = { id: "resp_1", object: "response", created_at: 1, status: "completed", model: "m", output };
  const { losses } = await convertResponse(answer as JsonObject, {
    from: "openai-responses",
    to: "anthropic-messages",
  });
  expect(lines(losses)).toContain("text.phase dropped /output/0/phase");
});

test("a model that the URL and the body name stays in both", async () => {
  const request = { body: { contents: [{ parts: [{ text: "q" }] }], model: "g" }, url: { model: "g" } };
  const { value } = await convertRequest(request, { from: "gemini-generate-content", to: "gemini-generate-content" });
  expect(value).toMatchObject(request);
});
