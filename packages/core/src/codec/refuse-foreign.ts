import type { Conversation, Json, Message, OpaquePart, Profile, ProtocolId, Tool } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { refuse } from "./refuse.ts";
import { entryOf } from "./table.ts";

/** What only the service of a body can do, and what its caller can do instead. */
interface Refusal {
  readonly feature: string;
  readonly message: string;
  /** What the profile of the target may ask for instead of a refusal. */
  readonly fallback?: string;
}

interface FieldRefusal extends Refusal {
  readonly applies: (value: Json) => boolean;
}

const isTrue = (value: Json): boolean => value === true;
const isStated = (value: Json): boolean => value !== null;
const isContinued = (value: Json): boolean => isJsonObject(value) && value["type"] === "continue";

/** A choice that is no word and names no tool of the caller. */
function isHostedChoice(value: Json): boolean {
  const type = isJsonObject(value) ? value["type"] : undefined;
  return typeof type === "string" && !["function", "custom", "allowed_tools"].includes(type);
}

const forced: Refusal = {
  feature: "toolChoice",
  message: "a tool that another service runs cannot be chosen: leave the choice to the model",
  fallback: "auto",
};
const previousResponse: Refusal = {
  feature: "previousResponseId",
  message: "a previous response is stored at its own service alone: send the whole conversation instead of its id",
};
const cachedContent: Refusal = {
  feature: "cachedContent",
  message: "cached content is stored at its own service alone: send the whole conversation instead of its name",
};
const cacheFill: Refusal = {
  feature: "maxTokens",
  message: "a request that only fills the cache would be answered and paid for: leave it out, or let the model write",
  fallback: "one",
};

/** Fields of a request without which another service would do something else, by the protocol that has them. */
const fields: { readonly [protocol in ProtocolId]?: { readonly [place: string]: FieldRefusal } } = {
  "openai-responses": {
    conversation: {
      applies: isStated,
      feature: "conversation",
      message: "a conversation is stored at its own service alone: send its items instead of its id",
    },
    prompt: {
      applies: isStated,
      feature: "prompt",
      message: "a prompt is stored at its own service alone: send its text instead of its id",
    },
    background: {
      applies: isTrue,
      feature: "background",
      message: "an answer that is made in the background has nobody to go to: wait for the answer",
      fallback: "drop",
    },
    tool_choice: { applies: isHostedChoice, ...forced },
    "prompt_cache_options/prewarm": { applies: isTrue, ...cacheFill },
  },
  "anthropic-messages": {
    thread: {
      applies: isContinued,
      feature: "thread",
      message: "a thread is stored at its own service alone: send the whole conversation instead of an id of a message",
    },
  },
};

/** Items and blocks without which the rest of a conversation says something else, by their type. */
const parts: { readonly [type: string]: Refusal } = {
  compaction: {
    feature: "compaction",
    message: "what a service made of a long conversation is read by it alone: send the conversation itself",
    fallback: "drop",
  },
  container_upload: {
    feature: "containerFile",
    message: "a file for a container lies at its own service alone: send its content",
    fallback: "drop",
  },
  item_reference: {
    feature: "storedItem",
    message: "an item is stored at its own service alone: send the item instead of its id",
    fallback: "drop",
  },
  program: {
    feature: "program",
    message: "a program that calls tools runs at its own service alone: send its calls and results",
    fallback: "drop",
  },
  mcp_approval_response: {
    feature: "approval",
    message: "leave to call a tool counts at its own service alone: call the tool, and send the call with its result",
    fallback: "drop",
  },
};

/** The only protocols with what a setting names or says. */
const keeperOfResponses: ProtocolId = "openai-responses";
const keeperOfContent: ProtocolId = "gemini-generate-content";
/** A bound of zero is a request that only fills the cache there, and a mistake everywhere else. */
const fillerOfCaches: ProtocolId = "anthropic-messages";

