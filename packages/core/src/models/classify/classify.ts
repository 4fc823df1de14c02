import { endpoints } from "../../endpoint/index.ts";
import { ConfigError } from "../../errors/index.ts";
import type { AssistantMessage, ProtocolId } from "../../ir/index.ts";
import { describe } from "../chat/failure.ts";
import type { OperationOptions } from "../chat/own-options.ts";
import { checkOperationOptions } from "../chat/own-options.ts";
import type { ChatModel, ClassifierModel } from "../model.ts";
import type { StreamFunction } from "../models.ts";
import type { CallFailure, CallReport } from "../outcome.ts";
import { failed, failureOfMessage, reportOf } from "../outcome.ts";
import type { ClassifyInput } from "./ask.ts";
import { checkInput, contextOf, formatOf } from "./ask.ts";
import type { AnswersTo, Question } from "./question.ts";
import { readAnswers } from "./read.ts";
import { textOfAnswer } from "./tokens.ts";

/**
 * How a classifier is asked. With `logprobs`, services that tell of tokens say how likely each answer was; there are models, mostly those that
 * think, which refuse it. `topLogprobs` is how many tokens are told in each place; 20 unless stated, which is the most that services tell.
 */
export type ClassifyOptions = OperationOptions;

/** What a classifier said, and what it took. It is plain JSON. */
export type Classification<Q extends readonly Question[] = readonly Question[]> = Answered<Q> | Unanswered;

interface Answered<Q extends readonly Question[]> extends CallReport {
  readonly stopReason: "stop";
  /** One for each question, checked against it. */
  readonly answers: AnswersTo<Q>;
  /** The answer as the model wrote it. */
  readonly text: string;
}

/** No question counts as answered unless all are. The error of an answer that does not fit has the type "answer"; its `raw` is what came. */
interface Unanswered extends CallReport, CallFailure {
  readonly answers: { readonly [id: string]: undefined };
  /** What came of an answer. */
  readonly text: string;
}

/**
 * A chat model as a classifier, so that it can be asked by `classify()`. It answers in a form that it is held to, where its service can do that, and
 * its answer is checked in any case.
 */
export function asClassifier(model: ChatModel): ClassifierModel {
  return { ...model, type: "classifier" };
}

/** Asks through `stream`. Throws a ConfigError for a call that is wrong in itself; all that happens afterwards the result tells. */
export async function classify<const Q extends readonly Question[]>(
  stream: StreamFunction,
  now: () => number,
  model: ClassifierModel,
  input: ClassifyInput<Q>,
  options: ClassifyOptions = {},
): Promise<Classification<Q>> {
  const startedAt = now();
  checkOperationOptions(options, "classify()");
  checkInput(input);
  const api = protocolOf(model);
  const asked = stream({ ...model, type: "chat", api }, contextOf(input), {
    ...(options.logprobs === true && { topLogprobs: 20 }),
    ...options,
    stream: false,
    responseFormat: formatOf(input.questions, api),
  });
  const message = await asked.result();
  const report = { ...reportOf(message, asked.losses, now() - startedAt), text: textOfAnswer(message) };
  const answers = answersOf(message, input.questions, api);
  return "stopReason" in answers
    ? { ...report, ...answers, answers: Object.create(null) }
    : { ...report, stopReason: "stop", answers: answers.given };
}

function answersOf<const Q extends readonly Question[]>(
  message: AssistantMessage,
  questions: Q,
  api: ProtocolId,
): CallFailure | { readonly given: AnswersTo<Q> } {
  const failure = failureOfMessage(message);
  if (failure !== undefined) return failure;
  try {
    return { given: readAnswers(message, questions, api) };
  } catch (error) {
    return failed(describe(error));
  }
}

function protocolOf({ api, provider, id }: ClassifierModel): ProtocolId {
  if (Object.hasOwn(endpoints, api)) return api as ProtocolId;
  const known = Object.keys(endpoints).join(", ");
  throw new ConfigError("/model/api", `${provider}/${id} is asked in "${api}", which is none of ${known}`);
}
