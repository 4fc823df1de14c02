import { describe, expect, test } from "vitest";
import { anthropicText, chatText, json } from "./service.ts";
import { post, start } from "./start.ts";

const paths = { "openai-chat": "/v1/chat/completions", "anthropic-messages": "/v1/messages" } as const;
const pairs = [
  ["openai-chat", "anthropic-messages"],
  ["anthropic-messages", "openai-chat"],
] as const;
const whole = { "openai-chat": chatText("ok"), "anthropic-messages": anthropicText("ok") };

describe.each(pairs)("what reading a text loses, from %s to %s", (from, to) => {
  const codesAt = (losses: readonly { readonly code: string; readonly path: string }[]) =>
    losses.filter(({ code }) => code.startsWith("field.")).map(({ code, path }) => `${code} ${path}`);

  test("in a request: numbers with too many digits, and keys that stand twice", async () => {
    const { url, records, service } = await start({
      protocol: to,
      answer: (_r, response) => json(response, 200, whole[to]),
    });
    const body = `{"model":"m","max_tokens":9,"metadata":{"user_id":"a","user_id":"b"},"messages":[{"role":"user","content":"hi"}],
      "tools":[${tool(from, '{"type":"object","properties":{"id":{"type":"integer","maximum":12345678901234567890}}}')}]}`;
    const answer = await post(url, paths[from], body);
    expect(answer.status).toBe(200);
    const schema = from === "openai-chat" ? "/tools/0/function/parameters" : "/tools/0/input_schema";
    expect(codesAt(records[0]!.losses)).toEqual(
      expect.arrayContaining([
        `field.precision ${schema}/properties/id/maximum`,
        "field.repeated_key /metadata/user_id",
      ]),
    );
    expect(service.received[0]!.text).not.toContain("12345678901234567890");
    const total = Number(/total=(\d+)/.exec(answer.headers.get("rolecall-losses")!)![1]);
    expect(total).toBe(records[0]!.losses.length);
  });

  test.each([false, true])("in a whole answer, stream %s", async (stream) => {
    const { url, records } = await start({
      protocol: to,
      answer: (_r, response) =>
        json(response, 200, JSON.stringify(whole[to]).replace('"usage":{', '"usage":{"ticks":1e999,"ticks":1e999,')),
    });
    await (
      await post(url, paths[from], { model: "m", max_tokens: 9, stream, messages: [{ role: "user", content: "hi" }] })
    ).text();
    expect(codesAt(records[0]!.losses)).toEqual(
      expect.arrayContaining(["field.precision /usage/ticks", "field.repeated_key /usage/ticks"]),
    );
  });

  test("nothing where the bytes go through", async () => {
    const { url, records, service } = await start({
      protocol: from,
      answer: (_r, response) => json(response, 200, whole[from]),
    });
    const body = `{"model":"m","max_tokens":9,"seed":12345678901234567890,"messages":[{"role":"user","content":"hi"}]}`;
    await post(url, paths[from], body);
    expect(records[0]!.losses).toEqual([]);
    expect(service.received[0]!.text).toBe(body);
  });
});

function tool(protocol: (typeof pairs)[number][0], schema: string): string {
  return protocol === "openai-chat"
    ? `{"type":"function","function":{"name":"f","parameters":${schema}}}`
    : `{"name":"f","input_schema":${schema}}`;
}
