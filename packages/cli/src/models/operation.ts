import type { AssistantMessage, Loss } from "@rolecall/core";
import type { Arguments } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { renderGroups } from "../report/render.ts";
import { paintOf } from "../terminal/paint.ts";
import { count, visible } from "../terminal/text.ts";
import { figuresLine } from "./print-answer.ts";

const INTERRUPTED = 130;

/** What is told of a call of any kind when it is over. */
export interface EndedCall extends Pick<AssistantMessage, "provider" | "model" | "responseModel" | "usage"> {
  readonly stopReason: AssistantMessage["stopReason"];
  readonly errorMessage?: string;
  readonly error?: unknown;
}

/** Runs what asks a model with a signal that an interrupt fires. */
export async function interruptible<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  try {
    return await action(interrupt.signal);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

/** What is for people: how it ended, what was lost, what it took. Gives the exit code; throws a Mistake where a key is missing. */
export function tell(
  call: EndedCall,
  losses: readonly Loss[],
  milliseconds: number,
  { values, switches }: Arguments,
  { messages }: Environment,
): number {
  const { stopReason, errorMessage, error } = call;
  if (isKeyMissing(error)) {
    const more = values["key-env"] === undefined ? ", here by --key-env NAME" : "";
    throw new Mistake(`${errorMessage}${more}`);
  }
  const paint = paintOf(messages);
  if (errorMessage !== undefined) messages.write(paint.red(`${visible(errorMessage)}\n`));
  else if (stopReason === "length")
    messages.write(paint.yellow("cut off: the answer has as many tokens as it may have\n"));
  if (switches.has("losses")) messages.write(renderGroups(losses, messages));
  else if (losses.length > 0)
    messages.write(paint.dim(`${count(losses.length, "loss", "losses")}: --losses lists them\n`));
  messages.write(paint.dim(`${figuresLine(call, milliseconds)}\n`));
  if (stopReason === "aborted") return INTERRUPTED;
  return stopReason === "error" ? exitCodes.findings : exitCodes.done;
}

/** Known before anything is sent, and so without a status. */
function isKeyMissing(error: unknown): boolean {
  const { kind, status } = (error ?? {}) as { readonly kind?: unknown; readonly status?: unknown };
  return kind === "authentication" && status === undefined;
}

/** Says that nothing is known of a model. */
export function tellUnlisted(
  { provider, id }: { readonly provider: string; readonly id: string },
  { messages }: Environment,
): void {
  const text = `${visible(`${provider}/${id}`)}: not in the catalog, so that its limits and prices are unknown\n`;
  messages.write(paintOf(messages).dim(text));
}

/** What is piped in, as text; nothing where a terminal is. */
export async function pipedText({ input }: Environment): Promise<string> {
  const chunks: Uint8Array[] = [];
  if (!input.isTerminal) for await (const chunk of input.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
