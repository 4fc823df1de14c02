import { isOpenAi } from "../../../codec/profile.ts";
import { scalarText } from "../../../codec/table.ts";
import type { Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, messagesOf, partsOf } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const reference = "github.com/openai/openai-openapi, CreateChatCompletionRequest";

/** Kinds of parts that Chat has. Others belong to compatible servers, which know what they take. */
const known: ReadonlySet<string> = new Set(["text", "image_url", "input_audio", "file", "refusal"]);

/** Parts of a documented kind that a message of these roles has no place for. */
function misplaced(request: RequestView, roles: readonly string[], allowed: readonly string[]): readonly Placed[] {
  return messagesOf(request)
    .filter(({ object }) => roles.includes(scalarText(object["role"])))
    .flatMap(partsOf)
    .filter(({ object: { type } }) => known.has(scalarText(type)) && !allowed.includes(scalarText(type)));
}

function saysNothing(message: JsonObject): boolean {
  const { content, tool_calls: calls } = message;
  if (isStated(content)) return false;
  if (Array.isArray(calls) && calls.length > 0) return false;
  return !["function_call", "refusal", "audio"].some((key) => isStated(message[key]));
}

/** How messages are built. */
export const chatMessageRules: readonly Rule<RequestView>[] = [
  {
    id: "C1a",
    severity: "error",
    evidence: "recording",
    source: `${reference}; recorded answer: "Invalid 'messages': empty array"`,
    description: "`messages` is a list of at least one message.",
    check: ({ body: { messages } }, flag) => {
      if (!Array.isArray(messages) || messages.length === 0)
        flag("/messages", "there is no message: add what the user says");
    },
  },
  {
    id: "C1b",
    severity: "error",
    evidence: "openapi",
    source: reference,
    description: "Each message is an object with a role.",
    check: ({ body: { messages } }, flag) => {
      if (!Array.isArray(messages)) return;
      (messages as readonly Json[]).forEach((message, index) => {
        if (!isJsonObject(message) || typeof message["role"] !== "string")
          flag(`/messages/${index}`, "it is no message: write an object with a role and content");
      });
    },
  },
  {
    id: "C1c",
    severity: "error",
    evidence: "openapi",
    source: `${reference}, minItems of content`,
    description: "OpenAI: a list of content parts has at least one part.",
    check: (request, flag) => {
      if (!isOpenAi(request.profile)) return;
      for (const { object, path } of messagesOf(request)) {
        const { content } = object;
        if (Array.isArray(content) && content.length === 0)
          flag(`${path}/content`, "the list of parts is empty: leave the message out, or send a string");
      }
    },
  },
  {
    id: "C4a",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ChatCompletionToolMessageParam, ChatCompletionSystemMessageParam",
    description: "OpenAI: instructions and tool results hold parts of type `text` only.",
    check: (request, flag) => {
      const { profile } = request;
      if (!isOpenAi(profile) || profile.supportsImagesInToolResults === true) return;
      for (const { path } of misplaced(request, ["system", "developer", "tool"], ["text"]))
        flag(`${path}/type`, "only text can stand here: move the part into a user message");
    },
  },
  {
    id: "C4b",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ChatCompletionAssistantMessageParam",
    description: "Messages of the assistant hold parts of type `text` and `refusal` only.",
    check: (request, flag) => {
      for (const { path } of misplaced(request, ["assistant"], ["text", "refusal"]))
        flag(`${path}/type`, "an answer holds text and refusals only: move the part into a user message");
    },
  },
  {
    id: "C5a",
    severity: "error",
    evidence: "openapi",
    source: `${reference}, ChatCompletionRequestAssistantMessage: content is required unless a call is specified`,
    description: "A message of the assistant has content, a refusal, an audio answer or a call.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request)) {
        if (object["role"] === "assistant" && saysNothing(object))
          flag(path, "the assistant says nothing here: leave the message out");
      }
    },
  },
  {
    id: "C5b",
    severity: "error",
    evidence: "openapi",
    source: `${reference}, ChatCompletionRequestUserMessage, ChatCompletionRequestToolMessage`,
    description: "Messages of every other role have content.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request)) {
        const { role, content } = object;
        if (["user", "system", "developer", "tool"].includes(scalarText(role)) && !isStated(content))
          flag(path, "the message has no content: write a string, or leave the message out");
      }
    },
  },
];
