import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AssistantMessage, Conversation, Json, Message, Part, ProtocolId, WireRequest } from "@rolecall/core";
import { callArguments, pointerSegments, withoutWire } from "@rolecall/core";

const folder = fileURLToPath(new URL("../../../../fixtures/parallel", import.meta.url));

export type Operation = "request" | "response";
export type IrValue = Conversation | AssistantMessage;

/** How what a protocol says differs from the IR value; see fixtures/README.md. */
export interface Difference {
  readonly pointer: string;
  readonly value?: Json;
  readonly absent?: true;
  readonly reason: string;
}

/** One meaning: its IR value, and its body in each protocol. */
export interface ParallelFixture {
  readonly name: string;
  readonly operation: Operation;
  readonly ir: IrValue;
  /** A request's body with what its protocol puts into the URL. */
  body(protocol: ProtocolId): WireRequest;
  differences(protocol: ProtocolId): readonly Difference[];
}

export const allProtocols: readonly ProtocolId[] = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini-generate-content",
];

function readFixture(name: string): ParallelFixture {
  const operation = existsSync(join(folder, name, "ir.request.json")) ? "request" : "response";
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, name, file), "utf8"));
  return {
    name,
    operation,
    ir: read(`ir.${operation}.json`) as IrValue,
    body(protocol) {
      const value = read(`${protocol}.${operation}.json`) as Json;
      const isWhole = operation === "request" && protocol === "gemini-generate-content";
      return isWhole ? (value as unknown as WireRequest) : { body: value };
    },
    differences(protocol) {
      const file = `${protocol}.differs.json`;
      return existsSync(join(folder, name, file)) ? (read(file) as readonly Difference[]) : [];
    },
  };
}

export const parallelFixtures: readonly ParallelFixture[] = readdirSync(folder).sort().map(readFixture);

/** Every file that a folder may hold, so that a misspelt name is found. */
export function unknownFiles({ name, operation }: ParallelFixture): string[] {
  const known = new Set([`ir.${operation}.json`]);
  for (const protocol of allProtocols) known.add(`${protocol}.${operation}.json`).add(`${protocol}.differs.json`);
  return readdirSync(join(folder, name)).filter((file) => !known.has(file));
}

/** The IR value as one protocol can say it. Throws at a pointer that leads nowhere. */
export function applyDifferences(ir: IrValue, differences: readonly Difference[]): IrValue {
  const value: unknown = structuredClone(ir);
  for (const { pointer, absent, value: replacement } of differences) {
    const segments = pointerSegments(pointer);
    const last = segments.pop();
    let node = value as { [key: string]: unknown };
    for (const segment of segments) node = node[segment] as { [key: string]: unknown };
    const isEntry = Array.isArray(node) && /^\d+$/.test(last ?? "") && Number(last) <= node.length;
    if (last === undefined || typeof node !== "object" || (Array.isArray(node) && !isEntry))
      throw new Error(`${pointer} leads nowhere`);
    if (absent !== true) node[last] = structuredClone(replacement);
    else if (!Object.hasOwn(node, last)) throw new Error(`${pointer} is absent already`);
    else if (Array.isArray(node)) node.splice(Number(last), 1);
    else delete node[last];
  }
  return value as IrValue;
}

/** A function call with its arguments as an object. */
function withArguments(part: Part): Part {
  if (part.type !== "toolCall" || part.kind === "custom") return part;
  const read = callArguments(part);
  if ("error" in read) return part;
  const { argumentsText: _text, arguments: _value, ...call } = part;
  return { ...call, arguments: read.value };
}

function withCalls<T extends Message>(message: T): T {
  return message.role === "assistant" ? { ...message, content: message.content.map(withArguments) } : message;
}

const ofProtocol = ["api", "provider", "model", "responseModel", "responseId", "rawStopReason", "timestamp"];
const ofUsage = ["unreported", "cacheWriteByTtl", "cacheWrite1h"];

function without(value: object, keys: readonly string[]): { readonly [key: string]: unknown } {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function meaningOfAnswer(answer: AssistantMessage, isAlternative: boolean): object {
  const { usage, alternatives, ...rest } = withCalls(answer);
  return {
    ...without(rest, ofProtocol),
    ...(usage !== undefined && !isAlternative && { usage: without(usage, ofUsage) }),
    ...(alternatives !== undefined && {
      alternatives: alternatives.map((alternative) => meaningOfAnswer(alternative, true)),
    }),
  };
}

/** What a decoded value means: without wire, state and what names or counts differently by nature. */
export function meaningOf(value: IrValue): unknown {
  const plain = withoutWire(value);
  return "messages" in plain ? { ...plain, messages: plain.messages.map(withCalls) } : meaningOfAnswer(plain, false);
}
