import type { AssistantMessage, Exchange, Json, Part, ToolCallPart } from "../ir/index.ts";
import { inexactArguments } from "../json/argument-text.ts";
import type { LossDraft, Trace } from "../loss/index.ts";

/** Brings the names of a response back to those that the client sent: renamed tools, and custom tools that went as functions. */
export function restoreClientTerms(
  message: AssistantMessage,
  exchange: Exchange | undefined,
  trace: Trace,
  losses: LossDraft[],
): AssistantMessage {
  if (exchange === undefined || !changesTerms(exchange)) return message;
  let changed = false;
  const content = message.content.map((part) => {
    const restored = part.type === "toolCall" ? restoreCall(part, exchange, trace, losses) : part;
    if (restored !== part) {
      changed = true;
      const pointer = trace.pointers.get(part);
      if (pointer !== undefined) trace.pointers.set(restored, pointer);
    }
    return restored;
  });
  const alternatives = message.alternatives?.map((alternative) =>
    restoreClientTerms(alternative, exchange, trace, losses),
  );
  if (!changed && alternatives === undefined) return message;
  const restored: AssistantMessage = { ...message, content, ...(alternatives !== undefined && { alternatives }) };
  const pointer = trace.pointers.get(message);
  if (pointer !== undefined) trace.pointers.set(restored, pointer);
  return restored;
}

function restoreCall(call: ToolCallPart, exchange: Exchange, trace: Trace, losses: LossDraft[]): Part {
  const names = exchange.toolNames;
  const name = names !== undefined && Object.hasOwn(names, call.name) ? (names[call.name] as string) : call.name;
  if (exchange.customTools?.includes(name) === true && call.kind === "function") {
    const { arguments: input, argumentsError: _error, ...rest } = call;
    const { text, exact } = freeText(input, call.argumentsText);
    const pointer = trace.pointers.get(call);
    if (!exact && pointer !== undefined) {
      const path = `${pointer}/${trace.fieldPointer(call, "arguments", pointer) ?? ""}`;
      losses.push({ code: "tool_call.free_text", stage: "decode", path });
    }
    return { ...rest, ...namesOf(name, exchange), kind: "custom", argumentsText: text };
  }
  return name === call.name && exchange.namespaces === undefined ? call : { ...call, ...namesOf(name, exchange) };
}

/** True where a call may come back under other names than the client knows, or as another kind. */
export const changesTerms = ({ toolNames, customTools, namespaces }: Exchange): boolean =>
  toolNames !== undefined || customTools !== undefined || namespaces !== undefined;

/** The client's own name of a tool, with its namespace where it has one. */
export function namesOf(
  name: string,
  { namespaces }: Exchange,
): { readonly name: string; readonly namespace?: string } {
  return (namespaces !== undefined && Object.hasOwn(namespaces, name) ? namespaces[name] : undefined) ?? { name };
}

/**
 * The free text of a custom tool that was sent as a function with one argument `input`, and whether the arguments hold that alone. Without such an
 * argument it is their text, and nothing where there are none: the client declared no function.
 */
export function freeText(input: unknown, text = ""): { readonly text: string; readonly exact: boolean } {
  let value = input;
  if (value === undefined) {
    try {
      value = JSON.parse(text);
    } catch {
      return { text, exact: false };
    }
  }
  const isDoubled = input === undefined && inexactArguments(text, value as Json);
  const written = input === undefined ? text : JSON.stringify(input);
  if (typeof value !== "object" || value === null) return { text: written, exact: false };
  const keys = Object.keys(value).length;
  const free = (value as { readonly input?: unknown }).input;
  if (typeof free === "string") return { text: free, exact: keys === 1 && !isDoubled };
  return { text: keys === 0 ? "" : written, exact: false };
}
