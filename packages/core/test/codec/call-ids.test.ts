import { expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { convertRequest, convertResponse } from "../../src/index.ts";
import { converted } from "../stream/wire.ts";

const chat = "openai-chat";
const anthropic = "anthropic-messages";
const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };
const answered = (content: string): JsonObject => ({ role: "tool", tool_call_id: "1", content });

async function ids(messages: JsonObject[]) {
  const body = { model: "m", messages: [{ role: "user", content: "x" }, ...messages] };
  const { value, losses } = await convertRequest(body, { from: chat, to: anthropic });
  const blocks = (value as unknown as { messages: { content: JsonObject[] }[] }).messages.flatMap(
    ({ content }) => content,
  );
  return {
    sent: blocks.map((block) => block["id"] ?? block["tool_use_id"]).filter((id) => id !== undefined),
    losses: losses.filter(({ code }) => code === "tool.id"),
  };
}

test("an id that two calls of one turn share is reported where it is changed", async () => {
  const turn = { role: "assistant", content: null, tool_calls: [call, call] };
  const { sent, losses } = await ids([turn, answered("a"), answered("b")]);
  expect(new Set(sent).size).toBe(2);
  expect(losses.map(({ path }) => path)).toEqual(["/messages/1/tool_calls/1/id", "/messages/3/tool_call_id"]);
  expect(new Set(losses.map(({ replacement }) => replacement))).toEqual(new Set([sent[1]]));
});

test("so it is with calls of two turns", async () => {
  const turn = { role: "assistant", content: null, tool_calls: [call] };
  const { losses } = await ids([turn, answered("a"), turn, answered("b")]);
  expect(losses.map(({ path }) => path)).toEqual(["/messages/3/tool_calls/0/id", "/messages/4/tool_call_id"]);
});

test("so it is in an answer, whole or streamed", async () => {
  const answer = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, tool_calls: [call, call] },
        finish_reason: "tool_calls",
      },
    ],
  };
  const { losses } = await convertResponse(answer, { from: chat, to: anthropic });
  expect(losses.filter(({ code }) => code === "tool.id").map(({ path }) => path)).toEqual([
    "/choices/0/message/tool_calls/1/id",
  ]);
  const chunk = (delta: JsonObject, reason: string | null): string =>
    `data: ${JSON.stringify({ ...answer, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const first = chunk({ tool_calls: [{ ...call, index: 0 }] }, null);
  const streamed = await converted(`${first}${chunk({}, "tool_calls")}data: [DONE]\n\n`, chat, anthropic);
  expect(streamed.losses.filter(({ code }) => code === "tool.id")).toEqual([]);
});

test("within one protocol ids stay as they are", async () => {
  const turn = { role: "assistant", content: null, tool_calls: [call, call] };
  const body = { model: "m", messages: [{ role: "user", content: "x" }, turn, answered("a"), answered("b")] };
  const { value, losses } = await convertRequest(body, { from: chat, to: chat });
  expect(value).toEqual(body);
  expect(losses).toEqual([]);
});

test("media that is moved out of a result names the id that is sent", async () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const body = {
    model: "m",
    max_tokens: 9,
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_01ABC", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01ABC", content: [image] }] },
    ],
  };
  const { value } = await convertRequest(body, { from: anthropic, to: chat, target: { provider: "mistral" } });
  const { messages } = value as { messages: JsonObject[] };
  const id = messages[2]?.["tool_call_id"];
  expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(messages[3]?.["content"]).toMatchObject([{ type: "text", text: `[from the result of tool call ${id}]` }, {}]);
});
