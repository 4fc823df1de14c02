// What every runtime has to say the same of: requests, answers and streams in all ways across, and a conversation that goes on.
import { convertStream, createConverter, HistoryCache, loadProtocol, protocolIds } from "@rolecall/core";
import { lintRequest } from "@rolecall/core/check";

const body = {
  model: "claude-opus-4-8",
  max_tokens: 64,
  system: [{ type: "text", text: "Be brief. \u{1f600}", cache_control: { type: "ephemeral" } }],
  tools: [{ name: "read", description: "Reads a file.", input_schema: { type: "object", properties: {} } }],
  messages: [
    { role: "user", content: "Read a.txt" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.txt" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "two", is_error: true }] },
  ],
};
const frame = (/** @type {{ type: string }} */ event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-8",
  content: [],
  stop_reason: null,
};
const stream = [
  { type: "message_start", message: { ...message, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 0 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hé" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "llo" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
].map(frame);

/** Two lines of text for all of it. */
export async function smoke() {
  const said = [];
  const source = await loadProtocol("anthropic-messages");
  for (const id of protocolIds) {
    const converter = createConverter(source, await loadProtocol(id));
    const bytes = converter.convertRequest(new TextEncoder().encode(JSON.stringify(body)));
    const cache = new HistoryCache({ minimumLength: 0 });
    const turns = [1, 3].map((end) => {
      const text = JSON.stringify({ ...body, messages: body.messages.slice(0, end) });
      return converter.convertRequest(text, { cache }).value;
    });
    const converted = convertStream(
      (async function* () {
        for (const text of stream) yield new TextEncoder().encode(text);
      })(),
      { from: "anthropic-messages", to: id, receivedAt: 0 },
    );
    let events = "";
    for await (const text of converted) events += text;
    const codes = bytes.losses.map(({ code }) => code);
    said.push({ id, request: new TextDecoder().decode(bytes.value), codes, turns, continued: cache.continued, events });
  }
  return JSON.stringify({ said, findings: lintRequest(body).map(({ rule, path }) => `${rule} ${path}`) });
}
