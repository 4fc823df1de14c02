import { ConfigError } from "@rolecall/core";
import type { Gateway, Listening } from "../gateway.ts";
import { createGateway } from "../gateway.ts";
import { isWildcard } from "../http/guard.ts";
import type { GatewayOptions } from "../options.ts";
import { optionsHelp, readCommandArguments, withFlags } from "./arguments.ts";

/** What a command knows of the world. */
export interface CommandEnvironment {
  /** Writes text that a person reads. */
  readonly write: (text: string) => void;
  /** Writes what is said beside the output of a client, which has the standard output for itself; where absent, `write` does. */
  readonly writeBeside?: (text: string) => void;
  readonly env: { readonly [name: string]: string | undefined };
  /** Ends the command; without it, interrupt and termination of the process do. */
  readonly signal?: AbortSignal;
}

const usage = `Usage: rolecall gateway [options]

Listens for clients of any protocol, and answers by way of one service.

Options:
${optionsHelp}  --port N               4141 unless stated; 0 for any
  --host NAME            127.0.0.1 unless stated
`;

/** Runs `rolecall gateway` until it is told to end; the result is the exit code. Throws a ConfigError for wrong arguments. */
export async function runGateway(argv: readonly string[], environment: CommandEnvironment): Promise<number> {
  const { gateway: options, port, host, help, operands, rest } = readCommandArguments(argv, environment.env);
  if (help) {
    environment.write(usage);
    return 0;
  }
  refuseOperands([...operands, ...rest]);
  const gateway = await withFlags(() => createGateway({ ...options, log: (line) => environment.write(`${line}\n`) }));
  const listening = await listen(gateway, port, host);
  environment.write(greeting(listening, options));
  await ended(environment.signal);
  await gateway.close();
  return 0;
}

/** A service that was meant must not be answered for by the scripted model. */
function refuseOperands([operand]: readonly string[]): void {
  if (operand === undefined) return;
  const meant = operand.includes("/") || operand.includes(".") ? `: did you mean --to ${operand}?` : "";
  throw new ConfigError("", `"rolecall gateway" takes options alone, not "${operand}"${meant}`);
}

async function listen(gateway: Gateway, port: number, host: string): Promise<Listening> {
  try {
    return await gateway.listen(port, host);
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

function greeting({ url, host }: Listening, options: GatewayOptions) {
  const loopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  const isReached = !loopback && options.keyEnv !== undefined && options.clientKeys === undefined;
  return [
    `rolecall listens on ${url}, ${options.to === undefined ? "and answers by script: no language model is asked" : `and asks ${options.to}`}`,
    `  OPENAI_BASE_URL=${url}/v1`,
    `  ANTHROPIC_BASE_URL=${url}`,
    `  GOOGLE_GEMINI_BASE_URL=${url}`,
    `  reports: ${url}/rolecall/reports`,
    ...(isWildcard(host) ? ["  under other names and addresses it answers where --allow-host states them"] : []),
    ...(isReached ? ["  ! others can reach it, and use the service's key: demand a key with --client-key-env"] : []),
    "",
  ].join("\n");
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal !== undefined) {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
      return;
    }
    const stop = () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}
