import { expect, test } from "vitest";
import { createConverter } from "../../../src/index.ts";
import { protocol as responses } from "../../../src/protocols/openai-responses/index.ts";

const tool = { type: "function", name: "read" };
const item = { type: "additional_tools", role: "developer", tools: [tool] };
const user = { role: "user", content: "go" };
const { convertRequest } = createConverter(responses, responses);

test.each<[string, object]>([
  ["before all else", { input: [item] }],
  ["before a turn", { input: [item, user] }],
  ["beside an instruction", { instructions: "read", input: [item, user] }],
  ["beside tools of the request", { tools: [{ type: "function", name: "write" }], input: [item, user] }],
  ["twice", { input: [item, { ...item, tools: [{ type: "function", name: "write" }] }] }],
  ["of no known kind", { input: [{ ...item, tools: [{}] }] }],
])("an item that adds tools stays one: %s", (_, body) => {
  const { value, losses } = convertRequest(body);
  expect(value).toEqual(body);
  expect(losses).toEqual([]);
});
