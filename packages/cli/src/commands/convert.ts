import type { Acceptance, ProtocolId } from "@rolecall/core";
import { LossError, protocolIds, readAcceptances } from "@rolecall/core";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { ConversionPlan, FileConversion, Kind } from "../convert/convert-file.ts";
import { createFileConverter } from "../convert/convert-file.ts";
import { convertLines } from "../convert/convert-lines.ts";
import type { StreamConversion } from "../convert/convert-stream.ts";
import { convertStreamFile } from "../convert/convert-stream.ts";
import { previousLosses } from "../convert/previous.ts";
import type { Environment } from "../environment.ts";
import { readJsonFile, readJsonInput, writeJsonFile } from "../input/file.ts";
import { refuseOverwriting } from "../input/overwrite.ts";
import { openStream } from "../input/stream.ts";
import { blame, exitCodes, Mistake } from "../mistake.ts";
import { inBytes, measure } from "../report/measure.ts";
import { renderGroups, renderReport, renderTally } from "../report/render.ts";
import type { LossReport, News } from "../report/report.ts";
import { createReport, newsSince } from "../report/report.ts";
import { writeJson } from "../terminal/json.ts";
import { count, visibleJson } from "../terminal/text.ts";

export const convertDefinition: CommandDefinition = {
  name: "convert",
  about:
    "Converts a request, a response, a stream or an error from one protocol to another. The result goes to standard output.",
  operands: "[FILE]",
  mostOperands: 1,
  options: [
    {
      name: "from",
      value: "P",
      choices: ["auto", ...protocolIds],
      about: "protocol of the input; detected unless stated",
    },
    { name: "to", value: "Q", choices: protocolIds, about: "protocol of the result" },
    {
      name: "kind",
      value: "K",
      choices: ["request", "response", "stream", "error"],
      about:
        "request, response, stream (server-sent events) or error ({status, headers, body}); the last two have to be stated",
    },
    { name: "source", value: "FILE|JSON", about: "profile of the sender" },
    { name: "target", value: "FILE|JSON", about: "profile of the receiver; losses depend on it" },
    { name: "exchange", value: "FILE", about: "for a response or stream: what --json printed for its request" },
    { name: "on-loss", value: "WHAT", choices: ["report", "fail"], about: "fail: refuse what is not accepted, exit 3" },
    { name: "accept", value: "FILE", about: "list of losses that are accepted, each with a reason" },
    { name: "report", value: "FILE", about: "write the losses there as JSON" },
    { name: "previous", value: "FILE", about: "earlier report or body of this conversation: show only what is new" },
    {
      name: "jsonl",
      about: "one body on each line, one result on each line; a line that fails is reported, the rest goes on",
    },
    { name: "json", about: "print {value, losses, groups, summary, exchange}, and nothing for people" },
    { name: "verbose", about: "list each loss with its place, also where no terminal reads along" },
    { name: "time", about: "begin the report with the time" },
  ],
  notes: [
    `Protocols: ${protocolIds.join(", ")}.`,
    "Without FILE, or with -, standard input is read. A file may also hold a request as it goes over HTTP,\n" +
      "{method, path, headers, body}. With --jsonl and --json each result has its line, {line, value, losses, …}\n" +
      "or {line, error}. A stream that was cut, or tells of a failure, is converted with its end; --json adds\n" +
      "{failure}, and the exit code is 2. Exit codes: 0 done, 2 input or usage is wrong, 3 refused by policy,\n" +
      "70 internal error.",
  ],
};

/** Runs `rolecall convert`; the result is its exit code. */
export async function convertCommand(args: Arguments, environment: Environment): Promise<number> {
  checkReportFile(args);
  const plan = await planOf(args);
  if (args.switches.has("jsonl")) return linesCommand(plan, args, environment);
  if (args.values["kind"] === "stream") return streamCommand(plan, args, environment);
  const file = await readJsonInput(args.operands[0], environment);
  let conversion: FileConversion;
  try {
    conversion = await createFileConverter(plan)(file);
  } catch (error) {
    if (error instanceof LossError) return refuse(error, args, environment);
    throw error;
  }
  const report = createReport(conversion.from, plan.to, conversion.losses);
  const news = await newsOf(report, plan, args);
  saveReport(report, args);
  if (args.switches.has("json")) writeJson(answerOf(conversion, report, news), environment.output);
  else {
    writeJson(conversion.value, environment.output);
    showReport(measure(conversion.body, file.size), report, news, args, environment);
  }
  return exitCodes.done;
}

/** Each line is converted and printed before the next one is read. */
async function linesCommand(plan: ConversionPlan, args: Arguments, environment: Environment): Promise<number> {
  for (const name of ["previous", "report"]) {
    if (args.values[name] !== undefined)
      throw new Mistake(`--${name} is about one body; with --jsonl, --json tells the losses of each line`);
  }
  if (args.values["kind"] === "stream") throw new Mistake("a stream has many lines; leave out --jsonl");
  const file = openStream(args.operands[0], environment);
  const { tally, failed, refused } = await convertLines(file, plan, args.switches.has("json"), environment);
  const { messages } = environment;
  if (messages.isTerminal) messages.write(renderTally(tally, plan.to, messages));
  if (tally.lines === 0) throw new Mistake(`${file.name}: empty; name a FILE or pipe bodies in, one on each line`);
  if (failed > 0)
    throw new Mistake(`${count(failed, "line")} of ${tally.lines.toLocaleString("en-US")} could not be converted`);
  if (refused === 0) return exitCodes.done;
  const what = `refused: ${count(refused, "line")} of ${tally.lines.toLocaleString("en-US")}`;
  throw new Mistake(`${what}; accept losses with --accept FILE, or leave out --on-loss fail`, exitCodes.refused);
}