/**
 * Refuses a request that only another service can do: one whose conversation, or a part of it, lies there alone, so that the model would answer
 * without what was said before, and one that asks for what nobody else runs. Called before anything else, so that the refusal names the field
 * and not what is missing without it.
 */
export function refuseForeign(conversation: Conversation, target: Profile, protocol: ProtocolId): void {
  const { settings, wire, messages } = conversation;
  const isOwn = wire?.protocol === protocol;
  const { previousResponseId, cache, maxTokens, toolChoice } = settings;
  if (previousResponseId !== undefined && (protocol !== keeperOfResponses || (!isOwn && wire !== undefined)))
    reject(previousResponse, settings, "previousResponseId", target);
  if (cache?.content !== undefined && protocol !== keeperOfContent)
    reject(cachedContent, settings, "cache/content", target);
  if (isOwn) return;
  if (maxTokens === 0 && wire?.protocol === fillerOfCaches) reject(cacheFill, settings, "maxTokens", target);
  const known = wire && fields[wire.protocol];
  for (const place in known) {
    const refusal = known[place] as FieldRefusal;
    const value = wire?.rest?.[place];
    if (value !== undefined && refusal.applies(value)) reject(refusal, conversation, `rest:${place}`, target);
  }
  const chosen = toolChoice?.names;
  if (chosen !== undefined && hasHosted(messages, chosen, protocol)) reject(forced, settings, "toolChoice", target);
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type !== "opaque" || part.protocol === protocol) continue;
      const refusal = entryOf(parts, typeOf(part));
      if (refusal !== undefined) reject(refusal, part, "", target);
    }
  }
}

/** Fields and parts that name what a service has stored, which another service of the same protocol has not. */
const storedFields: ReadonlySet<string> = new Set(["conversation", "prompt", "thread"]);
const storedParts: ReadonlySet<string> = new Set(["container_upload", "item_reference"]);

/** Refuses a request that names what its own service has stored, where another service of the same protocol is asked. */
export function refuseStored(conversation: Conversation, target: Profile): void {
  const { settings, wire, messages } = conversation;
  if (settings.previousResponseId !== undefined) reject(previousResponse, settings, "previousResponseId", target);
  if (settings.cache?.content !== undefined) reject(cachedContent, settings, "cache/content", target);
  for (const [place, refusal] of Object.entries((wire && fields[wire.protocol]) ?? {})) {
    const value = wire?.rest?.[place];
    if (storedFields.has(place) && value !== undefined && refusal.applies(value))
      refuse(refusal.feature, conversation, `rest:${place}`, refusal.message);
  }
  for (const { content } of messages) {
    for (const part of content) {
      const type = part.type === "opaque" ? typeOf(part) : "";
      const refusal = storedParts.has(type) ? entryOf(parts, type) : undefined;
      if (refusal !== undefined) refuse(refusal.feature, part, "", refusal.message);
    }
  }
}

/** Refuses, unless the profile of the target asks for the fallback. */
function reject({ feature, message, fallback }: Refusal, node: object, field: string, target: Profile): void {
  if (fallback === undefined) refuse(feature, node, field, message);
  if (target.fallbacks?.[feature] === fallback) return;
  const wish = `${message}, or ask for target.fallbacks.${feature}: "${fallback}"`;
  refuse(feature, node, field, wish, [`${feature}: ${fallback}`]);
}

function typeOf({ value }: OpaquePart): string {
  const type = isJsonObject(value) ? value["type"] : undefined;
  return typeof type === "string" ? type : "";
}

/** True where one of the names is that of a tool which another service runs. */
function hasHosted(messages: readonly Message[], names: readonly string[], protocol: ProtocolId): boolean {
  const isHosted = (tool: Tool): boolean =>
    tool.type === "server" && tool.protocol !== protocol && tool.name !== undefined && names.includes(tool.name);
  return messages.some((message) => message.role === "system" && message.toolsAdded?.some(isHosted) === true);
}
