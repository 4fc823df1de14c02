export type { ClassifyInput } from "./ask.ts";
export { asClassifier, type Classification, type ClassifyOptions } from "./classify.ts";
export type { Answer, AnswersTo, AnswerTo, BoolQuestion, ChoiceQuestion, Question, ScoreQuestion } from "./question.ts";
