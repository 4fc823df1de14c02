import type { ProtocolId } from "../../../src/index.ts";
import type { Body, Frame } from "../wire.ts";

/** The response that says what a stream says, put together as the official clients do it. */
export function responseOf(frames: readonly Frame[], protocol: ProtocolId): Body {
  const values = frames.map((frame) => frame.data).filter((value) => typeof value === "object" && value !== null);
  if (protocol === "openai-responses") return values.findLast(({ type }) => isLast.test(type))?.response;
  if (protocol === "gemini-generate-content") return geminiResponse(values);
  return protocol === "openai-chat" ? chatResponse(values) : anthropicResponse(values);
}

/** The event whose response says all that the stream said. */
const isLast = /^response\.(?:completed|incomplete|failed)$/;

function geminiResponse(chunks: readonly Body[]): Body {
  const response: Body = { candidates: [] };
  for (const { candidates = [], usageMetadata = {}, ...head } of chunks) {
    Object.assign(response, head);
    response.usageMetadata = merge(response.usageMetadata ?? {}, usageMetadata);
    for (const [position, { content, ...rest }] of candidates.entries()) {
      const index = rest.index ?? position;
      response.candidates[index] ??= { content: { role: "model", parts: [] } };
      const candidate = response.candidates[index];
      Object.assign(candidate, rest);
      for (const part of content?.parts ?? []) addGeminiPart(candidate.content.parts, part);
    }
  }
  return response;
}

/** Pieces of one text become one part, with the signature that one of them has. */
function addGeminiPart(parts: Body[], part: Body): void {
  const last = parts.at(-1);
  const { text, thought, thoughtSignature, ...rest } = part;
  if (typeof text !== "string" || typeof last?.text !== "string" || Object.keys(rest).length > 0)
    parts.push({ ...part });
  else if ((last.thought ?? false) !== (thought ?? false) || last.thoughtSignature !== undefined)
    parts.push({ ...part });
  else Object.assign(last, { text: last.text + text, ...(thoughtSignature !== undefined && { thoughtSignature }) });
}

function chatResponse(chunks: readonly Body[]): Body {
  const response: Body = { object: "chat.completion", choices: [] };
  for (const chunk of chunks) {
    for (const key of ["id", "created", "model"]) if (chunk[key]) response[key] ??= chunk[key];
    if (chunk.usage) response.usage = merge(response.usage ?? {}, chunk.usage);
    for (const [position, choice] of (chunk.choices ?? []).entries()) {
      const index = choice.index ?? position;
      response.choices[index] ??= { index, message: { role: "assistant", content: null }, finish_reason: null };
      const target = response.choices[index];
      if (choice.finish_reason) target.finish_reason = choice.finish_reason;
      addChatDelta(target.message, choice.delta ?? {});
    }
  }
  response.choices = response.choices.filter(Boolean);
  return response;
}

function addChatDelta(message: Body, delta: Body): void {
  for (const key of ["content", "refusal", "reasoning", "reasoning_content"])
    if (typeof delta[key] === "string" && delta[key] !== "") message[key] = (message[key] ?? "") + delta[key];
  for (const key of ["annotations", "reasoning_details"])
    if (Array.isArray(delta[key]) && delta[key].length > 0) message[key] = [...(message[key] ?? []), ...delta[key]];
  if (delta.function_call?.name) message.function_call = { arguments: "", ...delta.function_call };
  else if (delta.function_call?.arguments) message.function_call.arguments += delta.function_call.arguments;
  for (const piece of delta.tool_calls ?? []) {
    message.tool_calls ??= [];
    let call = message.tool_calls.find((item: Body) => item.index === piece.index);
    if (call === undefined) {
      call = { index: piece.index, type: "function", function: { arguments: "" } };
      message.tool_calls.push(call);
    }
    if (piece.id) call.id = piece.id;
    if (piece.function?.name) call.function.name = piece.function.name;
    call.function.arguments += piece.function?.arguments ?? "";
  }
}

function anthropicResponse(events: readonly Body[]): Body {
  let message: Body = {};
  const json: string[] = [];
  for (const event of events) {
    const block = message.content?.[event.index];
    switch (event.type) {
      case "message_start":
        message = structuredClone(event.message);
        break;
      case "content_block_start":
        message.content[event.index] = structuredClone(event.content_block);
        break;
      case "content_block_delta":
        addAnthropicDelta(block, event.delta, event.index, json);
        break;
      case "message_delta": {
        const { usage, delta } = event;
        Object.assign(message, Object.fromEntries(Object.entries(delta).filter(([, value]) => value !== null)));
        message.usage = merge(message.usage, usage ?? {});
        break;
      }
      default:
    }
  }
  json.forEach((text, index) => {
    if (text !== "" && message.content[index] !== undefined) message.content[index].input = JSON.parse(text);
  });
  return message;
}

function addAnthropicDelta(block: Body, delta: Body, index: number, json: string[]): void {
  const { type, ...fields } = delta;
  if (type === "text_delta") block.text += fields.text;
  else if (type === "thinking_delta") block.thinking += fields.thinking;
  else if (type === "input_json_delta") json[index] = (json[index] ?? "") + fields.partial_json;
  else if (type === "citations_delta") block.citations = [...(block.citations ?? []), fields.citation];
  else Object.assign(block, fields);
}

function merge(before: Body, after: Body): Body {
  const merged = { ...before };
  for (const [key, value] of Object.entries(after) as [string, Body][]) {
    if (value === null && merged[key] !== undefined) continue;
    const nested =
      typeof value === "object" && value !== null && typeof merged[key] === "object" && merged[key] !== null;
    merged[key] = nested && !Array.isArray(value) ? merge(merged[key], value) : value;
  }
  return merged;
}
