import { expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { convertRequest } from "../../src/index.ts";
import { wellFormed } from "../../src/json/survey.ts";

const copied = (value: JsonObject): { readonly copy: unknown; readonly places: string[] } => {
  const places: string[] = [];
  return { copy: wellFormed(value, (place) => places.push(place)), places };
};

test.each<[JsonObject, JsonObject]>([
  [
    { "k\ud800": 1, "k\ud801": 2 },
    { "k\ufffd": 1, "k\ufffd_2": 2 },
  ],
  [
    { "k\ud800": 1, "k\ufffd": 2, "k\ud801": 3 },
    { "k\ufffd_2": 1, "k\ufffd": 2, "k\ufffd_3": 3 },
  ],
  [
    { "k\ud800": 1, "k\ud801": 2, "k\ud802": 3, "k\ufffd_2": 4 },
    { "k\ufffd": 1, "k\ufffd_3": 2, "k\ufffd_4": 3, "k\ufffd_2": 4 },
  ],
  [
    { "k\ud800": 1, "k\ud801": 2, "k\ud800_2": 3 },
    { "k\ufffd": 1, "k\ufffd_2": 2, "k\ufffd_2_2": 3 },
  ],
  [{ a: { "\udc00": { "\ud800": 1, "\ud801": 2 } } }, { a: { "\ufffd": { "\ufffd": 1, "\ufffd_2": 2 } } }],
])("keys that differ in half a surrogate pair alone stay apart: %j", (value, expected) => {
  expect(copied(value).copy).toEqual(expected);
});

test("each such key is a place of its own", () => {
  expect(copied({ "k\ud800": 1, b: 2, "k\ud801": 3 }).places).toEqual(["/k\ud800", "/k\ud801"]);
});

test.each<[JsonObject, JsonObject]>([
  [
    { properties: { "k\ud800": {}, "k\ud801": {} }, required: ["k\ud801", "k\ud800", "a"] },
    { properties: { "k\ufffd": {}, "k\ufffd_2": {} }, required: ["k\ufffd_2", "k\ufffd", "a"] },
  ],
  // A name that no property has, and a list that names none.
  [
    { required: ["\ud800"], properties: { "\ud801": {}, "\ufffd": {} } },
    { required: ["\ufffd"], properties: { "\ufffd_2": {}, "\ufffd": {} } },
  ],
  [{ required: ["\ud800"] }, { required: ["\ufffd"] }],
  [
    { required: "\ud800", properties: { "\ud800": {} } },
    { required: "\ufffd", properties: { "\ufffd": {} } },
  ],
])("required properties are called what the properties are: %j", (value, expected) => {
  expect(copied(value).copy).toEqual(expected);
});

test("each name of one is a place", () => {
  const properties = { "\ud800": 1, "\ud801": 2 };
  expect(copied({ required: ["a", "\ud801"], properties }).places).toEqual([
    "/required/1",
    "/properties/\ud800",
    "/properties/\ud801",
  ]);
});

test("arguments and schemas keep all of their keys", async () => {
  const properties = { "k\ud800": { type: "string" }, "k\ud801": { type: "number" } };
  const text = '{"k\\ud800":1,"k\\ud801":2}';
  const call = { id: "1", type: "function", function: { name: "f", arguments: text } };
  const { value, losses } = await convertRequest(
    {
      model: "m",
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object", properties } } }],
      messages: [
        { role: "user", content: "x" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "1", content: "a" },
      ],
    },
    { from: "openai-chat", to: "anthropic-messages" },
  );
  const sent = value as unknown as { tools: { input_schema: JsonObject }[]; messages: { content: JsonObject[] }[] };
  expect(sent.messages[1]?.content[0]?.["input"]).toEqual({ "k\ufffd": 1, "k\ufffd_2": 2 });
  expect(sent.tools[0]?.input_schema["properties"]).toEqual({
    "k\ufffd": { type: "string" },
    "k\ufffd_2": { type: "number" },
  });
  expect(losses.filter(({ code }) => code === "text.lone_surrogate")).toHaveLength(3);
});
