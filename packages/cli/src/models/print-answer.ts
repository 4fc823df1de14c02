import type { AssistantMessage, ToolCallPart, Usage } from "@rolecall/core";
import type { AssistantMessageStream } from "@rolecall/core/models";
import type { Environment, Output } from "../environment.ts";
import { paintOf } from "../terminal/paint.ts";
import { count, createTextCleaner, visible } from "../terminal/text.ts";

/**
 * Shows an answer while it comes: its text on the output, what the model thinks, its calls and the counts for people. No escape sequence of a model
 * reaches a terminal. Gives the whole message.
 */
export async function printAnswer(
  stream: AssistantMessageStream,
  { output, messages }: Pick<Environment, "output" | "messages">,
): Promise<AssistantMessage> {
  const paint = paintOf(messages);
  const text = createWriter(output, (piece) => piece);
  const aside = createWriter(messages, paint.dim);
  for await (const event of stream) {
    switch (event.type) {
      case "text_delta":
      case "refusal_delta":
        aside.endLine();
        text.write(event.delta);
        await output.drained();
        break;
      case "thinking_delta":
        text.endLine();
        aside.write(event.delta);
        break;
      case "toolcall_end":
        text.endLine();
        aside.endLine();
        messages.write(`${paint.cyan(visible(callLine(event.toolCall)))}\n`);
        break;
      case "part":
        text.endLine();
        aside.endLine();
        messages.write(paint.dim(`[${visible(event.part.type)}]\n`));
        break;
      case "text_end":
      case "refusal_end":
        text.endLine();
        break;
      case "thinking_end":
        aside.endLine();
        break;
    }
  }
  text.endLine();
  aside.endLine();
  return stream.result();
}

function createWriter(
  output: Output,
  paint: (piece: string) => string,
): { write(text: string): void; endLine(): void } {
  const cleaner = createTextCleaner();
  let isOpen = false;
  const show = (piece: string): void => {
    if (piece === "") return;
    output.write(paint(piece));
    isOpen = !piece.endsWith("\n");
  };
  return {
    write: (piece) => show(cleaner.push(piece)),
    endLine() {
      show(cleaner.end());
      if (isOpen) output.write("\n");
      isOpen = false;
    },
  };
}

function callLine(call: ToolCallPart): string {
  return `call ${call.name} ${call.argumentsText ?? JSON.stringify(call.arguments)}`;
}

/** The counts of a call, its cost and its time, in one line. */
export function figuresLine(
  call: Pick<AssistantMessage, "provider" | "model" | "responseModel" | "usage">,
  milliseconds: number,
): string {
  const { usage } = call;
  const asked = `${call.provider}/${call.model}`;
  const told = call.responseModel;
  return visible(
    [
      told === undefined || told === call.model ? asked : `${asked} (${told})`,
      ...countsOf(usage),
      ...costOf(usage),
      `${(milliseconds / 1000).toFixed(1)} s`,
    ].join(" · "),
  );
}

function countsOf(usage: Usage): string[] {
  const { unreported = [] } = usage;
  if (unreported.includes("input") && unreported.includes("output")) return ["no counts told"];
  const number = (tokens: number): string => tokens.toLocaleString("en-US");
  const cached = [
    ...(usage.cacheRead > 0 ? [`${number(usage.cacheRead)} read from the cache`] : []),
    ...(usage.cacheWrite > 0 ? [`${number(usage.cacheWrite)} written to it`] : []),
  ];
  const thought = usage.reasoning === undefined ? "" : ` (${number(usage.reasoning)} of thought)`;
  return [`${count(usage.input, "token")} in`, ...cached, `${number(usage.output)} out${thought}`];
}

function costOf({ cost }: Usage): string[] {
  if (cost === undefined) return [];
  const dollars = `$${cost.total.toFixed(cost.total < 0.1 ? 6 : 2)}`;
  if (cost.basis === "billed") return [`${dollars} billed`];
  return [`~${dollars}${cost.priceDate === undefined ? "" : ` by the prices of ${cost.priceDate}`}`];
}
