import type { JsonObject } from "@rolecall/core";
import { ConfigError, convertError, convertRequest, convertResponse, convertStream, DecodeError } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const messages = "anthropic-messages";
const chat = "openai-chat";
const request: JsonObject = { model: "c", max_tokens: 5, top_k: 4, messages: [{ role: "user", content: "q" }] };
const response: JsonObject = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "g",
  choices: [{ index: 0, message: { role: "assistant", content: "x", refusal: null }, finish_reason: "stop" }],
};

/** What a caller without types may give. */
const unchecked = (options: unknown): never => options as never;

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

type Convert = (options: unknown) => Promise<unknown>;
const ofRequest: Convert = (options) => convertRequest(request, unchecked(options));
const answers: readonly (readonly [name: string, convert: Convert])[] = [
  ["response", (options) => convertResponse(response, unchecked(options))],
  ["stream", (options) => textOf(convertStream(["data: [DONE]\n\n"], unchecked(options)))],
  ["error", (options) => convertError({ status: 400, body: {} }, unchecked(options))],
];
const all = [["request", ofRequest] as const, ...answers];

async function expectRefused(convert: Promise<unknown>, path: string): Promise<void> {
  const error = await convert.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ path, code: "config" });
}

describe.each(all)("options of a %s", (name, convert) => {
  const way = name === "request" ? { from: messages, to: chat } : { from: chat, to: messages };

  test.each([undefined, null, "openai-chat", []])("%j are none", (options) => expectRefused(convert(options), ""));

  test.each<[options: JsonObject, path: string]>([
    [{ target: null }, "/target"],
    [{ target: "openrouter" }, "/target"],
    [{ target: [] }, "/target"],
    [{ target: { foo: 1 } }, "/foo"],
    [{ target: { supportPrefill: true } }, "/supportPrefill"],
    [{ target: { provider: 5 } }, "/provider"],
    [{ target: { supportsPrefill: "no" } }, "/supportsPrefill"],
    [{ target: { thinking: "weird" } }, "/thinking"],
    [{ onLoss: "fail" }, "/onLoss"],
    [{ onLoss: null }, "/onLoss"],
    [{ accept: {} }, "/accept"],
    [{ accept: [{}] }, "/accept/0/code"],
    [{ accept: [null] }, "/accept/0"],
    [{ accept: [{ code: "cache.*" }] }, "/accept/0/reason"],
  ])("%j are refused at %s", (options, path) => expectRefused(convert({ ...way, ...options }), path));
});

describe.each(answers)("the exchange of a %s", (_name, convert) => {
  const own: JsonObject = { from: messages, to: chat };

  test.each<[exchange: JsonObject[string], path: string]>([
    [null, "/exchange"],
    ["text", "/exchange"],
    [{}, "/exchange/to"],
    [{ from: chat, to: messages }, "/exchange/to"],
    [{ from: messages, to: messages }, "/exchange/to"],
    [{ ...own, toolNames: null }, "/exchange/toolNames"],
    [{ ...own, toolCallIds: [] }, "/exchange/toolCallIds"],
    [{ ...own, customTools: "f" }, "/exchange/customTools"],
  ])("%j is refused at %s", (exchange, path) => expectRefused(convert({ from: chat, to: messages, exchange }), path));

  test("that survived a restart is taken", async () => {
    const { exchange } = await convertRequest(request, { from: messages, to: chat });
    const options = { from: chat, to: messages, exchange: JSON.parse(JSON.stringify(exchange)) };
    await expect(convert(options)).resolves.toBeDefined();
  });
});

test.each([Number.NaN, 0, 99, 200.5, 1000, -1, "400", undefined])("an error of status %s is none", async (status) => {
  const converted = convertError({ status: status as number, body: {} }, { from: chat, to: messages });
  await expect(converted).rejects.toThrow(DecodeError);
  await expect(converted).rejects.toMatchObject({ path: "/status" });
});
