import { convertRequest, convertResponse, convertStream, UnsupportedError } from "@rolecall/core";
import { describe, expect, test } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: wire bodies are read by path, as a client reads them
type Body = any;
const gemini = "gemini-generate-content" as const;
const own = { from: gemini, to: gemini } as const;
const ask = [{ role: "user", parts: [{ text: "q" }] }];
const others = ["openai-chat", "anthropic-messages"] as const;

describe("requests of Gemini", () => {
  const snake = {
    contents: [{ role: "user", parts: [{ inline_data: { mime_type: "image/png", data: "aGk=" } }, { text: "q" }] }],
    system_instruction: { parts: [{ text: "s" }] },
    tools: [
      { function_declarations: [{ name: "f", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } }] },
    ],
    tool_config: { function_calling_config: { mode: "ANY", allowed_function_names: ["f"] } },
    generation_config: { max_output_tokens: 9, top_k: 3, stop_sequences: ["x"] },
  };

  test("keep the spelling of their keys", async () => {
    expect((await convertRequest(snake, own)).value).toEqual(snake);
  });

  test("mean the same in both spellings", async () => {
    const camel = JSON.parse(
      JSON.stringify(snake).replace(/_([a-z])(?=[a-z_]*":)/g, (_all, letter) => letter.toUpperCase()),
    );
    expect(Object.keys(camel)).toContain("generationConfig");
    for (const to of others) {
      const [left, right] = await Promise.all(
        [snake, camel].map((body) => convertRequest({ body, url: { model: "m" } }, { from: gemini, to })),
      );
      expect(left?.value).toEqual(right?.value);
    }
  });

  test("say a schema in their dialect, and others in theirs", async () => {
    const { value }: Body = await convertRequest(
      { body: snake, url: { model: "m" } },
      { from: gemini, to: "openai-chat" },
    );
    expect(value.body.tools[0].function.parameters).toEqual({ type: "object", properties: { a: { type: "string" } } });
    expect(value.body.tool_choice).toEqual({ type: "function", function: { name: "f" } });
  });

  test.each(others)("that begin with stored content are refused for %s", async (to) => {
    const body = { contents: ask, cachedContent: "cachedContents/1" };
    expect((await convertRequest(body, own)).value).toEqual(body);
    await expect(convertRequest(body, { from: gemini, to })).rejects.toBeInstanceOf(UnsupportedError);
  });

  test.each(others)("tell %s of settings for safety that it does not have", async (to) => {
    const body = { contents: ask, safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }] };
    const { losses } = await convertRequest(body, { from: gemini, to });
    expect(losses.map(({ path }) => path)).toContainEqual(expect.stringMatching(/^\/safetySettings/));
  });
});

describe("answers of Gemini", () => {
  const answerOf = (parts: readonly object[], more: object = {}): object => ({
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0, ...more }],
    responseId: "r",
    modelVersion: "m",
  });

  test("that were blocked are refusals", async () => {
    const body = {
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
    };
    expect((await convertResponse(body, own)).value).toEqual(body);
    const chat: Body = (await convertResponse(body, { from: gemini, to: "openai-chat" })).value;
    expect(chat.choices[0].finish_reason).toBe("content_filter");
    const anthropic: Body = (await convertResponse(body, { from: gemini, to: "anthropic-messages" })).value;
    expect(anthropic.stop_reason).toBe("refusal");
  });

  test("keep code that was run, and tell others of it", async () => {
    const parts = [
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
      { text: "1" },
    ];
    expect((await convertResponse(answerOf(parts), own)).value).toEqual(answerOf(parts));
    const { value, losses }: Body = await convertResponse(answerOf(parts), { from: gemini, to: "openai-chat" });
    expect(value.choices[0].message.content).toContain("1");
    expect(losses.map(({ path }: Body) => path)).toContainEqual(expect.stringMatching(/parts\/[01]/));
  });

  test("of several candidates are several choices", async () => {
    const candidate = (text: string, index: number): object => ({
      content: { role: "model", parts: [{ text }] },
      finishReason: "STOP",
      index,
    });
    const body = { candidates: [candidate("a", 0), candidate("b", 1)] };
    const { value }: Body = await convertResponse(body, { from: gemini, to: "openai-chat" });
    expect(value.choices.map(({ message }: Body) => message.content)).toEqual(["a", "b"]);
    const { losses } = await convertResponse(body, { from: gemini, to: "anthropic-messages" });
    expect(losses.map(({ code }) => code)).toContain("response.alternatives");
  });

  test("cite what they are grounded in", async () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: "https://a.test/", title: "A" } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: 4, text: "Ünd" }, groundingChunkIndices: [0] }],
    };
    const body = answerOf([{ text: "Ünd so" }], { groundingMetadata });
    expect((await convertResponse(body, own)).value).toEqual(body);
    const { value }: Body = await convertResponse(body, { from: gemini, to: "openai-chat" });
    // Gemini counts bytes, Chat characters.
    expect(value.choices[0].message.annotations).toEqual([
      { type: "url_citation", url_citation: { url: "https://a.test/", title: "A", start_index: 0, end_index: 3 } },
    ]);
  });
});

describe("streams of Gemini", () => {
  const frames = [
    {
      candidates: [{ content: { role: "model", parts: [{ text: "Hi " }] }, index: 0 }],
      responseId: "r",
      modelVersion: "m",
    },
    { candidates: [{ content: { role: "model", parts: [{ text: "there" }] }, finishReason: "STOP", index: 0 }] },
  ];
  const read = async (source: string, to: "openai-chat" | typeof gemini): Promise<string> => {
    let text = "";
    for await (const piece of convertStream(source, { from: gemini, to })) text += piece;
    return text;
  };

  test("are the same as a list and as events", async () => {
    const events = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
    const list = JSON.stringify(frames, undefined, 2);
    expect(await read(list, "openai-chat")).toBe(await read(events, "openai-chat"));
    expect(await read(events, gemini)).toBe(events);
    expect(await read(list, gemini)).toContain('"text":"there"');
  });

  test("give the arguments of a call that come in pieces", async () => {
    const part = (functionCall: object): object => ({
      candidates: [{ content: { role: "model", parts: [{ functionCall }] }, index: 0 }],
    });
    const pieces = [
      part({ name: "f", willContinue: true }),
      part({ partialArgs: [{ jsonPath: "$.a", stringValue: "x", willContinue: true }], willContinue: true }),
      part({ partialArgs: [{ jsonPath: "$.a", stringValue: "y" }], willContinue: true }),
      part({ partialArgs: [{ jsonPath: "$.b[0]", numberValue: 2 }], willContinue: true }),
      part({}),
      { candidates: [{ finishReason: "STOP", index: 0 }] },
    ];
    const text = await read(pieces.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""), "openai-chat");
    const args = [...text.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, found]) => JSON.parse(found as string));
    expect(JSON.parse(args.join(""))).toEqual({ a: "xy", b: [2] });
  });
});
