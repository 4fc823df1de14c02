import type { Conversation, Exchange, Profile, ProtocolId } from "../ir/index.ts";
import { setOwn } from "../ir/index.ts";
import { joinedName } from "./content/calls.ts";
import type { LateSet } from "./identity/late.ts";
import type { Names } from "./identity/names.ts";
import { changedNames } from "./identity/names.ts";
import type { Open } from "./ledger.ts";
import { formOf } from "./restore.ts";

/** What the answer to an encoded request needs: how names and ids were changed, and what the client asked for. */
export function createExchange(
  conversation: Conversation,
  protocol: ProtocolId,
  profile: Profile,
  names: Names,
  customTools: LateSet<string>,
): Exchange {
  const { model, stream, streamOptions } = conversation.settings;
  const toolNames = changedNames(names.toolNames);
  const toolCallIds = changedNames(names.callIds);
  const exchange: Open<Exchange> = { from: conversation.wire?.protocol ?? protocol, to: protocol };
  if (model !== undefined) exchange.model = model;
  if (profile.provider !== undefined) exchange.provider = profile.provider;
  if (stream !== undefined) exchange.stream = stream;
  if (streamOptions?.includeUsage !== undefined) exchange.includeUsage = streamOptions.includeUsage;
  if (toolNames !== undefined) exchange.toolNames = toolNames;
  if (toolCallIds !== undefined) exchange.toolCallIds = toolCallIds;
  const namespaces = protocol === keeper ? undefined : namespacesOf(conversation);
  if (namespaces !== undefined) exchange.namespaces = namespaces;
  if (readsFunctionCalls(conversation)) exchange.functionCalls = true;
  if (customTools.items !== undefined) exchange.customTools = [...customTools.items];
  return exchange;
}

/** The only protocol whose calls state a namespace. */
const keeper: ProtocolId = "openai-responses";

function namespacesOf({ messages }: Conversation): Exchange["namespaces"] {
  let found: { [joined: string]: { readonly namespace: string; readonly name: string } } | undefined;
  for (const message of messages) {
    if (message.role !== "system" || message.toolsAdded === undefined) continue;
    for (const tool of message.toolsAdded) {
      if (tool.type !== "namespace") continue;
      found ??= {};
      for (const { name } of tool.tools) setOwn(found, joinedName(tool.name, name), { namespace: tool.name, name });
    }
  }
  return found;
}

/** A client that declares nothing but the deprecated `functions` does not look for calls elsewhere than in `function_call`. */
function readsFunctionCalls({ messages: [first] }: Conversation): boolean {
  if (first?.role !== "system" || first.toolsAdded === undefined || first.toolsAdded.length === 0) return false;
  return first.toolsAdded.every(({ wire }) => formOf(wire, "openai-chat", "functions") === true);
}
