import type { ProtocolId } from "@rolecall/core";
import { convertStream } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const chunk = (delta: string, more = "") =>
  `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m"${more},"choices":[{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`;
const chat = (more: string) =>
  [
    chunk('{"role":"assistant","content":""}'),
    chunk('{"content":"a"}'),
    chunk('{"content":"b"}', more),
    chunk('{"content":"c"}', more),
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
    "data: [DONE]\n\n",
  ].join("");
const event = (type: string, fields: string) => `event: ${type}\ndata: {"type":"${type}",${fields}}\n\n`;
const messages = (more: string) =>
  [
    event(
      "message_start",
      '"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}',
    ),
    event("content_block_start", '"index":0,"content_block":{"type":"text","text":""}'),
    event("content_block_delta", `"index":0${more},"delta":{"type":"text_delta","text":"a"}`),
    event("content_block_delta", `"index":0${more},"delta":{"type":"text_delta","text":"b"}`),
    event("content_block_stop", '"index":0'),
    event("message_delta", '"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":3}'),
    event("message_stop", '"stop":true'),
  ].join("");

async function told(text: string, from: ProtocolId, to: ProtocolId) {
  const stream = convertStream(text, { from, to });
  for await (const _piece of stream);
  const losses = await stream.report;
  return losses
    .filter(({ code }) => code === "field.precision" || code === "field.repeated_key")
    .map(({ code, path }) => `${code} ${path}`);
}

describe.each([
  ["openai-chat", chat],
  ["anthropic-messages", messages],
] as const)("frames of %s that say more than the value they read as", (from, stream) => {
  test.each(["openai-chat", "anthropic-messages"] as const)("are told at their places, toward %s", async (to) => {
    expect(await told(stream(',"x_seed":12345678901234567890'), from, to)).toEqual([
      "field.precision /events/2/x_seed",
      "field.precision /events/3/x_seed",
    ]);
    expect(await told(stream(',"x_seed":1,"x_seed":2'), from, to)).toEqual([
      "field.repeated_key /events/2/x_seed",
      "field.repeated_key /events/3/x_seed",
    ]);
    expect(await told(stream(',"x_seed":[1e400]'), from, to)).toEqual([
      "field.precision /events/2/x_seed/0",
      "field.precision /events/3/x_seed/0",
    ]);
    expect(await told(stream(',"x_seed":-1.9361264946837764e-07'), from, to)).toEqual([]);
  });
});
