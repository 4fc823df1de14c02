import { expect } from "vitest";
import { callsOf, testStreamFaults, textIn } from "./fault.ts";
import {
  anthropic,
  anthropicBlocks,
  block,
  call,
  chat,
  chunk,
  data,
  done,
  end,
  events,
  finish,
  json,
  start,
  stop,
  text,
} from "./wire.ts";

const usage = (prompt: number, completion: number) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
});

testStreamFaults("ends of streams", {
  "length-beats-tool-calls": {
    from: chat,
    to: anthropic,
    siblings: [chunk({ tool_calls: [call(0, "c1", "f", "{}"), call(1, "c2", "g", '{"a":')] }, "length") + done],
    check({ message, target }) {
      expect(message.stopReason).toBe("length");
      expect(target.frames.find((frame) => frame.event === "message_delta")?.data.delta.stop_reason).toBe("max_tokens");
    },
  },
  "eof-without-terminal": {
    from: chat,
    to: anthropic,
    siblings: [
      chunk({ content: "I will" }),
      chunk({ content: "I will" }) + chunk({ tool_calls: [call(0, "c1", "rm", "{}")] }),
      `${chunk({ content: "I will" })}data: {"id":"c1","choices":[{"index":0,"del`,
      chunk({ content: "I will" }) + chunk({ tool_calls: [call(0, "c1", "rm", '{"a')] }) + done,
    ],
    check({ message, target }) {
      expect(message).toMatchObject({ stopReason: "error", error: { retryable: true } });
      expect(message.rawStopReason).toBeUndefined();
      expect(textIn(message)).toBe("I will");
      expect(target.frames.at(-1)).toMatchObject({ event: "error", data: { type: "error" } });
      expect(target.text).not.toMatch(/message_stop|"stop_reason":"/);
    },
  },
  "anthropic-stream-cut": {
    own: true,
    from: anthropic,
    to: chat,
    siblings: [
      events(start(), block(0, { type: "text", text: "" }), text(0, "I will")),
      events(start(), block(0, { type: "tool_use", id: "t", name: "rm", input: {} }), json(0, "{}"), stop(0)),
      "",
    ],
    check({ message, target }) {
      expect(message).toMatchObject({ stopReason: "error", error: { retryable: true } });
      expect(target.frames.at(-1)?.data.error).toBeTypeOf("object");
      expect(target.text).not.toContain("[DONE]");
    },
  },
  "done-without-finish-reason": {
    from: chat,
    to: anthropic,
    siblings: [chunk({ content: "x", tool_calls: [call(0, "c1", "w", "{}")] }) + done],
    check({ message, codes, target }) {
      expect(message.stopReason).toBe("toolUse");
      expect(message.rawStopReason).toBeUndefined();
      expect(codes).toContain("stop.inferred");
      expect(target.losses.map((loss) => loss.code)).toContain("stop.inferred");
      expect(target.frames.at(-2)?.data.delta.stop_reason).toBe("tool_use");
    },
  },
  "finish-without-done": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [chunk({ content: "x" }, "stop"), chunk({ content: "x" }, "stop").trimEnd()],
    check({ message, codes, target }) {
      expect(message.stopReason).toBe("stop");
      expect(codes).toEqual([]);
      expect(target.frames.at(-1)?.event).toBe("message_stop");
    },
  },
  "usage-anthropic-stream-cumulative": {
    from: anthropic,
    to: chat,
    siblings: [
      events(
        start({ usage: { input_tokens: 27, cache_read_input_tokens: 100, output_tokens: 10 } }),
        { ...finish("end_turn"), usage: { output_tokens: 30 } },
        { ...finish("end_turn"), usage: { output_tokens: 47 } },
        end,
      ),
    ],
    check({ message, target }) {
      expect(message.usage).toMatchObject({ input: 27, cacheRead: 100, output: 47, totalTokens: 174 });
      const chunks = target.frames.filter(({ data: value }) => value.usage);
      expect(chunks).toHaveLength(1);
      expect(chunks[0]?.data).toMatchObject({
        choices: [],
        usage: {
          prompt_tokens: 127,
          completion_tokens: 47,
          total_tokens: 174,
          prompt_tokens_details: { cached_tokens: 100 },
        },
      });
    },
  },
  "usage-anthropic-delta-null": {
    from: anthropic,
    to: chat,
    siblings: [
      events(start({ usage: { input_tokens: 90, output_tokens: 1 } }), {
        ...finish("end_turn"),
        usage: { input_tokens: null, output_tokens: 12 },
      }),
    ],
    check({ message }) {
      expect(message.usage).toMatchObject({ input: 90, output: 12 });
    },
  },
  "usage-chat-final-chunk": {
    from: chat,
    to: anthropic,
    siblings: [
      chunk({ content: "a" }, null, { usage: null }) +
        chunk({ content: "b" }, "stop", { usage: null }) +
        data({ id: "c1", choices: [], ...usage(4, 2) }) +
        done,
    ],
    check({ message, target }) {
      expect(textIn(message)).toBe("ab");
      expect(message.usage).toMatchObject({ input: 4, output: 2 });
      expect(anthropicBlocks(target.frames)).toMatchObject([{ type: "text", text: "ab" }]);
      const deltas = target.frames.filter((frame) => frame.event === "message_delta");
      expect(deltas).toHaveLength(1);
      expect(deltas[0]?.data).toMatchObject({
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: 4, output_tokens: 2 },
      });
    },
  },
  "sse-utf8-split": {
    from: chat,
    to: anthropic,
    siblings: [
      [...new TextEncoder().encode(chunk({ content: "北京🌍é" }, "stop") + done)].map((byte) => Uint8Array.of(byte)),
      // A pair of surrogates may be cut between two deltas.
      chunk({ content: "北京\ud83c" }) + chunk({ content: "\udf0dé" }, "stop") + done,
    ],
    check({ message, target }) {
      expect(textIn(message)).toBe("北京🌍é");
      expect(anthropicBlocks(target.frames)[0].text).toBe("北京🌍é");
      expect(target.text).not.toContain("\ufffd");
    },
  },
  "sse-comments": {
    from: chat,
    to: chat,
    siblings: [`:\n\n: x\n${chunk({ content: "a" })}: y\n\n${chunk({}, "stop")}: z\n\n${done}`],
    check({ message, target }) {
      expect(textIn(message)).toBe("a");
      expect(target.frames).toHaveLength(3);
      expect(target.frames.every((frame) => frame.data !== "" && !String(frame.data).startsWith(":"))).toBe(true);
    },
  },
  "error-midstream-anthropic-to-chat": {
    from: anthropic,
    to: chat,
    siblings: [
      events(start(), block(0, { type: "text", text: "" }), text(0, "ok"), {
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" },
      }),
    ],
    check({ message, target }) {
      expect(textIn(message)).toBe("ok");
      expect(message).toMatchObject({ stopReason: "error", error: { kind: "overloaded", retryable: true } });
      expect(target.frames.at(-1)?.data.error).toMatchObject({ message: "Overloaded" });
      expect(target.text).not.toContain("[DONE]");
      expect(target.text).not.toMatch(/"finish_reason":"/);
    },
  },
  "error-midstream-to-anthropic-client": {
    from: chat,
    to: anthropic,
    siblings: [
      chunk({ content: "a" }) + data({ error: { type: "rate_limit_error", message: "rate limited", code: null } }),
      data({ error: { type: "rate_limit_error", message: "rate limited" } }) + done,
      `event: error\n${data({ error: { message: "rate limited", type: "rate_limit_error" } })}`,
    ],
    check({ message, target }) {
      expect(message).toMatchObject({ stopReason: "error", error: { kind: "rate_limit", retryable: true } });
      expect(target.frames.at(-1)).toMatchObject({
        event: "error",
        data: { type: "error", error: { type: "rate_limit_error", message: "rate limited" } },
      });
      expect(target.text).not.toContain("message_stop");
    },
  },
  "error-finish-reason-error": {
    from: chat,
    to: anthropic,
    siblings: [chunk({ content: "a" }) + chunk({}, "error") + done],
    check({ message, target }) {
      expect(message).toMatchObject({ stopReason: "error", rawStopReason: "error" });
      expect(message.errorMessage).toBeTypeOf("string");
      expect(target.frames.at(-1)?.event).toBe("error");
    },
  },
  "reasoning-duplicate-fields": {
    from: chat,
    to: anthropic,
    siblings: [
      chunk({
        reasoning: "h",
        reasoning_content: "h",
        reasoning_details: [{ type: "reasoning.text", text: "h", index: 0 }],
      }) +
        chunk({ reasoning: "m", reasoning_details: [{ type: "reasoning.text", text: "m", index: 0 }] }) +
        chunk({ content: "ok" }, "stop") +
        done,
    ],
    check({ message, target }) {
      expect(message.content).toMatchObject([
        {
          type: "thinking",
          thinking: "hm",
          state: [{ kind: "details", value: [{ type: "reasoning.text", text: "hm", index: 0 }] }],
        },
        { type: "text", text: "ok" },
      ]);
      expect(anthropicBlocks(target.frames)).toMatchObject([
        { type: "thinking", thinking: "hm", signature: "" },
        { type: "text", text: "ok" },
      ]);
      expect(target.losses.map((loss) => loss.code)).toContain("state.foreign");
    },
  },
  "refusal-deltas": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [chunk({ refusal: "I " }) + chunk({ refusal: "won't" }) + chunk({}, "stop") + done],
    check({ message, target }) {
      expect(message).toMatchObject({
        stopReason: "error",
        stopDetail: "refusal",
        content: [{ type: "refusal", text: "I won't" }],
      });
      expect(target.frames.at(-2)?.data.delta).toMatchObject({
        stop_reason: "refusal",
        stop_details: { type: "refusal", category: null, explanation: "I won't" },
      });
      expect(anthropicBlocks(target.frames)).toEqual([]);
    },
  },
  "anthropic-refusal": {
    own: true,
    from: anthropic,
    to: chat,
    siblings: [
      events(
        start(),
        finish("refusal", { stop_details: { type: "refusal", category: "bio", explanation: "no" } }),
        end,
      ),
    ],
    check({ message, target }) {
      expect(message).toMatchObject({
        stopDetail: "refusal",
        content: [{ type: "refusal", text: "no", category: "bio" }],
      });
      expect(target.frames.some(({ data: value }) => value.choices?.[0]?.delta?.refusal === "no")).toBe(true);
      expect(target.frames.some(({ data: value }) => value.choices?.[0]?.finish_reason === "content_filter")).toBe(
        true,
      );
      expect(target.losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
        "refusal.detail /events/1/delta/stop_details/category",
        "stop.approximated /events/1/delta/stop_reason",
      ]);
      expect(callsOf(message)).toEqual([]);
    },
  },
});
