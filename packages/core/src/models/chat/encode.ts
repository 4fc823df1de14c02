import type { EncodedRequest } from "../../codec/protocol.ts";
import { placed } from "../../codec/refuse.ts";
import { ConfigError } from "../../errors/index.ts";
import type { Conversation, Json, Loss, Message, Part, Profile, Settings } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { refuseDepth, survey, wellFormed } from "../../json/survey.ts";
import type { LossDraft } from "../../loss/index.ts";
import { acceptLosses, enforcePolicy, irLocator, resolveLosses } from "../../loss/index.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { resolveTranscript } from "../../transcript/index.ts";
import type { ChatModel } from "../model.ts";
import type { Provider } from "../provider.ts";
import type { SettledThinking } from "../thinking.ts";
import { settleThinking } from "../thinking.ts";
import type { ChatOptions } from "./options.ts";
import { settingsIn } from "./options.ts";

/** A request as it goes to a service, and what that loses of the conversation. */
export interface ModelRequest extends Pick<EncodedRequest, "value" | "exchange"> {
  readonly losses: readonly Loss[];
  readonly profile: Profile;
  readonly thinking: SettledThinking | undefined;
}

/** What is known of a model at its service. */
function profileOf(provider: Provider, model: ChatModel, more: Profile | undefined): Profile {
  return {
    ...provider.profile,
    ...model.compat,
    protocol: model.api,
    provider: provider.id,
    model: model.id,
    ...(model.maxTokens !== undefined && { maxOutputTokens: model.maxTokens }),
    ...more,
  };
}

/** Places of losses are those of a conversation: `/messages/…` and `/settings/…`. */
export function encodeConversation(
  protocol: Protocol,
  provider: Provider,
  model: ChatModel,
  messages: readonly Message[],
  options: ChatOptions,
): ModelRequest {
  const profile = profileOf(provider, model, options.profile);
  const thinking = options.thinkingLevel === undefined ? undefined : settleThinking(model, options.thinkingLevel);
  const settings = settingsOf(model, options, thinking);
  const drafts: LossDraft[] = [];
  const readable = mended(messages, drafts);
  const supported = resolveTranscript(readable, profile.supportsMidConversationSystem !== false);
  const conversation: Conversation = { messages: marked(supported, protocol, options.cacheRetention), settings };
  const locate = irLocator(conversation);
  const encoded = encode(protocol, conversation, profile);
  drafts.push(...encoded.losses);
  if (thinking !== undefined && thinking.level !== options.thinkingLevel)
    drafts.unshift({
      code: "reasoning.effort",
      stage: "encode",
      node: settings,
      field: "reasoning/effort",
      values: { effort: options.thinkingLevel as string, sent: thinking.level },
    });
  const losses = acceptLosses(
    resolveLosses(drafts, protocol.id, protocol.id, { locate: locatorOf(conversation, locate), locateIr: locate }),
    options.accept ?? [],
  );
  enforcePolicy(losses, options.onLoss ?? "report");
  const value = options.deferred === true ? inBackground(encoded.value, model) : encoded.value;
  return { value, exchange: encoded.exchange, losses, profile, thinking };
}

/** Throws a ConfigError where the service has no background. */
function inBackground(value: EncodedRequest["value"], { api, provider, id }: ChatModel): EncodedRequest["value"] {
  if (api !== "openai-responses" || !isJsonObject(value.body))
    throw new ConfigError("/deferred", `${provider}/${id} is asked in ${api}, whose services defer no answer`);
  return { ...value, body: { ...value.body, background: true } };
}

/** Half surrogates are no characters: no service can read them. Throws a DecodeError for messages that nest deeper than any service reads. */
function mended(messages: readonly Message[], drafts: LossDraft[]): readonly Message[] {
  const value = messages as unknown as Json;
  const found = survey(value, true);
  refuseDepth(found, value);
  if (!found.halves) return messages;
  const noted = (path: string): void => {
    drafts.push({ code: "text.lone_surrogate", stage: "encode", path: `/messages${path}` });
  };
  return wellFormed(value, noted) as unknown as readonly Message[];
}

function encode(protocol: Protocol, conversation: Conversation, profile: Profile): EncodedRequest {
  try {
    return protocol.encodeRequest(conversation, profile);
  } catch (error) {
    throw placed(error, irLocator(conversation));
  }
}

/** Settings are no node of the walk over messages. */
function locatorOf(conversation: Conversation, locate: ReturnType<typeof irLocator>): typeof locate {
  return (node, field) => (node === conversation.settings ? `/settings/${field}` : locate(node, field));
}

function settingsOf(model: ChatModel, options: ChatOptions, thinking: SettledThinking | undefined): Settings {
  const { stream = true, deferred } = options;
  const settings = settingsIn(options);
  return {
    ...settings,
    model: model.id,
    ...(deferred === true ? { stream: false, store: settings.store ?? true } : { stream }),
    ...(stream && model.api === "openai-chat" && { streamOptions: { includeUsage: true } }),
    ...(thinking !== undefined && { reasoning: { ...thinking.reasoning, ...settings.reasoning } }),
  };
}

/**
 * Anthropic keeps of a prompt what a mark says: the instructions with the tools, and all up to the last message that the model did not write. Marks
 * of the caller's own are left alone. All other services keep what they like without being asked.
 */
function marked(
  messages: readonly Message[],
  { id }: Protocol,
  retention: ChatOptions["cacheRetention"] = "short",
): readonly Message[] {
  if (id !== "anthropic-messages" || retention === "none" || messages.some(hasMark)) return messages;
  const mark = { cacheBreakpoint: retention === "long" ? { ttl: "1h" } : {} };
  const last = messages.findLastIndex(({ role }) => role === "user" || role === "toolResult");
  return messages.map((message, index) => {
    const isHead = index === 0 && message.role === "system";
    if (!isHead && index !== last) return message;
    if (message.role === "toolResult") return { ...message, ...mark };
    const content = message.content as readonly Part[];
    const place = content.findLastIndex(isMarkable);
    if (place >= 0)
      return {
        ...message,
        content: content.map((part, at) => (at === place ? { ...part, ...mark } : part)),
      } as Message;
    if (message.role !== "system" || message.toolsAdded === undefined) return message;
    const { toolsAdded } = message;
    return {
      ...message,
      toolsAdded: toolsAdded.map((tool, at) => (at === toolsAdded.length - 1 ? { ...tool, ...mark } : tool)),
    };
  });
}

/** Marks on thinking and on empty texts are refused. */
function isMarkable(part: Part): boolean {
  return part.type !== "thinking" && !(part.type === "text" && part.text === "");
}

function hasMark(message: Message): boolean {
  if (message.role === "toolResult") return message.cacheBreakpoint !== undefined;
  if (message.role === "system" && message.toolsAdded?.some((tool) => "cacheBreakpoint" in tool) === true) return true;
  return message.content.some((part) => part.cacheBreakpoint !== undefined);
}