/** A stream is printed while it is read, so that what a policy refuses in its middle ends it there. */
async function streamCommand(plan: ConversionPlan, args: Arguments, environment: Environment): Promise<number> {
  if (args.values["previous"] !== undefined) {
    throw new Mistake("--previous compares requests of a conversation; a stream has none before it");
  }
  const file = openStream(args.operands[0], environment);
  const json = args.switches.has("json");
  const pieces: string[] = [];
  const { output } = environment;
  // What a model says must not steer a terminal; a file or a program gets it as it is.
  const show = (text: string): Promise<void> => {
    output.write(output.isTerminal ? visibleJson(text) : text);
    return output.drained();
  };
  const write = json ? (text: string) => pieces.push(text) : show;
  let conversion: StreamConversion;
  try {
    conversion = await convertStreamFile(file, plan, write);
  } catch (error) {
    if (error instanceof LossError) return refuse(error, args, environment);
    throw error;
  }
  const report = createReport(conversion.from, plan.to, conversion.losses);
  saveReport(report, args);
  const { losses, groups, summary } = report;
  const { failure } = conversion;
  const told = failure !== undefined && { failure };
  if (json) writeJson({ value: pieces.join(""), losses, groups, summary, ...told }, environment.output);
  else showReport(inBytes(conversion.size), report, undefined, args, environment);
  if (failure === undefined) return exitCodes.done;
  throw new Mistake(`${file.name}: the stream failed, and so does the result: ${failure.message}`);
}

function checkReportFile({ operands, values }: Arguments): void {
  const { report, accept, exchange, source, target, previous } = values;
  const [file = "-"] = operands;
  const inputs = [file === "-" ? "/dev/stdin" : file, accept, exchange, source, target, previous];
  if (report !== undefined) refuseOverwriting("report", report, inputs);
}

function saveReport(report: LossReport, { values }: Arguments): void {
  if (values["report"] !== undefined) writeJsonFile(values["report"], report);
}

async function planOf({ values }: Arguments): Promise<ConversionPlan> {
  const { from = "auto", to, kind, source, target, exchange, accept } = values;
  if (to === undefined) throw new Mistake(`state the protocol of the result: --to ${protocolIds.join(" or --to ")}`);
  return {
    ...(from !== "auto" && { from: from as ProtocolId }),
    to: to as ProtocolId,
    ...(kind !== undefined && kind !== "stream" && { kind: kind as Kind }),
    ...(source !== undefined && { source }),
    ...(target !== undefined && { target }),
    ...(exchange !== undefined && { exchange }),
    onLoss: values["on-loss"] === "fail" ? "throw" : "report",
    accept: accept === undefined ? [] : await acceptancesIn(accept),
  };
}

async function acceptancesIn(file: string): Promise<readonly Acceptance[]> {
  const { value } = await readJsonFile(file);
  return blame(file, () => readAcceptances(value, file));
}

async function newsOf(report: LossReport, plan: ConversionPlan, { values }: Arguments): Promise<News | undefined> {
  if (values["previous"] === undefined) return undefined;
  // What was refused then is known now; a profile of the answer's exchange has no part in an earlier request.
  const again = createFileConverter({ ...plan, from: report.from, onLoss: "report" });
  return newsSince(report, await previousLosses(values["previous"], report.from, report.to, again));
}

function answerOf({ value, exchange }: FileConversion, report: LossReport, news: News | undefined): object {
  const { losses, groups, summary } = report;
  return {
    value,
    losses,
    groups,
    summary,
    ...(exchange !== undefined && { exchange }),
    ...(news !== undefined && { new: newsJson(news) }),
  };
}

function newsJson({ report: { losses, groups, summary }, repeated }: News): object {
  return { losses, groups, summary, repeated };
}

function showReport(
  size: string,
  report: LossReport,
  news: News | undefined,
  { switches }: Arguments,
  { messages, now }: Environment,
): void {
  const verbose = switches.has("verbose");
  if (!messages.isTerminal && !verbose) return;
  const view = {
    report,
    ...(news !== undefined && { news }),
    size,
    ...(switches.has("time") && { time: now() }),
    verbose,
  };
  messages.write(renderReport(view, messages));
}

/** The policy refused: nothing is printed as a result, the refused groups always are. */
function refuse({ losses }: LossError, args: Arguments, environment: Environment): number {
  const [first] = losses;
  if (first === undefined) throw new Mistake("refused by the policy", exitCodes.refused);
  const report = createReport(first.from, first.to, losses);
  saveReport(report, args);
  if (args.switches.has("json")) writeJson({ refused: true, ...report }, environment.output);
  else environment.messages.write(renderGroups(losses, environment.messages));
  const what = `${count(report.summary.total, "loss", "losses")} in ${count(report.summary.groups, "group")}`;
  throw new Mistake(
    `refused: ${what} of ${first.from} → ${first.to}; accept them with --accept FILE, or leave out --on-loss fail`,
    exitCodes.refused,
  );
}
