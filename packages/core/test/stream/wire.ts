import type { AssistantMessage, Exchange, Loss, LossCode, Profile, ProtocolId, StreamSource } from "../../src/index.ts";
import { convertStream, createSseParser, loadProtocol } from "../../src/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: wire bodies are read by path, as a client reads them
export type Body = any;

export interface Frame {
  readonly event?: string;
  readonly data: Body;
}

export const chat = "openai-chat" as const;
export const anthropic = "anthropic-messages" as const;
export const responses = "openai-responses" as const;
export const gemini = "gemini-generate-content" as const;

/** The data frames of a stream, each read as JSON where it is JSON, and an error that stands bare behind them. */
export function framesOf(text: string): Frame[] {
  const parser = createSseParser();
  const frames = [...parser.push(text), ...parser.finish()];
  if (parser.rest?.startsWith("{")) frames.push({ data: parser.rest });
  return frames.map(({ event, data }) => {
    let value: Body = data;
    try {
      value = JSON.parse(data);
    } catch {
      // `[DONE]`
    }
    return { ...(event !== undefined && { event }), data: value };
  });
}

/** One chunk of Chat for the first candidate, or for another with `more`. */
export function chunk(delta: Body, finish: string | null = null, more: Body = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return data({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more });
}

export const data = (value: Body): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
export const done = data("[DONE]");
export const call = (index: Body, id: Body, name: Body, text: Body, more: Body = {}): Body => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id, type: "function" }),
  function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
  ...more,
});

/** Frames of Anthropic, each under its name. */
export const events = (...frames: Body[]): string =>
  frames.map((frame) => `event: ${frame.type}\n${data(frame)}`).join("");
export const start = (more: Body = {}): Body => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
    ...more,
  },
});
export const block = (index: number, content: Body): Body => ({
  type: "content_block_start",
  index,
  content_block: content,
});
const delta = (index: number, value: Body): Body => ({ type: "content_block_delta", index, delta: value });
export const text = (index: number, value: string): Body => delta(index, { type: "text_delta", text: value });
export const json = (index: number, value: string): Body =>
  delta(index, { type: "input_json_delta", partial_json: value });
export const stop = (index: number): Body => ({ type: "content_block_stop", index });
export const finish = (reason: string, more: Body = {}): Body => ({
  type: "message_delta",
  delta: { stop_reason: reason, stop_sequence: null, ...more },
  usage: { output_tokens: 9 },
});
export const end = { type: "message_stop" };

export interface Converted {
  readonly text: string;
  readonly frames: readonly Frame[];
  readonly losses: readonly Loss[];
}

export async function converted(
  source: StreamSource,
  from: ProtocolId,
  to: ProtocolId,
  more: { readonly exchange?: Exchange; readonly target?: Profile } = {},
): Promise<Converted> {
  const stream = convertStream(source, { from, to, ...more });
  let all = "";
  for await (const piece of stream) all += piece;
  return { text: all, frames: framesOf(all), losses: await stream.report };
}

export async function decoded(
  source: StreamSource,
  protocol: ProtocolId,
): Promise<{ readonly value: AssistantMessage; readonly codes: LossCode[] }> {
  const { value, losses } = await (await loadProtocol(protocol)).decodeStream(source);
  return { value, codes: losses.map((loss) => loss.code) };
}

/** The calls that a client of Chat puts together. */
export function chatCalls(frames: readonly Frame[]): Body[] {
  const calls: Body[] = [];
  for (const { data: value } of frames)
    for (const piece of value.choices?.[0]?.delta?.tool_calls ?? []) {
      calls[piece.index] ??= { index: piece.index, arguments: "" };
      const open = calls[piece.index];
      if (piece.id !== undefined) open.id = (open.id ?? "") + piece.id;
      if (piece.function?.name !== undefined) open.name = (open.name ?? "") + piece.function.name;
      open.arguments += piece.function?.arguments ?? "";
    }
  return calls;
}

/** The blocks that a client of Anthropic puts together, and whether they came one after another. */
export function anthropicBlocks(frames: readonly Frame[]): Body[] {
  const blocks: Body[] = [];
  let open: number | undefined;
  for (const { event, data: value } of frames) {
    if (event !== value.type) throw new Error(`frame ${value.type} under the name ${event}`);
    if (value.type === "content_block_start") {
      if (open !== undefined || value.index !== blocks.length) throw new Error("blocks overlap or leave a gap");
      open = value.index;
      blocks.push({ ...value.content_block, json: "" });
    } else if (value.type === "content_block_delta") {
      if (value.index !== open) throw new Error("a delta for a block that is not open");
      const { type, ...fields } = value.delta;
      const target = blocks[value.index];
      if (type === "text_delta") target.text += fields.text;
      else if (type === "thinking_delta") target.thinking += fields.thinking;
      else if (type === "input_json_delta") target.json += fields.partial_json;
      else Object.assign(target, fields);
    } else if (value.type === "content_block_stop") {
      if (value.index !== open) throw new Error("a stop for a block that is not open");
      open = undefined;
    }
  }
  return blocks;
}
