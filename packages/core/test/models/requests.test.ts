import { describe, expect, test } from "vitest";
import type { Message } from "../../src/index.ts";
import { samples } from "./answers.ts";
import { events, json } from "./service.ts";
import { start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };
const [chat, , messages] = samples as readonly [
  (typeof samples)[number],
  (typeof samples)[number],
  (typeof samples)[number],
  (typeof samples)[number],
];

test("an option that does not exist is refused, with what it is called", async () => {
  const { service, models, model } = await start(chat, (_request, response) => events(response, chat.stream));
  const misspelt = (name: string) => () => models.stream(model, context, { [name]: 1 } as object);
  expect(misspelt("max_tokens")).toThrow('there is no option "max_tokens": it is called "maxTokens"');
  expect(misspelt("apikey")).toThrow('it is called "apiKey"');
  expect(misspelt("model")).toThrow(expect.objectContaining({ code: "config", path: "/model" }));
  expect(misspelt("__proto__x")).toThrow("there is no option");
  await expect(models.complete(model, context, { max_tokens: 1 } as object)).rejects.toThrow("maxTokens");
  expect(service.received).toHaveLength(0);
});

test("an option that is undefined is not stated", async () => {
  const { service, models, model } = await start(chat, (_request, response) => events(response, chat.stream));
  const stated = { maxTokens: undefined, temperature: 0 } as unknown as object;
  expect((await models.complete(model, context, stated)).stopReason).toBe("toolUse");
  expect(service.received[0]?.body).toMatchObject({ temperature: 0 });
  expect(Object.keys(service.received[0]?.body)).not.toContain("max_tokens");
});

describe.each(samples)("toward $api", (sample) => {
  test("half surrogates are replaced and reported, wherever they stand", async () => {
    const { service, models, model } = await start(sample, (_request, response) => events(response, sample.stream));
    const stream = models.stream(model, { messages: [{ role: "user", content: "a \ud83d b" }] });
    await stream.result();
    expect(JSON.stringify(service.received[0]?.body)).toContain("a \ufffd b");
    expect(stream.losses[0]).toMatchObject({ code: "text.lone_surrogate", path: "/messages/0/content/0/text" });
  });

  test("messages that nest without end are refused", async () => {
    let deep: object = {};
    for (let level = 0; level < 600; level++) deep = { deep };
    const { service, models, model } = await start(sample, (_request, response) => events(response, sample.stream));
    const call = { type: "toolCall", id: "c", name: "read", arguments: deep } as const;
    const list = [
      { role: "user", content: "hi" },
      { role: "assistant", content: [call], api: sample.api, provider: "x", model: "m", stopReason: "toolUse" },
    ];
    const asked = () => models.complete(model, { messages: list as unknown as Message[] });
    const outcome = await asked().then(
      ({ errorMessage }) => errorMessage,
      (error: Error) => error.message,
    );
    expect(outcome).toContain("512");
    expect(service.received).toHaveLength(0);
  });
});

describe("what Anthropic shall keep", () => {
  const marksOf = async (list: readonly object[]) => {
    const { service, models, model } = await start(messages, (_request, response) => events(response, messages.stream));
    const message = await models.complete(model, { messages: list as Message[] });
    expect(message.errorMessage).toBeUndefined();
    const found: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, item] of Object.entries(value))
        if (name === "cache_control") found.push(path);
        else walk(item, `${path}/${name}`);
    };
    walk(service.received[0]?.body, "");
    return found;
  };
  const assistant = (content: readonly object[]) => ({
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "m",
    stopReason: "stop",
  });

  test("ends with the last message that the model did not write", async () => {
    const answer = assistant([
      { type: "thinking", thinking: "hm", state: [] },
      { type: "text", text: "" },
    ]);
    expect(await marksOf([{ role: "user", content: "hi" }, answer])).toEqual(["/messages/0/content/0"]);
  });

  test("does not end with an empty text", async () => {
    const parts = [
      { type: "text", text: "hi" },
      { type: "text", text: "" },
    ];
    expect(await marksOf([{ role: "user", content: parts }])).toEqual(["/messages/0/content/0"]);
  });
});

test("a call begins with its whole name", async () => {
  const chunk = (call: object, finish: string | null = null) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: finish }],
  });
  const { models, model } = await start(chat, (_request, response) =>
    events(response, [
      chunk({ id: "call_1", type: "function", function: { name: "read_" } }),
      chunk({ function: { name: "file" } }),
      chunk({ function: { arguments: "{" } }),
      chunk({ function: { arguments: "}" } }),
      chunk({}, "tool_calls"),
    ]),
  );
  const seen = [];
  for await (const event of models.stream(model, context)) if (event.type.startsWith("toolcall")) seen.push(event);
  expect(seen).toMatchObject([
    { type: "toolcall_start", name: "read_file", id: "call_1" },
    { type: "toolcall_delta", delta: "{" },
    { type: "toolcall_delta", delta: "}" },
    { type: "toolcall_end", toolCall: { name: "read_file" } },
  ]);
});

test("a list of Gemini tells which models do not generate", async () => {
  const gemini = samples[3] as (typeof samples)[number];
  const { models, model } = await start(gemini, (_request, response) =>
    json(response, 200, {
      models: [
        { name: "models/chat", supportedGenerationMethods: ["generateContent", "countTokens"] },
        { name: "models/embed", supportedGenerationMethods: ["embedContent"] },
        { name: "models/untold" },
      ],
    }),
  );
  expect((await models.refresh(model.provider)).map(({ id }) => id)).toEqual(["chat", "untold"]);
});
