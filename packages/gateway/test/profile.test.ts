import { convertRequest, loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { chatText, json } from "./service.ts";
import { post, start } from "./start.ts";

const { profiles } = await loadProtocol("openai-chat");

const user = { role: "user", content: "hi" };
const call = { id: "call_abcdefghijklmnop", type: "function", function: { name: "f", arguments: "{}" } };

/** What differs from service to service of one protocol, with and without a loss. */
const parts: Readonly<Record<string, object>> = {
  plain: {},
  max_completion_tokens: { max_completion_tokens: 50 },
  max_tokens: { max_tokens: 50 },
  developer: { messages: [{ role: "developer", content: "d" }, user] },
  reasoning_content: { messages: [user, { role: "assistant", content: "b", reasoning_content: "t" }, user] },
  reasoning: { messages: [user, { role: "assistant", content: "b", reasoning: "t" }, user] },
  effort: { reasoning_effort: "low" },
  seed: { seed: 1 },
  tools: { tools: [{ type: "function", function: { name: "f", strict: true } }], tool_choice: "required" },
  result: {
    messages: [
      user,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: call.id, content: [{ type: "text", text: "x" }] },
    ],
    tools: [{ type: "function", function: { name: "f" } }],
  },
  schema: { response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } } },
  stream: { stream: true, stream_options: { include_usage: true } },
  functions: { functions: [{ name: "f", parameters: { type: "object" } }], function_call: { name: "f" } },
};

describe.each(Object.keys(profiles))("a service of the client's protocol, with the profile %s", (profile) => {
  test.each(Object.entries(parts))("%s", async (_name, part) => {
    const body = { model: "m", messages: [user], ...part };
    const { service, url, records } = await start({
      protocol: "openai-chat",
      profile,
      answer: (_request, response) => json(response, 200, chatText("ok")),
    });
    await (await post(url, "/v1/chat/completions", body)).text();
    const { value, losses } = await convertRequest(body, {
      from: "openai-chat",
      to: "openai-chat",
      target: { ...profiles[profile], model: "m" },
    });
    const [received] = service.received;
    expect(received!.body).toEqual(value);
    expect(records[0]!.losses).toEqual(losses);
    // What needs no change keeps its bytes.
    if (JSON.stringify(value) === JSON.stringify(body)) expect(received!.text).toBe(JSON.stringify(body));
  });

  test("a body that says a thing twice goes nowhere", async () => {
    const { service, url } = await start({
      protocol: "openai-chat",
      profile,
      answer: (_request, response) => json(response, 200, chatText("ok")),
    });
    const text = '{"model":"a","model":"b","messages":[{"role":"developer","content":"x"}],"max_completion_tokens":5}';
    expect((await post(url, "/v1/chat/completions", text)).status).toBe(400);
    expect(service.received).toEqual([]);
  });
});
