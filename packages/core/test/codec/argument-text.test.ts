import { describe, expect, test } from "vitest";
import { createConverter } from "../../src/index.ts";
import { anthropicMessages } from "../../src/protocols/anthropic-messages/index.ts";
import { openaiChat } from "../../src/protocols/openai-chat/index.ts";

function convertCall(argumentsText: string) {
  const call = { id: "c", type: "function", function: { name: "f", arguments: argumentsText } };
  const { value, losses } = createConverter(openaiChat, anthropicMessages).convertRequest({
    model: "m",
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c", content: "y" },
    ],
  });
  const { messages } = value as unknown as { messages: { content: { input: unknown }[] }[] };
  const codes = losses.map((loss) => loss.code).filter((code) => code.startsWith("tool_call."));
  return { input: messages[1]!.content[0]!.input, codes };
}

describe("argument text that becomes an object", () => {
  test.each([
    '{"a":8781746464.0333138}',
    '{"a":0.12345678901234567}',
    '{"a":[1,2,-9007199254740993]}',
    '{"a":2.5e-324}',
    '{"a":"\\\\","a":"\\""}',
    '{"a":{"\\u0062":1,"b":2}}',
    '{ "a" : [ { "b" : { "c" : "x" } , "b" : "y" } ] }',
  ])("is reported where reading it loses something: %s", (text) => {
    expect(convertCall(text).codes).toEqual(["tool_call.precision"]);
  });

  test.each([
    '{"a":"8781746464.0333138 \\\\\\" 12345678901234567890"}',
    '{"a":123456789.012345,"b":-1.50,"c":1E+2,"d":0e0,"e":-0}',
    '{ "a\\\\" : "\\"a\\":1,\\"a\\":2" , "b" : [ true , null , "c" ] }',
    '{"__proto__":{"a":1},"a":{"a":[{"a":"a"},{"a":"a"}]}}',
  ])("is not where nothing is lost: %s", (text) => {
    expect(convertCall(text)).toEqual({ input: JSON.parse(text), codes: [] });
  });

  test("goes as text where it nests deeper than a body may", () => {
    for (const depth of [513, 100_000]) {
      const text = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      expect(convertCall(text)).toEqual({ input: { _raw_arguments: text }, codes: ["tool_call.arguments"] });
    }
  });
});
