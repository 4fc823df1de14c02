import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { isJsonObject, valueAt } from "@rolecall/core";
import { model, next, question, result } from "./samples.ts";

/** The next request of a client that keeps an answer as its vendor says: what the answer holds stands in it unchanged, its calls are answered. */
export function historyOf(
  protocol: ProtocolId,
  answer: Json,
): { readonly body: JsonObject; readonly placeOf: (pointer: string) => string } {
  const at = (pointer: string): Json => (valueAt(answer, pointer) ?? null) as Json;
  const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
  switch (protocol) {
    case "openai-chat": {
      const message = at("/choices/0/message");
      const calls = list(valueAt(message, "/tool_calls")).map((call) => idOf(call, "id"));
      const results = calls.map((id) => ({ role: "tool", tool_call_id: id, content: result }));
      const messages = [{ role: "user", content: question }, message, ...results, { role: "user", content: next }];
      return {
        body: { model, max_completion_tokens: 2048, messages },
        placeOf: replaced("/choices/0/message", "/messages/1"),
      };
    }
    case "anthropic-messages": {
      const content = list(at("/content"));
      const calls = content
        .filter((block) => isJsonObject(block) && block["type"] === "tool_use")
        .map((call) => idOf(call, "id"));
      const results = calls.map((id) => ({ type: "tool_result", tool_use_id: id, content: result }));
      const messages = [
        { role: "user", content: question },
        { role: "assistant", content },
        { role: "user", content: [...results, { type: "text", text: next }] },
      ];
      return { body: { model, max_tokens: 2048, messages }, placeOf: replaced("/content", "/messages/1/content") };
    }
    case "openai-responses": {
      const output = list(at("/output"));
      const calls = output
        .filter((item) => isJsonObject(item) && item["type"] === "function_call")
        .map((call) => idOf(call, "call_id"));
      const results = calls.map((id) => ({ type: "function_call_output", call_id: id, output: result }));
      const input = [
        { type: "message", role: "user", content: question },
        ...output,
        ...results,
        { type: "message", role: "user", content: next },
      ];
      const placeOf = (pointer: string): string =>
        pointer.replace(/^\/output\/(\d+)/, (_, index) => `/input/${Number(index) + 1}`);
      return { body: { model, max_output_tokens: 2048, store: false, input }, placeOf };
    }
    case "gemini-generate-content": {
      const content = at("/candidates/0/content");
      const calls = list(valueAt(content, "/parts")).flatMap((part) => {
        const call = valueAt(part, "/functionCall");
        return isJsonObject(call) ? [call] : [];
      });
      const results = calls.map(({ id, name }) => ({
        functionResponse: { ...(typeof id === "string" && { id }), name: name ?? "", response: { output: result } },
      }));
      const contents = [
        { role: "user", parts: [{ text: question }] },
        content,
        { role: "user", parts: [...results, { text: next }] },
      ];
      return {
        body: { contents, generationConfig: { maxOutputTokens: 2048 } } as JsonObject,
        placeOf: replaced("/candidates/0/content", "/contents/1"),
      };
    }
  }
}

const idOf = (value: Json, key: string): string => String(isJsonObject(value) ? value[key] : "");

const replaced =
  (from: string, to: string) =>
  (pointer: string): string =>
    pointer === from || pointer.startsWith(`${from}/`) ? to + pointer.slice(from.length) : pointer;
