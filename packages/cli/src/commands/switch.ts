import type { ProtocolId } from "@rolecall/core";
import { isJsonObject, protocolIds } from "@rolecall/core";
import type { ModelReference } from "@rolecall/core/check";
import { previewSwitch } from "@rolecall/core/check";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import { readReference } from "../check/reference.ts";
import { errorsIn, findingLines } from "../check/render.ts";
import type { FileRequest } from "../check/requests.ts";
import { requestIn } from "../check/requests.ts";
import type { Environment } from "../environment.ts";
import { readJsonInput } from "../input/file.ts";
import { readProfile } from "../input/profile.ts";
import { blame, exitCodes, Mistake } from "../mistake.ts";
import { measure } from "../report/measure.ts";
import { renderReport } from "../report/render.ts";
import { createReport } from "../report/report.ts";
import { writeJson } from "../terminal/json.ts";

export const switchDefinition: CommandDefinition = {
  name: "switch",
  about:
    "Tells what a conversation would lose, and what would be refused, if it went on with another model. Sends nothing.",
  operands: "[FILE]",
  mostOperands: 1,
  options: [
    { name: "to", value: "MODEL", about: "a protocol, a service (anthropic, openrouter, …) or SERVICE/MODEL" },
    {
      name: "from",
      value: "P",
      choices: ["auto", ...protocolIds],
      about: "protocol of the request; detected unless stated",
    },
    {
      name: "source",
      value: "FILE|JSON",
      about: "profile of the service that it comes from; opaque state goes to nobody else",
    },
    { name: "target", value: "FILE|JSON", about: "profile of the service that it would go to" },
    { name: "json", about: "print {from, to, losses, groups, summary, findings}" },
    { name: "verbose", about: "list each loss with its place, and where each rule is known from" },
  ],
  notes: [
    "FILE holds a request with the conversation so far. Without FILE, or with -, standard input is read.\n" +
      "Exit codes: 0 it can go on, maybe with losses, 1 it would be refused, 2 usage or input is wrong, 70 internal error.",
  ],
};

/** Runs `rolecall switch`; the result is its exit code. */
export async function switchCommand(args: Arguments, environment: Environment): Promise<number> {
  const { to: given, from: stated, source, target } = args.values;
  if (given === undefined) throw new Mistake("state what it would go on with: --to SERVICE/MODEL, or --to PROTOCOL");
  const to = await readReference(given, target);
  const file = await readJsonInput(args.operands[0], environment);
  const protocol = stated === undefined || stated === "auto" ? undefined : (stated as ProtocolId);
  const request = requestIn(file, protocol, "--from");
  const from = await sourceOf(request, source);
  const { losses, groups, findings } = await blame(file.name, () => previewSwitch(request.input, from, to));
  const report = createReport(from.protocol, to.protocol, losses);
  const { output } = environment;
  if (args.switches.has("json")) {
    writeJson({ from, to, losses, groups, summary: report.summary, findings }, output);
  } else {
    const verbose = args.switches.has("verbose");
    const size = measure(request.body.value, file.size);
    output.write(renderReport({ report, size, verbose }, output));
    const lines = findingLines(findings, verbose, output);
    if (lines.length > 0) output.write(`${lines.join("\n")}\n`);
  }
  return errorsIn(findings) > 0 ? exitCodes.findings : exitCodes.done;
}

/** The model that the request asks now. */
async function sourceOf({ protocol, body }: FileRequest, source: string | undefined): Promise<ModelReference> {
  const model = body.url?.model ?? (isJsonObject(body.value) ? body.value["model"] : undefined);
  return {
    ...(typeof model === "string" && { model }),
    ...(source !== undefined && (await readProfile("--source", source, protocol))),
    protocol,
  };
}
