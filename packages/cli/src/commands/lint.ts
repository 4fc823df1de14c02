import type { Profile, ProtocolId } from "@rolecall/core";
import type { Finding } from "@rolecall/core/check";
import { lint, lintedProtocols, lintRequest, repair } from "@rolecall/core/check";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { FileFindings } from "../check/render.ts";
import { errorsIn, renderFile } from "../check/render.ts";
import type { FileRequest } from "../check/requests.ts";
import { conversationIn, requestIn } from "../check/requests.ts";
import type { Environment } from "../environment.ts";
import { printableRequest } from "../input/body.ts";
import type { JsonFile } from "../input/file.ts";
import { readJsonInput } from "../input/file.ts";
import { readProfile } from "../input/profile.ts";
import { blame, exitCodes, Mistake } from "../mistake.ts";
import { renderGroups } from "../report/render.ts";
import { writeJson } from "../terminal/json.ts";
import { count } from "../terminal/text.ts";

export const lintDefinition: CommandDefinition = {
  name: "lint",
  about: "Checks requests against the rules of their protocol: what a service would refuse, where, and how to mend it.",
  operands: "FILE…",
  options: [
    {
      name: "protocol",
      value: "P",
      choices: ["auto", ...lintedProtocols],
      about: "protocol of the requests; detected unless stated",
    },
    { name: "target", value: "FILE|JSON", about: "profile of the server; some rules depend on it" },
    {
      name: "repair",
      about: "print the request, mended as far as nothing is made up; what was mended goes to standard error",
    },
    { name: "json", about: "print the findings as JSON" },
    { name: "verbose", about: "say where each rule is known from" },
  ],
  notes: [
    "Signs: ! for an error, which the service answers with 400, · for a warning. docs/lint.md lists the rules. What depends\n" +
      "on an unknown model, version or server is no finding. With --protocol a file may also hold a decoded conversation.",
    "For - standard input is read. Exit codes: 0 no errors, 1 errors found, 2 usage or input is wrong, 70 internal error.",
  ],
};

/** Runs `rolecall lint`; the result is its exit code. */
export async function lintCommand(args: Arguments, environment: Environment): Promise<number> {
  const names = args.operands.length === 0 ? [undefined] : args.operands;
  if (names.filter((name) => name === "-").length > 1)
    throw new Mistake("standard input can be read once: name - once");
  if (args.switches.has("repair")) {
    if (names.length > 1) throw new Mistake("--repair prints one request: name one FILE");
    return repairFile(await readJsonInput(names[0], environment), args, environment);
  }
  const results: FileFindings[] = [];
  for (const name of names) results.push(await lintFile(await readJsonInput(name, environment), args));
  const { output } = environment;
  if (args.switches.has("json")) writeJson(results, output);
  else for (const result of results) output.write(renderFile(result, args.switches.has("verbose"), output));
  return exitOf(results.flatMap(({ findings }) => findings));
}

const exitOf = (findings: readonly Finding[]): number => (errorsIn(findings) > 0 ? exitCodes.findings : exitCodes.done);

async function lintFile(file: JsonFile, { values }: Arguments): Promise<FileFindings> {
  const stated = protocolOption(values["protocol"]);
  const conversation = conversationIn(file);
  if (conversation !== undefined) {
    if (stated === undefined)
      throw new Mistake(
        `${file.name}: a decoded conversation belongs to no protocol; say which it goes to with --protocol`,
      );
    const target = await profileOf(values["target"], stated);
    const findings = await blame(file.name, () => lint(conversation, { to: stated, target }));
    return { file: file.name, protocol: stated, findings };
  }
  const { protocol, input } = requestIn(file, stated, "--protocol");
  const profile = await profileOf(values["target"], protocol);
  const findings = await blame(file.name, () => lintRequest(input, { protocol, profile }));
  return { file: file.name, protocol, findings };
}

const protocolOption = (given: string | undefined): ProtocolId | undefined =>
  given === undefined || given === "auto" ? undefined : (given as ProtocolId);

async function profileOf(given: string | undefined, protocol: ProtocolId): Promise<Profile> {
  return given === undefined ? {} : readProfile("--target", given, protocol);
}

/** Prints the mended request; what was mended and what is left are for people, unless all is printed as JSON. */
async function repairFile(file: JsonFile, { values, switches }: Arguments, environment: Environment): Promise<number> {
  const request: FileRequest = requestIn(file, protocolOption(values["protocol"]), "--protocol");
  const { protocol, body, input } = request;
  const profile = await profileOf(values["target"], protocol);
  const { value, losses, findings } = await blame(file.name, () => repair(input, { protocol, profile }));
  const mended = losses.length === 0 ? body.value : printableRequest(value as Parameters<typeof printableRequest>[0]);
  const { output, messages } = environment;
  if (switches.has("json")) {
    writeJson({ value: mended, losses, findings }, output);
    return exitOf(findings);
  }
  writeJson(mended, output);
  messages.write(
    `${file.name}: ${losses.length === 0 ? "nothing mended" : `${count(losses.length, "place")} mended`}\n`,
  );
  messages.write(renderGroups(losses, messages));
  messages.write(renderFile({ file: file.name, protocol, findings }, switches.has("verbose"), messages));
  return exitOf(findings);
}
