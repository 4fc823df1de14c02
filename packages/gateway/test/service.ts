import type { IncomingHttpHeaders, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

export type Answer = (request: Received, response: ServerResponse) => void | Promise<void>;

/** A service on the loopback that answers as a test says, and keeps what it received. */
export interface Service {
  readonly origin: string;
  readonly received: Received[];
  /** How many requests were given up by the other side before they were answered. */
  readonly cancelled: number;
  /** Open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function startService(answer: Answer): Promise<Service> {
  const received: Received[] = [];
  let cancelled = 0;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableFinished) cancelled++;
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        body = undefined;
      }
      const entry = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, text, body };
      received.push(entry);
      void answer(entry, response);
    });
    request.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    get cancelled() {
      return cancelled;
    },
    connections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof value === "string" ? value : JSON.stringify(value));
}

/** The family that a request is addressed to, by its path. */
export const isMessages = (request: Received): boolean => request.url.startsWith("/v1/messages");

/** The text of a chunked stream, event by event. */
export function events(response: ServerResponse, list: readonly string[], headers: Record<string, string> = {}) {
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  for (const event of list) response.write(event);
  response.end();
}

const chatData = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const namedEvent = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
const anthropicUsage = {
  input_tokens: 12,
  output_tokens: 7,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

export const chatText = (text: string, model = "upstream-model") => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1760000000,
  model,
  choices: [
    { index: 0, message: { role: "assistant", content: text, refusal: null }, logprobs: null, finish_reason: "stop" },
  ],
  usage,
});

export const chatCall = (name: string, args: unknown, model = "upstream-model") => ({
  ...chatText("", model),
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: null,
        refusal: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: JSON.stringify(args) } }],
      },
      logprobs: null,
      finish_reason: "tool_calls",
    },
  ],
});

export const anthropicText = (text: string, model = "upstream-model") => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model,
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: anthropicUsage,
});

export const anthropicCall = (name: string, input: unknown, model = "upstream-model") => ({
  ...anthropicText("", model),
  content: [{ type: "tool_use", id: "toolu_1", name, input }],
  stop_reason: "tool_use",
});

export function chatEvents(answer: ReturnType<typeof chatText> | ReturnType<typeof chatCall>): string[] {
  const base = { id: answer.id, object: "chat.completion.chunk", created: answer.created, model: answer.model };
  const [choice] = answer.choices;
  const message = choice!.message as { content: string | null; tool_calls?: { function: { arguments: string } }[] };
  const chunk = (delta: unknown, finish: string | null = null) =>
    chatData({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const list = [chunk({ role: "assistant", content: message.content === null ? null : "", refusal: null })];
  for (const piece of (message.content ?? "").match(/.{1,5}/gsu) ?? []) list.push(chunk({ content: piece }));
  for (const [index, call] of (message.tool_calls ?? []).entries()) {
    list.push(chunk({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: "" } }] }));
    for (const piece of call.function.arguments.match(/.{1,5}/gsu) ?? [])
      list.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  list.push(chunk({}, choice!.finish_reason), chatData({ ...base, choices: [], usage }), "data: [DONE]\n\n");
  return list;
}

function piecesOf(block: Record<string, unknown>) {
  const { text, thinking, input } = block;
  if (block["type"] === "text")
    return { start: { ...block, text: "" }, field: "text", delta: "text_delta", whole: String(text) };
  if (block["type"] === "thinking") {
    const start = { ...block, thinking: "", signature: "" };
    return { start, field: "thinking", delta: "thinking_delta", whole: String(thinking) };
  }
  const whole = JSON.stringify(input);
  return { start: { ...block, input: {} }, field: "partial_json", delta: "input_json_delta", whole };
}

export function anthropicEvents(answer: ReturnType<typeof anthropicText> | ReturnType<typeof anthropicCall>): string[] {
  const { content, stop_reason, stop_sequence, ...message } = answer;
  const list = [
    namedEvent({
      type: "message_start",
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...anthropicUsage, output_tokens: 0 },
      },
    } as never),
  ];
  for (const [index, block] of (content as Record<string, unknown>[]).entries()) {
    const { start, field, delta, whole } = piecesOf(block);
    list.push(namedEvent({ type: "content_block_start", index, content_block: start } as never));
    for (const piece of whole.match(/.{1,5}/gsu) ?? []) {
      list.push(namedEvent({ type: "content_block_delta", index, delta: { type: delta, [field]: piece } } as never));
    }
    if (block["signature"] !== undefined) {
      const signed = { type: "signature_delta", signature: block["signature"] };
      list.push(namedEvent({ type: "content_block_delta", index, delta: signed } as never));
    }
    list.push(namedEvent({ type: "content_block_stop", index } as never));
  }
  list.push(
    namedEvent({
      type: "message_delta",
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: anthropicUsage.output_tokens },
    } as never),
    namedEvent({ type: "message_stop" }),
  );
  return list;
}
