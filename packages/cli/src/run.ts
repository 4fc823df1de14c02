import { nearest } from "@rolecall/core";
import type { Arguments, CommandDefinition } from "./arguments.ts";
import { helpOf, readArguments } from "./arguments.ts";
import { auditCommand, auditDefinition } from "./commands/audit.ts";
import { chatCommand, chatDefinition } from "./commands/chat.ts";
import { classifyCommand, classifyDefinition } from "./commands/classify.ts";
import { convertCommand, convertDefinition } from "./commands/convert.ts";
import { doctorCommand, doctorDefinition } from "./commands/doctor.ts";
import { explainCommand, explainDefinition } from "./commands/explain.ts";
import { gatewayCommand } from "./commands/gateway.ts";
import { imageCommand, imageDefinition } from "./commands/image.ts";
import { lintCommand, lintDefinition } from "./commands/lint.ts";
import { modelsCommand, modelsDefinition } from "./commands/models.ts";
import { probeCommand, probeDefinition } from "./commands/probe.ts";
import { showCommand, showDefinition } from "./commands/show.ts";
import { switchCommand, switchDefinition } from "./commands/switch.ts";
import type { Environment } from "./environment.ts";
import { exitCodes, Mistake } from "./mistake.ts";
import { visibleJson } from "./terminal/text.ts";
import { version } from "./version.ts";

interface Command {
  readonly name: string;
  readonly about: string;
  /** Runs the command with what stands behind its name. */
  readonly execute: (args: readonly string[], environment: Environment) => Promise<number>;
}

const commands: readonly Command[] = [
  own(convertDefinition, convertCommand),
  own(explainDefinition, explainCommand),
  own(auditDefinition, auditCommand),
  own(lintDefinition, lintCommand),
  own(switchDefinition, switchCommand),
  own(modelsDefinition, modelsCommand),
  own(chatDefinition, chatCommand),
  own(classifyDefinition, classifyCommand),
  own(imageDefinition, imageCommand),
  own(showDefinition, showCommand),
  own(probeDefinition, probeCommand),
  own(doctorDefinition, doctorCommand),
  {
    name: "gateway",
    about: "Puts clients of one protocol in front of a service of another, with a line for each exchange.",
    execute: (args, environment) => gatewayCommand("runGateway", args, environment),
  },
  {
    name: "launch",
    about: "Starts a client, such as claude or opencode, that asks a gateway of its own.",
    execute: (args, environment) => gatewayCommand("runLaunch", args, environment),
  },
];

/** A command whose arguments are read here. */
function own(
  definition: CommandDefinition,
  execute: (args: Arguments, environment: Environment) => Promise<number>,
): Command {
  return {
    name: definition.name,
    about: definition.about,
    execute: async (args, environment) => {
      const read = readArguments(definition, args);
      if (!read.switches.has("help")) return execute(read, environment);
      environment.output.write(helpOf(definition));
      return exitCodes.done;
    },
  };
}

function usage(): string {
  const lines = commands.map(({ name, about }) => `  ${name.padEnd(9)}${about}`);
  return `Usage: rolecall COMMAND [options]

Converts LLM conversations between protocols, and shows each loss.

Commands:
${lines.join("\n")}

Options:
  -h, --help     show this text, or with a command its options
  -v, --version  show the version

Exit codes: 0 done, 1 findings, 2 input or usage is wrong, 3 refused by policy,
70 internal error, please report it.
`;
}

/** Runs the command line; the result is the exit code. Mistakes become one line, errors of our own a stack. */
export async function run(args: readonly string[], environment: Environment): Promise<number> {
  const [name, ...rest] = args;
  const command = commands.find((known) => known.name === name);
  const speaker = command === undefined ? "rolecall" : `rolecall ${command.name}`;
  try {
    if (command !== undefined) return await command.execute(rest, environment);
    return top(name, environment);
  } catch (error) {
    if (error instanceof Mistake) {
      environment.messages.write(`${speaker}: ${error.message}\n`);
      return error.exitCode;
    }
    const stack = error instanceof Error ? error.stack : String(error);
    environment.messages.write(`${speaker}: internal error, please report it\n${visibleJson(stack ?? "")}\n`);
    return exitCodes.internal;
  }
}

function top(argument: string | undefined, { output }: Environment): number {
  if (argument === undefined || argument === "-h" || argument === "--help" || argument === "help")
    output.write(usage());
  else if (argument === "-v" || argument === "--version") output.write(`${version()}\n`);
  else {
    const names = commands.map((command) => command.name);
    const [meant] = nearest(argument, names);
    const kind = argument.startsWith("-") ? "option" : "command";
    const hint = meant === undefined ? `use ${names.join(", ")} or --help` : `did you mean "${meant}"?`;
    throw new Mistake(`unknown ${kind} "${argument}": ${hint}`);
  }
  return exitCodes.done;
}
