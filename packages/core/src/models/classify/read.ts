import { ProviderError } from "../../errors/index.ts";
import type { AssistantMessage, Json, JsonObject, ProtocolId } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { inexactPlaces } from "../../json/inexact.ts";
import { bodyOf } from "../transport/answer.ts";
import { keyOf } from "./ask.ts";
import { probabilitiesOf } from "./probability.ts";
import type { Answer, AnswersTo, Question } from "./question.ts";
import { textOfAnswer, tokensOf } from "./tokens.ts";

/**
 * The answers of a message, each checked against its question. Throws a ProviderError of type "answer" for a message that does not answer all of
 * them: `raw` is what came, `param` the id of the question.
 */
export function readAnswers<const Q extends readonly Question[]>(
  message: AssistantMessage,
  questions: Q,
  api: ProtocolId,
): AnswersTo<Q> {
  const text = textOfAnswer(message);
  refuseOther(message, text);
  const body = bodyOf(text);
  if (!isJsonObject(body)) throw wrong("the model did not answer with a JSON object", text);
  const tokens = tokensOf(message, api);
  const repeated = new Set(inexactPlaces(text, body).map(({ path, what }) => (what === "key" ? path : "")));
  const answers: { [id: string]: Answer<string | number | boolean> } = Object.create(null);
  for (const [index, question] of questions.entries()) {
    const key = keyOf(index);
    if (repeated.has(`/${key}`)) throw wrong(`the model answered "${question.id}" more than once`, text, question.id);
    const value = readValue(body, key, question);
    answers[question.id] = { value, ...probabilitiesOf(question, value, key, text, tokens) };
  }
  return answers as AnswersTo<Q>;
}

/** Throws for a message that ended in another way than with a whole answer. */
function refuseOther(message: AssistantMessage, text: string): void {
  const { stopReason, stopDetail, content } = message;
  const refusal = content.find((part) => part.type === "refusal");
  if (refusal !== undefined || stopDetail === "refusal" || stopDetail === "contentFilter")
    throw wrong("the model refused to answer", refusal?.text ?? text, undefined, "content_filter");
  if (stopReason === "length")
    throw wrong("the answer was cut off: a larger maxTokens, or a lower thinkingLevel, leaves more for it", text);
  if (stopReason !== "stop")
    throw wrong(`the model did not answer, but ended with "${message.rawStopReason ?? stopReason}"`, text);
}

function readValue(body: JsonObject, key: string, question: Question): string | number | boolean {
  const { id } = question;
  if (!Object.hasOwn(body, key)) throw wrong(`the model did not answer "${id}"`, body, id);
  const value = body[key] as Json;
  switch (question.type) {
    case "choice":
      if (typeof value === "string" && question.choices.includes(value)) return value;
      throw wrong(`the answer to "${id}" is none of its choices`, value, id);
    case "score": {
      const { minimum, maximum } = question;
      if (typeof value === "number" && value >= minimum && value <= maximum) return value;
      // A number that is too large for one is none of JSON either.
      throw wrong(`the answer to "${id}" is no number from ${minimum} to ${maximum}`, finite(value), id);
    }
    case "bool":
      if (typeof value === "boolean") return value;
      throw wrong(`the answer to "${id}" is neither true nor false`, value, id);
  }
}

const finite = (value: Json): Json => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

function wrong(
  message: string,
  raw: Json,
  param?: string,
  kind: "server" | "content_filter" = "server",
): ProviderError {
  return new ProviderError(message, {
    kind,
    retryable: false,
    type: "answer",
    ...(param !== undefined && { param }),
    raw,
  });
}
