import type { Json } from "@rolecall/core";
import type { Question } from "@rolecall/core/models";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { readTextFile } from "../input/file.ts";
import { Mistake } from "../mistake.ts";
import { namedClassifier, ofModels, serverOptions } from "../models/known.ts";
import { interruptible, pipedText, tell, tellUnlisted } from "../models/operation.ts";
import { writeJson } from "../terminal/json.ts";
import { visible } from "../terminal/text.ts";

export const classifyDefinition: CommandDefinition = {
  name: "classify",
  about: "Answers questions about a text or a JSON value: a choice, a score, true or false.",
  operands: "[FILE]",
  mostOperands: 1,
  options: [
    { name: "model", short: "m", value: "SERVICE/MODEL", about: "the model that is asked; a chat model will do" },
    { name: "choice", value: "Q=A,B,C", repeats: true, about: "a question, and the answers that it may have" },
    { name: "score", value: "Q=1-5", repeats: true, about: "a question, and the least and the greatest number" },
    { name: "bool", value: "Q", repeats: true, about: "a question that is true or false" },
    { name: "instructions", value: "TEXT", about: "what the model shall know beforehand" },
    { name: "logprobs", about: "ask for probabilities, where the service tells of tokens" },
    ...serverOptions,
    { name: "losses", about: "list what was lost on the way" },
    { name: "json", about: "print {stopReason, answers, usage, …}" },
  ],
  notes: [
    "What it is about stands in FILE, or is piped in; JSON goes as the value that it is. Answers are checked against their questions.\n" +
      "Exit codes: 0 done, 1 there is no answer, 2 usage is wrong or a key is missing, 70 internal error, 130 interrupted.",
  ],
};

/** Runs `rolecall classify`; the result is its exit code. */
export async function classifyCommand(args: Arguments, environment: Environment): Promise<number> {
  const questions = questionsOf(args);
  if (questions.length === 0) throw new Mistake("state a question: --choice, --score or --bool");
  const [file] = args.operands;
  const text = file === undefined || file === "-" ? await pipedText(environment) : readTextFile(file);
  if (text.trim() === "") throw new Mistake("there is nothing to look at: name a FILE, or pipe a text in");
  const { models, model, isUnlisted } = await namedClassifier(args, environment);
  if (isUnlisted) tellUnlisted(model, environment);
  const { instructions } = args.values;
  const result = await interruptible((signal) =>
    ofModels(() =>
      models.classify(
        model,
        { state: stateOf(text), questions, ...(instructions !== undefined && { instructions }) },
        { signal, ...(args.switches.has("logprobs") && { logprobs: true }) },
      ),
    ),
  );
  if (args.switches.has("json")) writeJson(result, environment.output);
  else if (result.stopReason === "stop")
    for (const { id, question } of questions) {
      const { value, probability } = result.answers[id] as { readonly value: unknown; readonly probability?: number };
      const sure = probability === undefined ? "" : `  (${(probability * 100).toFixed(1)} %)`;
      environment.output.write(`${visible(question)}  ${visible(String(value))}${sure}\n`);
    }
  return tell(result, result.losses, result.durationMs, args, environment);
}

function stateOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function questionsOf({ lists }: Arguments): readonly Question[] {
  const of = (name: string): readonly string[] => lists[name] ?? [];
  const questions: readonly ((id: string) => Question)[] = [
    ...of("choice").map((text) => {
      const [question, rest] = divided("choice", text);
      const choices = rest.split(",").map((choice) => choice.trim());
      return (id: string): Question => ({ id, type: "choice", question, choices });
    }),
    ...of("score").map((text) => {
      const [question, rest] = divided("score", text);
      const range = /^(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)$/.exec(rest.trim());
      if (range === null) throw new Mistake(`--score ${text}: state the least and the greatest number, such as =1-5`);
      const [minimum, maximum] = [Number(range[1]), Number(range[2])];
      return (id: string): Question => ({ id, type: "score", question, minimum, maximum });
    }),
    ...of("bool").map(
      (question) =>
        (id: string): Question => ({ id, type: "bool", question }),
    ),
  ];
  return questions.map((make, index) => make(`q${index + 1}`));
}

/** A question and what stands behind its last sign of equality. */
function divided(option: string, text: string): readonly [question: string, rest: string] {
  const at = text.lastIndexOf("=");
  if (at <= 0 || at === text.length - 1)
    throw new Mistake(`--${option} ${text}: state the question, "=" and what it may be answered by`);
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}
