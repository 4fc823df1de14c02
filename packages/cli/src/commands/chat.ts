import type { Part } from "@rolecall/core";
import type { ModelExchange, ThinkingLevel } from "@rolecall/core/models";
import { thinkingLevels } from "@rolecall/core/models";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import { wholeNumber } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { Mistake } from "../mistake.ts";
import { attachment } from "../models/attachments.ts";
import { exchangesFile, recordTo } from "../models/exchanges.ts";
import { namedChatModel, ofModels, serverOptions } from "../models/known.ts";
import { interruptible, pipedText, tell, tellUnlisted } from "../models/operation.ts";
import { printAnswer } from "../models/print-answer.ts";
import { writeJson } from "../terminal/json.ts";

export const chatDefinition: CommandDefinition = {
  name: "chat",
  about: "Asks a model once, and shows its answer as it comes.",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: [
    { name: "model", short: "m", value: "SERVICE/MODEL", about: "the model that is asked" },
    { name: "system", short: "s", value: "TEXT", about: "instructions" },
    {
      name: "file",
      short: "f",
      value: "FILE",
      repeats: true,
      about: "goes before the prompt: text, an image or a PDF",
    },
    { name: "thinking", value: "LEVEL", choices: thinkingLevels, about: "how much it shall think" },
    { name: "max-tokens", value: "N", about: "the most tokens of the answer" },
    ...serverOptions,
    { name: "losses", about: "list what was lost on the way" },
    { name: "record", about: "keep what was said, for rolecall show; ROLECALL_EXCHANGES names another file" },
    { name: "json", about: "print {message, losses} when the answer is there" },
  ],
  notes: [
    "The model scripted/scripted says what you said, without a network or a key.\n" +
      "Without PROMPT, or with -, standard input is read; with PROMPT, what is piped in goes before it.\n" +
      "The text of the answer goes to standard output; thoughts, calls, counts and mistakes go to standard error.\n" +
      "Exit codes: 0 done, 1 the answer failed, 2 usage is wrong or a key is missing, 70 internal error, 130 interrupted.",
  ],
};

/** Runs `rolecall chat`; the result is its exit code. */
export async function chatCommand(args: Arguments, environment: Environment): Promise<number> {
  const { system, thinking } = args.values;
  const maxTokens = args.values["max-tokens"] === undefined ? undefined : wholeNumber(args, "max-tokens", 1, 1);
  const files = (args.lists["file"] ?? []).map(attachment);
  const prompt = await promptOf(args.operands[0], environment);
  if (prompt.length === 0 && files.length === 0) throw new Mistake("nothing is asked: state a PROMPT, or pipe one in");
  const { models, model, isUnlisted } = await namedChatModel(args, environment);
  if (isUnlisted) tellUnlisted(model, environment);
  let unrecorded: unknown;
  const record = (exchange: ModelExchange): void => {
    try {
      recordTo(exchangesFile(environment.variables))(exchange);
    } catch (error) {
      // First the answer, which is there.
      unrecorded = error;
    }
  };
  const started = performance.now();
  const { message, losses } = await interruptible(async (signal) => {
    const stream = await ofModels(async () =>
      models.stream(
        model,
        {
          ...(system !== undefined && { systemPrompt: system }),
          messages: [{ role: "user", content: [...files, ...prompt] }],
        },
        {
          signal,
          ...(thinking !== undefined && { thinkingLevel: thinking as ThinkingLevel }),
          ...(maxTokens !== undefined && { maxTokens }),
          ...(args.switches.has("record") && { onExchange: record }),
        },
      ),
    );
    const isShown = !args.switches.has("json");
    return { message: isShown ? await printAnswer(stream, environment) : await stream.result(), losses: stream.losses };
  });
  if (args.switches.has("json")) writeJson({ message, losses }, environment.output);
  const exitCode = tell(message, losses, performance.now() - started, args, environment);
  if (unrecorded !== undefined) throw unrecorded;
  return exitCode;
}

/** What is asked, as parts: what is piped in, and what is stated. */
async function promptOf(stated: string | undefined, environment: Environment): Promise<readonly Part[]> {
  const typed = stated === "-" && environment.input.isTerminal;
  const piped = await pipedText(
    typed ? { ...environment, input: { ...environment.input, isTerminal: false } } : environment,
  );
  const texts = [piped, stated === "-" ? "" : (stated ?? "")].filter((text) => text.trim() !== "");
  return texts.map((text) => ({ type: "text", text }));
}
