import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { Check } from "../doctor/checks.ts";
import { liveChecks, localChecks } from "../doctor/checks.ts";
import type { Environment } from "../environment.ts";
import { exitCodes } from "../mistake.ts";
import { knownProviders, serverOptions } from "../models/known.ts";
import { writeJson } from "../terminal/json.ts";
import { paintOf } from "../terminal/paint.ts";
import { pad, visible } from "../terminal/text.ts";

export const doctorDefinition: CommandDefinition = {
  name: "doctor",
  about:
    "Checks what stands between this machine and its models: versions, keys, proxy, certificates; with --live the services.",
  operands: "",
  mostOperands: 0,
  options: [
    {
      name: "live",
      about: "ask each service that there is a key for, and those on this machine, which models they have",
    },
    { name: "provider", value: "P", about: "one service alone" },
    ...serverOptions,
    { name: "json", about: "print the checks as JSON" },
  ],
  notes: ["No key is shown. Exit codes: 0 all is well, 1 something is wrong, 2 usage is wrong, 70 internal error."],
};

/** Runs `rolecall doctor`; the result is its exit code. */
export async function doctorCommand(args: Arguments, environment: Environment): Promise<number> {
  const { output } = environment;
  const paint = paintOf(output);
  const providers = await knownProviders(args, environment);
  const isJson = args.switches.has("json");
  const checks: Check[] = [];
  const note = (check: Check): void => {
    checks.push(check);
    if (isJson) return;
    const sign = { well: paint.green("ok "), wrong: paint.red("bad"), open: paint.dim("-  ") }[check.state];
    output.write(`${sign}  ${pad(visible(check.name), 16)}  ${visible(check.message)}\n`);
  };
  for (const check of await localChecks(providers, environment)) note(check);
  if (args.switches.has("live")) for await (const check of liveChecks(providers, environment)) note(check);
  if (isJson) writeJson(checks, output);
  return checks.some(({ state }) => state === "wrong") ? exitCodes.findings : exitCodes.done;
}
