import type { Conversation, FunctionTool, JsonObject, Message, Tool } from "@rolecall/core";
import { getCurrentTools, isJsonObject, textOf, toolCalls } from "@rolecall/core";
import type { Words } from "./example.ts";
import { exampleOf } from "./example.ts";

/** Stands before every text, so that nobody takes it for an answer of a language model. */
const label = "[scripted, not a language model]";

export type ScriptedAnswer =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly text: string; readonly name: string; readonly arguments: JsonObject };

/** What words ask for, and which tools fit. In this order: the first that fits wins. */
const intents: readonly { readonly asks: RegExp; readonly tools: RegExp }[] = [
  { asks: /\b(?:read|open|show|view|cat|says?)\b/i, tools: /(?:^|_)?(?:read|view|open|cat|get_?file)/i },
  { asks: /\b(?:list|files|folder|directory|ls)\b/i, tools: /(?:^|_)(?:ls|list|glob|dir)|list|glob/i },
  { asks: /\b(?:run|execute|command|shell|test|build)\b/i, tools: /bash|shell|exec|run|command|terminal/i },
  { asks: /\b(?:search|find|grep|look for)\b/i, tools: /grep|search|find/i },
  { asks: /\b(?:write|create|save)\b/i, tools: /write|create|save/i },
  { asks: /\b(?:fetch|download|browse|https?:)/i, tools: /fetch|browse|http|url|web/i },
  { asks: /\b(?:weather|temperature)\b/i, tools: /weather/i },
];

function isFunction(tool: Tool): tool is FunctionTool {
  return tool.type === "function";
}

/** The answer to a conversation, by rules: the same conversation gets the same answer. */
export function answerByRules(conversation: Conversation): ScriptedAnswer {
  const { settings, messages } = conversation;
  const last = messages.findLast((message) => message.role !== "system");
  const tools = getCurrentTools(conversation.messages).filter(isFunction);
  const { responseFormat, toolChoice } = settings;
  if (last?.role === "toolResult") return { type: "text", text: summaryOf(messages) };
  const asked = last === undefined ? "" : lastText(last);
  const words: Words = { text: asked, directory: directoryOf(messages) };
  const called = toolChoice?.mode === "none" ? undefined : callFor(words, tools, toolChoice);
  if (called !== undefined) return called;
  if (responseFormat?.type === "jsonSchema")
    return { type: "text", text: JSON.stringify(exampleOf(responseFormat.schema, words)) };
  if (responseFormat?.type === "json")
    return { type: "text", text: JSON.stringify({ scripted: true, echo: asked.slice(0, 200) }) };
  return { type: "text", text: `${label} You said: ${asked === "" ? "nothing in words" : asked.slice(-2000)}` };
}

/** What the user said last: clients put reminders of their own before it. */
function lastText(message: Message): string {
  const parts = (message.content as readonly { type: string; text?: string }[]).filter((part) => part.type === "text");
  const own = parts.findLast((part) => part.text !== undefined && !part.text.trimStart().startsWith("<"));
  return own?.text?.trim() ?? textOf(message).trim();
}

/** The folder in which the client works, where it tells the model: some tools take absolute paths only. */
function directoryOf(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    if (message.role === "assistant" || message.role === "toolResult") continue;
    const found = /\bdirectory(?: is)?:\s*[`"']?(\/[^\s`"'<>]*[^\s`"'<>.,])/i.exec(textOf(message));
    if (found !== null) return found[1];
  }
  return undefined;
}

function callFor(
  { text: asked, directory }: Words,
  tools: readonly FunctionTool[],
  choice: Conversation["settings"]["toolChoice"],
): ScriptedAnswer | undefined {
  const words: Words = { text: asked, directory };
  const call = (tool: FunctionTool, input: JsonObject): ScriptedAnswer => ({
    type: "call",
    text: `${label} Calling ${tool.name}.`,
    name: tool.name,
    arguments: input,
  });
  const stated = /\bcall\s+([\w.-]+)(?:\s+with\s+(\{[\s\S]*\}))?/i.exec(asked);
  const named = stated === null ? undefined : tools.find((tool) => tool.name === stated[1]);
  if (named !== undefined) return call(named, readObject(stated?.[2]) ?? argumentsFor(named, words));
  const required = choice?.mode === "required";
  const allowed = choice?.names === undefined ? tools : tools.filter(({ name }) => choice.names?.includes(name));
  for (const { asks, tools: fitting } of intents) {
    if (!asks.test(asked)) continue;
    const found = allowed.find(({ name }) => fitting.test(name));
    if (found !== undefined) return call(found, argumentsFor(found, words));
  }
  const first = allowed[0];
  return required && first !== undefined ? call(first, argumentsFor(first, words)) : undefined;
}

function argumentsFor(tool: FunctionTool, words: Words): JsonObject {
  const example = exampleOf(tool.parameters ?? {}, words);
  return isJsonObject(example) ? example : {};
}

function readObject(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Results since the last thing that the model said. */
function summaryOf(messages: readonly Message[]): string {
  const start = messages.findLastIndex((message) => message.role === "assistant");
  const results = messages.slice(start + 1).filter((message) => message.role === "toolResult");
  const names = new Map(toolCalls({ messages }).map(({ id, call }) => [id, call.name]));
  const lines = results.map((result) => {
    const text = result.value === undefined ? textOf(result) : JSON.stringify(result.value);
    const name = result.toolName ?? names.get(result.toolCallId) ?? "the tool";
    const shown = text.length > 300 ? `${text.slice(0, 300)}…` : text;
    return `${result.isError ? `${name} failed` : `${name} gave ${text.length} characters`}: ${shown}`;
  });
  return `${label} ${lines.join("\n")}`;
}
