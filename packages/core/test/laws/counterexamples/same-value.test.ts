import type { Json, JsonObject } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, test } from "vitest";
import type { Operation } from "../conversion.ts";
import { convert } from "../conversion.ts";
import { expectSame } from "../differences.ts";

function comesBack(protocol: BodyProtocol, operation: Operation, body: JsonObject): void {
  const { value, losses } = convert(protocol, protocol, operation, body);
  expectSame(value, body);
  expectSame(losses, [], "losses");
}

describe("Chat requests come back", () => {
  const request = (message: JsonObject, fields: JsonObject = {}): void =>
    comesBack("openai-chat", "request", { model: "m", messages: [message], ...fields });
  const call = (fields: JsonObject): void => request({ role: "assistant", content: null, tool_calls: [fields] });
  const user = { role: "user", content: "a" };

  test("with words that are words of the language", () => {
    request({
      role: "user",
      content: [
        { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit", ttl: "constructor" } },
        { type: "input_audio", input_audio: { data: "QQ==", format: "constructor" } },
      ],
    });
  });

  test("with a time to live of Anthropic", () => {
    request({
      role: "user",
      content: [{ type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit", ttl: "5m" } }],
    });
  });

  test("with an id that is used twice", () => {
    const twice = { id: "same", type: "function", function: { name: "f", arguments: "{}" } };
    const result = { role: "tool", tool_call_id: "same", content: "a" };
    comesBack("openai-chat", "request", {
      model: "m",
      messages: [user, { role: "assistant", content: null, tool_calls: [twice, twice] }, result, result],
    });
  });

  test("with an id that is no text", () => {
    call({ id: false, type: "function", function: { name: "f", arguments: "{}" } });
  });

  test("with null for the arguments of a deprecated call", () => {
    request({ role: "assistant", content: null, function_call: { name: "f", arguments: null } });
  });

  test("with an empty subset of tools", () => {
    request(user, { tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } } });
  });

  test("with a deprecated function without a name", () => {
    request(user, { functions: [{ name: "f" }, { name: null }] });
  });

  test.each([
    [{ tool_choice: { type: "function", function: { name: "f", "a/b": null }, "c/d": 1 } }],
    [{ response_format: { type: "text", "a/b": null } }],
    [{ response_format: { type: "json_schema", json_schema: { name: "n", schema: {} }, "a~b/c": null } }],
  ])("with keys that a pointer has to escape: %j", (fields: JsonObject) => {
    request(user, fields);
  });
});

describe("Chat responses come back", () => {
  const response = (message: JsonObject, choice: JsonObject = {}, fields: JsonObject = {}): void =>
    comesBack("openai-chat", "response", {
      id: "r",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "a", refusal: null, ...message },
          logprobs: null,
          finish_reason: "stop",
          ...choice,
        },
      ],
      ...fields,
    });

  test("with null for the position of a candidate", () => {
    response({}, { index: null });
  });

  test.each([
    [{ id: "s", data: "QQ==", expires_at: null, transcript: null }],
    [{ id: "s", data: null, expires_at: 0, transcript: "a", "a/b": 1 }],
  ])("with audio that lacks fields: %j", (audio: JsonObject) => {
    response({ audio });
  });

  test("with a time that milliseconds cannot hold", () => {
    response({}, {}, { created: 1.7e308 });
  });
});

describe("Messages requests come back", () => {
  const request = (messages: readonly JsonObject[], fields: JsonObject = {}): void =>
    comesBack("anthropic-messages", "request", { model: "m", max_tokens: 1, messages, ...fields });
  const blocks = (...content: readonly Json[]): void => request([{ role: "user", content }]);

  test("with lists and nulls where blocks belong", () => {
    const odd = [[null, null], null];
    blocks(...odd);
    blocks({ type: "tool_result", tool_use_id: "t", content: odd });
    blocks({ type: "document", source: { type: "content", content: odd } });
    blocks({ type: "search_result", source: "s", title: "t", content: odd });
  });

  test("with null for the media type of a text", () => {
    blocks({ type: "document", source: { type: "text", media_type: null, data: "a" } });
  });

  test("with keys that a pointer has to escape", () => {
    request([{ role: "system", content: "a", output_config: { effort: "low", "a/b": null } }]);
  });
});

describe("Messages responses come back", () => {
  test.each([
    [{ id: null }],
    [{ usage: null }],
    [{ stop_reason: {} }],
    [{ stop_sequence: 0 }],
    [{ stop_reason: "refusal", stop_details: { type: "refusal", category: "bio", explanation: "" } }],
    [{ stop_reason: "refusal", stop_details: { type: "refusal", category: "bio" } }],
    [{ content: [[null], null] }],
  ])("with %j", (fields: JsonObject) => {
    comesBack("anthropic-messages", "response", {
      id: "r",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
      ...fields,
    });
  });
});
