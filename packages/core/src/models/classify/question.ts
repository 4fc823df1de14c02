import { ConfigError } from "../../errors/index.ts";

interface Asked<Id extends string = string> {
  /** The name of its answer. Models do not see it. */
  readonly id: Id;
  /** In words, as the model reads it. */
  readonly question: string;
}

/** Which one of these? */
export interface ChoiceQuestion extends Asked {
  readonly type: "choice";
  /** Texts that differ, at least one. */
  readonly choices: readonly string[];
}

/** How much, from `minimum` to `maximum`? Both may be the answer, and all numbers between them. */
export interface ScoreQuestion extends Asked {
  readonly type: "score";
  readonly minimum: number;
  readonly maximum: number;
}

/** Is it so? */
export interface BoolQuestion extends Asked {
  readonly type: "bool";
}

export type Question = ChoiceQuestion | ScoreQuestion | BoolQuestion;

/** What a model says to a question. Probabilities are there only where the service told them. */
export interface Answer<V extends string | number | boolean> {
  readonly value: V;
  /** From 0 to 1: how likely the model was to say this value, by the tokens of which its answer is. */
  readonly probability?: number;
  /**
   * The same for each value that could be told apart among the tokens that were likely, under its text. They are lower bounds, because a service
   * tells only the likeliest tokens: one that is not there is unlikely, not impossible. There are none for a score.
   */
  readonly probabilities?: { readonly [value: string]: number };
}

/** The answer to a question of this type. */
export type AnswerTo<Q extends Question> = Q extends ChoiceQuestion
  ? Answer<Q["choices"][number]>
  : Q extends ScoreQuestion
    ? Answer<number>
    : Answer<boolean>;

/** One answer to each question, under its id. The object has no prototype: an id may be any text. */
export type AnswersTo<Q extends readonly Question[]> = { readonly [I in Q[number] as I["id"]]: AnswerTo<I> };

/** Throws a ConfigError with the place of the first question that cannot be asked. */
export function checkQuestions(questions: readonly Question[]): void {
  if (!Array.isArray(questions) || questions.length === 0)
    throw new ConfigError("/questions", "there is nothing to ask: state a list of one question or more");
  const ids = new Set<string>();
  for (const [index, question] of questions.entries()) {
    const place = `/questions/${index}`;
    if (typeof question !== "object" || question === null)
      throw new ConfigError(place, "a question is an object with id, type and question");
    if (typeof question.id !== "string" || question.id === "")
      throw new ConfigError(`${place}/id`, "a question has an id, under which its answer stands");
    if (ids.has(question.id)) throw new ConfigError(`${place}/id`, "two questions have one id: give each its own");
    ids.add(question.id);
    if (typeof question.question !== "string" || question.question.trim() === "")
      throw new ConfigError(`${place}/question`, "a question has words that the model reads");
    checkType(question, place);
  }
}

function checkType(question: Question, place: string): void {
  switch (question.type) {
    case "choice": {
      const { choices } = question;
      if (!Array.isArray(choices) || choices.length === 0)
        throw new ConfigError(`${place}/choices`, "a question of type choice has a list of one choice or more");
      const wrong = choices.findIndex((choice: unknown) => typeof choice !== "string" || choice === "");
      if (wrong >= 0) throw new ConfigError(`${place}/choices/${wrong}`, "a choice is a text that is not empty");
      if (new Set(choices).size < choices.length)
        throw new ConfigError(`${place}/choices`, "a choice stands twice: no answer could tell them apart");
      return;
    }
    case "score": {
      const { minimum, maximum } = question;
      for (const name of ["minimum", "maximum"] as const)
        if (!Number.isFinite(question[name])) throw new ConfigError(`${place}/${name}`, `${name} is a number`);
      if (minimum >= maximum) throw new ConfigError(`${place}/maximum`, "maximum is larger than minimum");
      return;
    }
    case "bool":
      return;
    default:
      throw new ConfigError(`${place}/type`, 'a question is of type "choice", "score" or "bool"');
  }
}
