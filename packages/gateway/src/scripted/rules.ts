import type { Conversation, FunctionTool, JsonObject, Message, Tool } from "@rolecall/core";
import { getCurrentTools, isJsonObject, textOf } from "@rolecall/core";
import { exampleOf } from "./example.ts";

/** Stands before every text, so that nobody takes it for an answer of a language model. */
export const label = "[scripted, not a language model]";

export type ScriptedAnswer =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly text: string; readonly name: string; readonly arguments: JsonObject };

/** What words ask for, and which tools fit. In this order: the first that fits wins. */
const intents: readonly { readonly words: RegExp; readonly tools: RegExp }[] = [
  { words: /\b(?:read|open|show|view|cat|says?)\b/i, tools: /(?:^|_)?(?:read|view|open|cat|get_?file)/i },
  { words: /\b(?:list|files|folder|directory|ls)\b/i, tools: /(?:^|_)(?:ls|list|glob|dir)|list|glob/i },
  { words: /\b(?:run|execute|command|shell|test|build)\b/i, tools: /bash|shell|exec|run|command|terminal/i },
  { words: /\b(?:search|find|grep|look for)\b/i, tools: /grep|search|find/i },
  { words: /\b(?:write|create|save)\b/i, tools: /write|create|save/i },
  { words: /\b(?:fetch|download|browse|https?:)/i, tools: /fetch|browse|http|url|web/i },
  { words: /\b(?:weather|temperature)\b/i, tools: /weather/i },
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
  const called = toolChoice?.mode === "none" ? undefined : callFor(asked, tools, toolChoice);
  if (called !== undefined) return called;
  if (responseFormat?.type === "jsonSchema")
    return { type: "text", text: JSON.stringify(exampleOf(responseFormat.schema, asked)) };
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

function callFor(
  asked: string,
  tools: readonly FunctionTool[],
  choice: Conversation["settings"]["toolChoice"],
): ScriptedAnswer | undefined {
  const call = (tool: FunctionTool, input: JsonObject): ScriptedAnswer => ({
    type: "call",
    text: `${label} Calling ${tool.name}.`,
    name: tool.name,
    arguments: input,
  });
  const stated = /\bcall\s+([\w.-]+)(?:\s+with\s+(\{[\s\S]*\}))?/i.exec(asked);
  const named = stated === null ? undefined : tools.find((tool) => tool.name === stated[1]);
  if (named !== undefined) return call(named, readObject(stated?.[2]) ?? argumentsFor(named, asked));
  const required = choice?.mode === "required";
  const allowed = choice?.names === undefined ? tools : tools.filter(({ name }) => choice.names?.includes(name));
  for (const { words, tools: fitting } of intents) {
    if (!words.test(asked)) continue;
    const found = allowed.find(({ name }) => fitting.test(name));
    if (found !== undefined) return call(found, argumentsFor(found, asked));
  }
  const first = allowed[0];
  return required && first !== undefined ? call(first, argumentsFor(first, asked)) : undefined;
}

function argumentsFor(tool: FunctionTool, asked: string): JsonObject {
  const example = exampleOf(tool.parameters ?? {}, asked);
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
  const lines = results.map((result) => {
    const text = result.value === undefined ? textOf(result) : JSON.stringify(result.value);
    const name = result.toolName ?? "the tool";
    const shown = text.length > 300 ? `${text.slice(0, 300)}…` : text;
    return `${result.isError ? `${name} failed` : `${name} gave ${text.length} characters`}: ${shown}`;
  });
  return `${label} ${lines.join("\n")}`;
}
