import { LossError } from "@rolecall/core";
import type { Environment } from "../environment.ts";
import type { Line } from "../input/lines.ts";
import { linesOf } from "../input/lines.ts";
import type { StreamFile } from "../input/stream.ts";
import { Mistake, OptionMistake } from "../mistake.ts";
import { inBytes } from "../report/measure.ts";
import { createReport } from "../report/report.ts";
import type { Tally } from "../report/tally.ts";
import { createTally } from "../report/tally.ts";
import { createProgress } from "../terminal/progress.ts";
import { count, visibleJson } from "../terminal/text.ts";
import type { ConversionPlan } from "./convert-file.ts";
import { createFileConverter } from "./convert-file.ts";

export interface LinesConversion {
  readonly tally: Tally;
  /** Lines that hold nothing that can be converted. */
  readonly failed: number;
  /** Lines whose losses the policy refused. */
  readonly refused: number;
}

/**
 * Converts a file that holds a body on each line, in memory that does not grow with the file. A line that fails is named in the messages, or with
 * `json` in the output, and the next one is converted. What is wrong with the plan itself is thrown.
 */
export async function convertLines(
  file: StreamFile,
  plan: ConversionPlan,
  json: boolean,
  { output, messages, now }: Environment,
): Promise<LinesConversion> {
  const convert = createFileConverter(plan);
  const tally = createTally();
  let failed = 0;
  let refused = 0;
  const print = (value: unknown): void => {
    const text = JSON.stringify(value);
    output.write(`${output.isTerminal ? visibleJson(text) : text}\n`);
  };
  // Both would stand on the same line.
  const progress = createProgress({
    messages: { ...messages, isTerminal: messages.isTerminal && !output.isTerminal },
    now,
  });
  const fail = ({ number }: Line, error: string): void => {
    progress.end();
    if (json) print({ line: number, error });
    else messages.write(`${error}\n`);
  };
  const convertLine = async (line: Line): Promise<void> => {
    const { from, value, losses, exchange } = await convert(await line.read());
    tally.add(from, losses);
    if (!json) return print(value);
    const { groups, summary } = createReport(from, plan.to, losses);
    print({ line: line.number, value, losses, groups, summary, ...(exchange !== undefined && { exchange }) });
  };
  try {
    for await (const line of linesOf(file)) {
      tally.read(line.size);
      try {
        await convertLine(line);
      } catch (error) {
        if (error instanceof OptionMistake) throw error;
        if (error instanceof Mistake) failed++;
        else if (error instanceof LossError) refused++;
        else throw error;
        fail(
          line,
          error instanceof LossError ? `${file.name}:${line.number}: refused: ${error.message}` : error.message,
        );
      }
      await output.drained();
      progress.show(`${count(tally.lines, "line")} · ${inBytes(tally.bytes)}`);
    }
  } finally {
    progress.end();
  }
  return { tally, failed, refused };
}
