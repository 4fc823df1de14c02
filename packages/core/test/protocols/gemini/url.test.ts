import { convertRequest, readModelPath, writeModelPath } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const body = { contents: [{ role: "user", parts: [{ text: "q" }] }] };

describe("what generateContent has in its URL", () => {
  test.each<[path: string, read: object | undefined]>([
    ["/v1beta/models/gemini-2.5-flash:generateContent", { model: "gemini-2.5-flash" }],
    ["/v1beta/models/m:streamGenerateContent?key=k&alt=sse", { model: "m", stream: true, alt: "sse" }],
    [
      "https://h/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent",
      { model: "m", stream: true },
    ],
    ["/v1beta/tunedModels/t:generateContent", { model: "tunedModels/t" }],
    ["/v1/projects/p/locations/l/endpoints/7:generateContent", { model: "endpoints/7" }],
    ["/v1beta/models/google%2Fm:generateContent", { model: "google/m" }],
    ["/v1beta/models/100%:generateContent", { model: "100%" }],
    ["/v1beta/models/openai/m:30b:generateContent", { model: "openai/m:30b" }],
    ["/v1beta/models/m:countTokens", { model: "m" }],
    ["/v1beta/models/m:embedContent", undefined],
    ["/v1/chat/completions", undefined],
  ])("reads %s", (path, read) => expect(readModelPath(path)).toEqual(read));

  test.each<[url: Parameters<typeof writeModelPath>[0], path: string]>([
    [{ model: "m" }, "/models/m:generateContent"],
    [{ model: "google/m", stream: true }, "/models/google%2Fm:streamGenerateContent?alt=sse"],
    [{ model: "m", stream: true, alt: "json" }, "/models/m:streamGenerateContent?alt=json"],
    [{ model: "tunedModels/t" }, "/tunedModels/t:generateContent"],
    [{ model: "models/m", stream: false }, "/models/m:generateContent"],
  ])("writes %o", (url, path) => expect(writeModelPath(url)).toBe(path));

  test("model and stream come to the body of another protocol, and back", async () => {
    const input = { path: "/v1beta/models/m:streamGenerateContent?alt=sse", body };
    const { value } = await convertRequest(input, { to: "openai-chat" });
    expect(value.body).toMatchObject({ model: "m", stream: true, messages: [{ role: "user", content: "q" }] });
    const back = await convertRequest({ body: value.body }, { from: "openai-chat", to: "gemini-generate-content" });
    expect(back.value).toMatchObject({ url: { model: "m", stream: true }, body });
    expect(back.value.body).not.toHaveProperty("model");
  });

  test("its own protocol keeps all of it", async () => {
    const url = { model: "m", stream: true, alt: "sse" };
    const own = { from: "gemini-generate-content", to: "gemini-generate-content" } as const;
    expect((await convertRequest({ url, body }, own)).value).toEqual({ url, body });
  });
});
