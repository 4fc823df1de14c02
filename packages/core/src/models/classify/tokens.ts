import type { AssistantMessage, Json, JsonObject, ProtocolId, WireForm } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";

/** A token that a model said, or could have said, with the natural logarithm of its probability. */
export interface LikelyToken {
  readonly text: string;
  readonly logprob: number;
}

/** A token of an answer, with those that were likely in its place. It may be one of them. */
export interface AnswerToken extends LikelyToken {
  readonly likely: readonly LikelyToken[];
}

/** The text of an answer without what the model says on its way to it. */
export function textOfAnswer({ content }: AssistantMessage): string {
  return content.map((part) => (part.type === "text" && part.phase !== "commentary" ? part.text : "")).join("");
}

/**
 * The tokens of an answer, where the service told them and they are the text of it; else none. A token that is half of a character is told with
 * another text, so answers that hold one have none.
 */
export function tokensOf(message: AssistantMessage, api: ProtocolId): readonly AnswerToken[] {
  const tokens = readers[api](message);
  const text = tokens?.map((token) => token.text).join("");
  return tokens !== undefined && text === textOfAnswer(message) ? tokens : [];
}

type Reader = (message: AssistantMessage) => readonly AnswerToken[] | undefined;

/** What services say of tokens has no word in the representation of a conversation: it is what is left of the wire. */
const readers: { readonly [P in ProtocolId]: Reader } = {
  "openai-chat": ({ wire }) => {
    const told = restOf(wire, "choices/0/logprobs");
    return isJsonObject(told) ? openAiTokens(told["content"]) : undefined;
  },
  "openai-responses": ({ content }) =>
    readAll(
      content.filter((part) => part.type === "text" && part.phase !== "commentary"),
      ({ wire }) => openAiTokens(restOf(wire, "logprobs")),
    )?.flat(),
  "anthropic-messages": () => undefined,
  "gemini-generate-content": ({ wire }) => {
    const told = restOf(wire, "candidates/0/logprobsResult");
    return isJsonObject(told) ? geminiTokens(told) : undefined;
  },
};

function restOf(wire: WireForm | undefined, key: string): Json | undefined {
  const rest = wire?.rest;
  return rest !== undefined && Object.hasOwn(rest, key) ? rest[key] : undefined;
}

/** https://platform.openai.com/docs/api-reference/chat/object: `logprobs.content`; Responses has the same on each part. */
function openAiTokens(list: Json | undefined): readonly AnswerToken[] | undefined {
  return readAll(list, (item) => {
    const token = tokenOf(item, "logprob");
    if (token === undefined || !isJsonObject(item)) return undefined;
    const likely = readAll(item["top_logprobs"] ?? [], (top) => tokenOf(top, "logprob"));
    return likely === undefined ? undefined : { ...token, likely };
  });
}

/** https://ai.google.dev/api/generate-content#LogprobsResult: the tokens, and for each of them those that were likely. */
function geminiTokens(result: JsonObject): readonly AnswerToken[] | undefined {
  const tops = result["topCandidates"];
  return readAll(result["chosenCandidates"], (item, index) => {
    const token = tokenOf(item, "logProbability");
    const top = Array.isArray(tops) ? (tops[index] as Json | undefined) : undefined;
    const candidates = isJsonObject(top) ? (top["candidates"] ?? []) : [];
    const likely = readAll(candidates, (candidate) => tokenOf(candidate, "logProbability"));
    return token === undefined || likely === undefined ? undefined : { ...token, likely };
  });
}

/** Each item of a list as it reads; undefined where it is no list, or an item is not what it should be. */
function readAll<T, R>(
  list: Json | readonly T[] | undefined,
  read: (item: T, index: number) => R | undefined,
): readonly R[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const found = (list as readonly T[]).map(read);
  return found.some((item) => item === undefined) ? undefined : (found as readonly R[]);
}

function tokenOf(item: Json, key: "logprob" | "logProbability"): LikelyToken | undefined {
  if (!isJsonObject(item) || typeof item["token"] !== "string") return undefined;
  const logprob = item[key];
  return typeof logprob === "number" && logprob <= 0 ? { text: item["token"], logprob } : undefined;
}
