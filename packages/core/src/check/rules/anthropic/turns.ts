import type { Json, JsonObject, Pointer } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { claudeVersion, resolveProfile } from "../../../protocols/anthropic-messages/profile.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { messagesOf, partsOf } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const placement =
  "https://github.com/can1357/oh-my-pi, packages/ai/test/anthropic-mid-conversation-system.test.ts; docs.rs harn-vm, SystemMessagePlacement";

/** System messages within the conversation, each with the messages around it. */
function systemMessages(request: RequestView) {
  const messages = messagesOf(request);
  return messages.flatMap((message, index) =>
    message.object["role"] === "system" && index > 0
      ? [{ message, before: messages[index - 1] as Placed, after: messages[index + 1] }]
      : [],
  );
}

/** Whether a system message may stand behind a message: one of the user, or an answer that waits for a tool of the service. */
function admitsSystem(message: Placed): boolean {
  const { role } = message.object;
  return role === "user" || (role === "assistant" && partsOf(message).at(-1)?.object["type"] === "server_tool_use");
}

/** Blocks of messages that an instruction has no place for. Others are let be: new kinds come with new versions. */
const notInstructions: ReadonlySet<unknown> = new Set([
  "image",
  "document",
  "search_result",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "server_tool_use",
]);

const isBlankContent = (content: Json | undefined): boolean =>
  (typeof content === "string" && content.trim() === "") || (Array.isArray(content) && content.length === 0);

/** The place of the last text of a last message of the assistant. */
function lastText(request: RequestView): { readonly text: string; readonly path: Pointer } | undefined {
  const last = messagesOf(request).at(-1);
  if (last?.object["role"] !== "assistant") return undefined;
  const { content } = last.object;
  if (typeof content === "string") return { text: content, path: `${last.path}/content` };
  const end = partsOf(last).at(-1);
  const text = end?.object["type"] === "text" ? end.object["text"] : undefined;
  return typeof text === "string" ? { text, path: `${end?.path}/text` } : undefined;
}

const thinks = ({ body: { thinking } }: RequestView): boolean =>
  isJsonObject(thinking) && thinking["type"] === "enabled";

