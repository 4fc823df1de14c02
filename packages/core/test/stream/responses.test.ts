import { describe, expect, test } from "vitest";
import { callsOf, testStreamFaults, textIn } from "./fault.ts";
import type { Body } from "./wire.ts";
import { anthropic, chat, chunk, converted, data, decoded, done, events, responses } from "./wire.ts";

const response = (more: Body = {}): Body => ({
  id: "r1",
  object: "response",
  created_at: 1,
  model: "m",
  status: "in_progress",
  output: [],
  ...more,
});
const created = { type: "response.created", response: response() };
const completed = (more: Body = {}): Body => ({
  type: "response.completed",
  response: response({ status: "completed", usage: { input_tokens: 4, output_tokens: 2, total_tokens: 6 }, ...more }),
});
const added = (output_index: number, item: Body): Body => ({ type: "response.output_item.added", output_index, item });
const ended = (output_index: number, item: Body): Body => ({ type: "response.output_item.done", output_index, item });
const message = (text?: string): Body => ({
  type: "message",
  id: "m1",
  role: "assistant",
  status: text === undefined ? "in_progress" : "completed",
  content: text === undefined ? [] : [{ type: "output_text", text, annotations: [] }],
});
const piece = (delta: string, type = "output_text"): Body => ({
  type: `response.${type}.delta`,
  item_id: "m1",
  output_index: 0,
  content_index: 0,
  delta,
});

testStreamFaults("streams of Responses", {
  "responses-args-only-in-done": {
    from: responses,
    to: chat,
    siblings: [
      events(
        created,
        added(0, { type: "function_call", id: "fc1", call_id: "c1", name: "bash", arguments: "" }),
        ended(0, { type: "function_call", id: "fc1", call_id: "c1", name: "bash", arguments: '{"cmd":"ls"}' }),
        completed(),
      ),
      events(
        created,
        completed({
          output: [{ type: "function_call", id: "fc1", call_id: "c1", name: "bash", arguments: '{"cmd":"ls"}' }],
        }),
      ),
    ],
    check({ message: answer, target }) {
      expect(callsOf(answer)).toEqual([{ id: "c1", name: "bash", input: { cmd: "ls" } }]);
      expect(answer.stopReason).toBe("toolUse");
      expect(target.text).toContain('"finish_reason":"tool_calls"');
    },
  },
  "responses-incomplete": {
    from: responses,
    to: chat,
    siblings: [
      events(created, added(0, message()), piece("Hel"), {
        type: "response.incomplete",
        response: response({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
      }),
    ],
    check({ message: answer, target }) {
      expect(textIn(answer)).toBe("Hel");
      expect(answer.stopReason).toBe("length");
      expect(target.text).toContain('"finish_reason":"length"');
    },
  },
  "error-200-sse-empty-choices": {
    from: chat,
    to: responses,
    siblings: [chunk({ content: "a" }) + data({ choices: [], error: { code: 502, message: "no capacity" } })],
    check({ target }) {
      const last = target.frames.at(-1)?.data;
      expect(last).toMatchObject({
        type: "response.failed",
        response: { status: "failed", error: { message: "no capacity" } },
      });
      expect(target.text).not.toContain("response.completed");
    },
  },
});

describe("streams of Responses", () => {
  test("tell Chat of a filter beside a refusal, which reads as the refusal alone", async () => {
    const part = { type: "refusal", refusal: "" };
    const source = events(
      created,
      added(0, message()),
      { type: "response.content_part.added", item_id: "m1", output_index: 0, content_index: 0, part },
      piece("I won't", "refusal"),
      {
        type: "response.incomplete",
        response: response({ status: "incomplete", incomplete_details: { reason: "content_filter" } }),
      },
    );
    expect((await decoded(source, responses)).value).toMatchObject({
      stopReason: "error",
      stopDetail: "contentFilter",
    });
    const { text, losses } = await converted(source, responses, chat);
    expect(text).toContain('"finish_reason":"content_filter"');
    expect(losses.map(({ code }) => code)).toContain("stop.approximated");
  });

  test("name what only their own protocol knows, and pass it within that", async () => {
    const source =
      events(
        created,
        { type: "acme:thought", note: "x" },
        added(0, message()),
        piece("Hi"),
        ended(0, message("Hi")),
        completed({ output: [message("Hi")] }),
      ) + done;
    const there = await converted(source, responses, chat);
    expect(there.losses.map(({ code, path }) => [code, path])).toContainEqual(["stream.raw", "/events/1"]);
    const same = await converted(source, responses, responses);
    expect(same.losses).toEqual([]);
    expect(same.text).toContain("acme:thought");
    expect(same.frames.at(-1)?.data).toBe("[DONE]");
  });

  test("keep reasoning with its summaries apart and its payload", async () => {
    const reasoning = (parts: readonly string[], more: Body = {}): Body => ({
      type: "reasoning",
      id: "rs1",
      summary: parts.map((text) => ({ type: "summary_text", text })),
      ...more,
    });
    const part = (summary_index: number, delta: string): Body[] => [
      {
        type: "response.reasoning_summary_part.added",
        item_id: "rs1",
        output_index: 0,
        summary_index,
        part: { type: "summary_text", text: "" },
      },
      { type: "response.reasoning_summary_text.delta", item_id: "rs1", output_index: 0, summary_index, delta },
    ];
    const source = events(
      created,
      added(0, reasoning([])),
      ...part(0, "one"),
      ...part(1, "two"),
      ended(0, reasoning(["one", "two"], { encrypted_content: "sealed" })),
      completed(),
    );
    const { value } = await decoded(source, responses);
    expect(value.content).toMatchObject([{ type: "thinking", thinking: "one\n\ntwo", kind: "summary" }]);
    expect(value.content[0]?.state).toMatchObject([
      { kind: "itemId", value: "rs1" },
      { kind: "encrypted", value: "sealed" },
    ]);
    const { losses, text } = await converted(source, responses, anthropic);
    expect(text).not.toContain("sealed");
    expect(losses.map(({ code }) => code)).toContain("state.foreign");
  });

  test("begin and end with a whole response, which echoes the request", async () => {
    const exchange = { from: responses, to: chat, echo: { instructions: "Be brief.", temperature: 0 } } as const;
    const { frames } = await converted(chunk({ content: "Hi" }) + chunk({}, "stop") + done, chat, responses, {
      exchange,
    });
    const types = frames.map(({ data: value }) => value.type);
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(frames.map(({ data: value }) => value.sequence_number)).toEqual(types.map((_, index) => index));
    expect(frames.every(({ event, data: value }) => event === value.type)).toBe(true);
    const echoed = { instructions: "Be brief.", temperature: 0, tools: [], parallel_tool_calls: true };
    expect(frames[0]?.data.response).toMatchObject({ ...echoed, status: "in_progress", output: [] });
    expect(frames.at(-1)?.data.response).toMatchObject({
      ...echoed,
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }],
    });
  });

  test("that break off end in a failure of the protocol", async () => {
    const { frames } = await converted(events(created, added(0, message()), piece("a")), responses, responses);
    expect(frames.slice(-2).map(({ data: value }) => value.type)).toEqual(["error", "response.failed"]);
    expect((await decoded("", responses)).value.stopReason).toBe("error");
  });
});
