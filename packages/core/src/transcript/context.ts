import type { Message } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { ContextInput } from "./input.ts";
import { normalizeMessage, normalizeTools } from "./normalize-message.ts";
import { describe, expectList, expectObject, refuse } from "./shape.ts";

declare const brand: unique symbol;

/** Messages of which `normalizeContext` has seen to it that they are in normal form. Nothing else makes one. */
export interface TranscriptContext {
  readonly messages: readonly Message[];
  readonly [brand]: true;
}

/** A set and not a mark on the object: a copy with other messages, or what comes back from JSON, has not been seen to. */
const contexts = new WeakSet<object>();

/** True for what `normalizeContext` of this copy of the package returned, wherever it was passed since. */
export function isTranscriptContext(value: unknown): value is TranscriptContext {
  return typeof value === "object" && value !== null && contexts.has(value);
}

/** A context of messages that are in normal form. Its list is its own, and neither can be changed. */
export function brandContext(messages: readonly Message[]): TranscriptContext {
  const context = Object.freeze({ messages: Object.freeze([...messages]) });
  contexts.add(context);
  return context as unknown as TranscriptContext;
}

const keys = ["systemPrompt", "messages", "tools"];

/**
 * The messages of a context in normal form, with a prompt and tools that stand beside them as the leading system message. Takes every loose
 * spelling: text as content, sections by name, calls and tools without their type, images with their data on the part, counts that are missing,
 * signatures in a string. What is a context already is returned as it is.
 *
 * Tools are cut to their declarations. Fields of a message that the representation has no word for stay; they go to no model.
 *
 * Throws a DecodeError with the pointer and the mend for everything else: a role that no model knows, content of another type, a prompt or tools
 * beside messages that begin with a system message, which would be a second baseline.
 */
export function normalizeContext(context: ContextInput | TranscriptContext): TranscriptContext {
  if (isTranscriptContext(context)) return context;
  const input = expectObject(context, "", "{ systemPrompt?, messages, tools? }");
  for (const key in input) {
    if (!keys.includes(key) && input[key] !== undefined)
      throw refuse(`/${key}`, "a context holds systemPrompt, messages and tools; keep the rest beside it");
  }
  const { systemPrompt, tools } = input;
  if (systemPrompt !== undefined && typeof systemPrompt !== "string")
    throw refuse("/systemPrompt", `systemPrompt is ${describe(systemPrompt)}; give text`);
  const toolsAdded = tools === undefined ? [] : normalizeTools(tools, "/tools");
  const list = expectList(input["messages"], "/messages", "a list of messages");
  const messages: Message[] = [];
  if (hasText(systemPrompt) || toolsAdded.length > 0) {
    const first = list[0];
    if (isJsonObject(first) && first["role"] === "system")
      throw refuse(
        hasText(systemPrompt) ? "/systemPrompt" : "/tools",
        "the messages begin with a system message, and there is one baseline; put prompt and tools into that message, as content and toolsAdded",
      );
    messages.push({
      role: "system",
      authority: "system",
      content: hasText(systemPrompt) ? [{ type: "text", text: systemPrompt }] : [],
      ...(toolsAdded.length > 0 && { toolsAdded }),
    });
  }
  for (let index = 0; index < list.length; index++) messages.push(normalizeMessage(list[index], `/messages/${index}`));
  return brandContext(messages);
}

function hasText(prompt: string | undefined): prompt is string {
  return prompt !== undefined && prompt !== "";
}