/** Roles, their order, and what each turn holds. */
export const anthropicTurnRules: readonly Rule<RequestView>[] = [
  {
    id: "A2a",
    severity: "error",
    evidence: "recording",
    source: '@anthropic-ai/sdk 1.14.0, MessageParam; recorded answer: "Input does not match the expected shape"',
    description: "`messages` is a list of objects with a role of `user`, `assistant` or `system`, at least one.",
    check: ({ body: { messages } }, flag) => {
      if (!Array.isArray(messages) || messages.length === 0) {
        flag("/messages", "there is no message: add what the user says");
        return;
      }
      (messages as readonly Json[]).forEach((message, index) => {
        const role = isJsonObject(message) ? message["role"] : undefined;
        if (role !== "user" && role !== "assistant" && role !== "system")
          flag(`/messages/${index}`, "it is no message: write an object with a role of user, assistant or system");
      });
    },
  },
  {
    id: "A2b",
    severity: "error",
    evidence: "issue",
    source: "anthropics/claude-code, answer \"messages.0: use the top-level 'system' parameter\"",
    description: "The first message is no system message.",
    check: (request, flag) => {
      if (messagesOf(request)[0]?.object["role"] === "system")
        flag("/messages/0/role", "instructions before the conversation stand in the top-level system: move it there");
    },
  },
  {
    id: "A2c",
    severity: "warning",
    evidence: "issue",
    source: "https://github.com/livekit/agents/pull/669",
    unenforced: "a recorded request that begins with the assistant was answered",
    description: "The first message is of the user.",
    check: (request, flag) => {
      if (messagesOf(request)[0]?.object["role"] === "assistant")
        flag("/messages/0/role", "the conversation begins with the assistant: put a user turn first");
    },
  },
  {
    id: "A3a",
    severity: "error",
    evidence: "documentation",
    source: placement,
    description: "A system message within the conversation stands after a user turn or a pending tool of the service.",
    check: (request, flag) => {
      for (const { message, before } of systemMessages(request))
        if (!admitsSystem(before)) flag(`${message.path}/role`, "move the instruction behind a user turn");
    },
  },
  {
    id: "A3b",
    severity: "error",
    evidence: "documentation",
    source: placement,
    description: "A system message within the conversation is the last one, or the assistant follows.",
    check: (request, flag) => {
      for (const { message, after } of systemMessages(request))
        if (after !== undefined && after.object["role"] !== "assistant")
          flag(`${message.path}/role`, "move the instruction behind the user turn that follows it, or join the two");
    },
  },
  {
    id: "A3c",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, SystemMessageParam and BetaSystemMessageParam",
    description: "A system message holds text, and changes of tools.",
    check: (request, flag) => {
      for (const message of messagesOf(request)) {
        if (message.object["role"] !== "system") continue;
        for (const { object, path } of partsOf(message))
          if (notInstructions.has(object["type"]))
            flag(`${path}/type`, "an instruction holds text only: move the block into a user turn");
      }
    },
  },
  {
    id: "A3d",
    severity: "warning",
    evidence: "documentation",
    source: "platform.claude.com/docs, model overview: Claude 4.8 and later",
    description: "The model takes system messages within the conversation.",
    check: (request, flag) => {
      const { profile } = request;
      const version = claudeVersion(profile.model);
      const takes = profile.supportsMidConversationSystem ?? (version === undefined || version >= 408);
      if (takes) return;
      for (const { message } of systemMessages(request))
        flag(`${message.path}/role`, "this model takes no system message here: move it to the top-level system");
    },
  },
  {
    id: "A6c",
    severity: "error",
    evidence: "recording",
    source:
      'recorded answer: "all messages must have non-empty content except for the optional final assistant message"',
    description: "Each message has content, unless it is the last one and of the assistant.",
    check: (request, flag) => {
      const messages = messagesOf(request);
      messages.forEach(({ object, path }, index) => {
        const isStarted = index === messages.length - 1 && object["role"] === "assistant";
        if (!isStarted && isBlankContent(object["content"]))
          flag(`${path}/content`, "the message is empty: leave it out, or write what is said");
      });
    },
  },
  {
    id: "A6d",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/tailcallhq/forgecode/issues/1872",
    description: "A started answer does not end in white space.",
    check: (request, flag) => {
      const end = lastText(request);
      if (end !== undefined && end.text !== end.text.trimEnd())
        flag(end.path, "the started answer ends in white space: cut it off");
    },
  },
  {
    id: "A7a",
    severity: "error",
    evidence: "recording",
    source:
      'recorded answer: "This model does not support assistant message prefill"; https://github.com/strands-agents/sdk-python/issues/1694',
    description:
      "The last message is of the assistant only for models that go on with a started answer (before Claude 4.6).",
    check: (request, flag) => {
      const last = messagesOf(request).at(-1);
      if (last?.object["role"] === "assistant" && !resolveProfile(request.profile).prefill)
        flag(`${last.path}/role`, "this model does not go on with a started answer: end with a user turn");
    },
  },
  {
    id: "A7b",
    severity: "error",
    evidence: "documentation",
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
    description: "The last message is not a started text of the assistant while manual thinking is on.",
    check: (request, flag) => {
      const end = lastText(request);
      if (end !== undefined && thinks(request))
        flag(end.path, "thinking and a started answer exclude each other: leave one of them out");
    },
  },
  {
    id: "A16",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, MessageCreateParams.messages",
    description: "There are 100,000 messages at most.",
    check: ({ body: { messages } }, flag) => {
      if (Array.isArray(messages) && messages.length > 100_000)
        flag("/messages", `${messages.length} messages: send 100,000 at most`);
    },
  },
  {
    id: "A17a",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, BetaSystemMessageParam",
    description: "`tool_addition` and `tool_removal` stand in system messages only.",
    check: (request, flag) => {
      for (const message of messagesOf(request)) {
        if (message.object["role"] === "system") continue;
        for (const { object, path } of partsOf(message))
          if (isChange(object)) flag(`${path}/type`, "changes of tools stand in system messages: move the block there");
      }
    },
  },
  {
    id: "A17b",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "A change of tools refers to a tool that is declared.",
    check: (request, flag) => {
      for (const path of unknownReferences(request))
        flag(path, "the tool that it refers to is not declared: declare it, or leave the change out");
    },
  },
];

const isChange = ({ type }: JsonObject): boolean => type === "tool_addition" || type === "tool_removal";

/** Changes of tools that refer to a name which neither the request nor an earlier change declares. */
function unknownReferences(request: RequestView): Pointer[] {
  const tools = request.body["tools"];
  const names = new Set<unknown>(
    Array.isArray(tools) ? tools.map((tool: Json) => (isJsonObject(tool) ? tool["name"] : undefined)) : [],
  );
  const unknown: Pointer[] = [];
  for (const { object, path } of messagesOf(request).flatMap(partsOf)) {
    const { tool } = object;
    if (!isChange(object) || !isJsonObject(tool)) continue;
    if (isJsonObject(tool["definition"])) names.add(tool["definition"]["name"]);
    else if (typeof tool["name"] === "string" && !names.has(tool["name"])) unknown.push(`${path}/tool/name`);
  }
  return unknown;
}
