import type { JsonObject } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, test } from "vitest";
import { converterOf } from "../conversion.ts";
import { expectSame } from "../differences.ts";

function requestComesBack(protocol: BodyProtocol, body: JsonObject): void {
  const { value, losses } = converterOf(protocol, protocol).convertRequest(body);
  expectSame(value, body);
  expectSame(losses, [], "losses");
}

const chat = (message: JsonObject, fields: JsonObject = {}): void =>
  requestComesBack("openai-chat", { model: "m", messages: [message], ...fields });

describe("Chat requests", () => {
  test("words that are words of the language", () => {
    chat({
      role: "user",
      content: [
        { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit", ttl: "constructor" } },
        { type: "input_audio", input_audio: { data: "QQ==", format: "constructor" } },
      ],
    });
  });

  test("a time to live of Anthropic", () => {
    chat({
      role: "user",
      content: [{ type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit", ttl: "5m" } }],
    });
  });
});
