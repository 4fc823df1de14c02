import type { AssistantMessage, Part } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { AssistantMessageStream, ModelExchange, ThinkingLevel } from "@rolecall/core/models";
import { thinkingLevels } from "@rolecall/core/models";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import { wholeNumber } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { attachment } from "../models/attachments.ts";
import { exchangesFile, recordTo } from "../models/exchanges.ts";
import { namedModel, ofModels, serverOptions } from "../models/known.ts";
import { figuresLine, printAnswer } from "../models/print-answer.ts";
import { renderGroups } from "../report/render.ts";
import { writeJson } from "../terminal/json.ts";
import { paintOf } from "../terminal/paint.ts";
import { count, visible } from "../terminal/text.ts";

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

const INTERRUPTED = 130;

/** Runs `rolecall chat`; the result is its exit code. */
export async function chatCommand(args: Arguments, environment: Environment): Promise<number> {
  const { model: given, system, thinking } = args.values;
  if (given === undefined) throw new Mistake("state which model is asked: --model SERVICE/MODEL");
  const maxTokens = args.values["max-tokens"] === undefined ? undefined : wholeNumber(args, "max-tokens", 1, 1);
  const files = (args.lists["file"] ?? []).map(attachment);
  const prompt = await promptOf(args.operands[0], environment);
  if (prompt.length === 0 && files.length === 0) throw new Mistake("nothing is asked: state a PROMPT, or pipe one in");
  const { models, model, isUnlisted } = await namedModel(given, args, environment);
  const { messages, output } = environment;
  const paint = paintOf(messages);
  if (isUnlisted)
    messages.write(paint.dim(`${visible(given)}: not in the catalog, so that its limits and prices are unknown\n`));
  let unrecorded: unknown;
  const record = (exchange: ModelExchange): void => {
    try {
      recordTo(exchangesFile(environment.variables))(exchange);
    } catch (error) {
      // First the answer, which is there.
      unrecorded = error;
    }
  };
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  const started = performance.now();
  try {
    const stream = await ofModels(async () =>
      models.stream(
        model,
        {
          ...(system !== undefined && { systemPrompt: system }),
          messages: [{ role: "user", content: [...files, ...prompt] }],
        },
        {
          signal: interrupt.signal,
          ...(thinking !== undefined && { thinkingLevel: thinking as ThinkingLevel }),
          ...(maxTokens !== undefined && { maxTokens }),
          ...(args.switches.has("record") && { onExchange: record }),
        },
      ),
    );
    const isJson = args.switches.has("json");
    const message = isJson ? await stream.result() : await printAnswer(stream, environment);
    if (isJson) writeJson({ message, losses: stream.losses }, output);
    if (isKeyMissing(message)) {
      const more = args.values["key-variable"] === undefined ? ", here by --key-variable NAME" : "";
      throw new Mistake(`${message.errorMessage}${more}`);
    }
    tell(message, stream, performance.now() - started, args, environment);
    if (unrecorded !== undefined) throw unrecorded;
    return exitOf(message);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

/** What is asked, as parts: what is piped in, and what is stated. */
async function promptOf(stated: string | undefined, { input }: Environment): Promise<readonly Part[]> {
  const isAwaited = stated === undefined || stated === "-";
  const chunks: Uint8Array[] = [];
  if (isAwaited && input.isTerminal && stated === undefined) return [];
  if (isAwaited || !input.isTerminal) for await (const chunk of input.chunks()) chunks.push(chunk);
  const piped = Buffer.concat(chunks).toString("utf8");
  const texts = [piped, isAwaited ? "" : stated].filter((text) => text.trim() !== "");
  return texts.map((text) => ({ type: "text", text }));
}

/** What is for people: how it ended, what was lost, what it took. */
function tell(
  message: AssistantMessage,
  { losses }: AssistantMessageStream,
  milliseconds: number,
  { switches }: Arguments,
  { messages }: Environment,
): void {
  const paint = paintOf(messages);
  if (message.errorMessage !== undefined) messages.write(paint.red(`${visible(message.errorMessage)}\n`));
  else if (message.stopReason === "length")
    messages.write(paint.yellow("cut off: the answer has as many tokens as it may have\n"));
  if (switches.has("losses")) messages.write(renderGroups(losses, messages));
  else if (losses.length > 0)
    messages.write(paint.dim(`${count(losses.length, "loss", "losses")}: --losses lists them\n`));
  messages.write(paint.dim(`${figuresLine(message, milliseconds)}\n`));
}

/** Known before anything is sent, and so without a status. */
function isKeyMissing({ error }: AssistantMessage): boolean {
  return isJsonObject(error) && error["kind"] === "authentication" && error["status"] === undefined;
}

function exitOf({ stopReason }: AssistantMessage): number {
  if (stopReason === "aborted") return INTERRUPTED;
  return stopReason === "error" ? exitCodes.findings : exitCodes.done;
}
