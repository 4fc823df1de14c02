import type { Gateway, Listening } from "../gateway.ts";
import { createGateway } from "../gateway.ts";
import { optionsHelp, readCommandArguments } from "./arguments.ts";

/** What a command knows of the world. */
export interface CommandEnvironment {
  /** Writes text that a person reads. */
  readonly write: (text: string) => void;
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
  const { gateway: options, port, host, help } = readCommandArguments(argv, environment.env);
  if (help) {
    environment.write(usage);
    return 0;
  }
  const gateway = await createGateway({ ...options, log: (line) => environment.write(`${line}\n`) });
  const listening = await listen(gateway, port, host);
  environment.write(greeting(listening, options));
  await ended(environment.signal);
  await gateway.close();
  return 0;
}

async function listen(gateway: Gateway, port: number, host: string): Promise<Listening> {
  try {
    return await gateway.listen(port, host);
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

function greeting(
  { url, host }: Listening,
  options: { readonly to?: string; readonly clientKeys?: readonly string[] },
) {
  const loopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  return [
    `rolecall listens on ${url}, ${options.to === undefined ? "and answers by script: no language model is asked" : `and asks ${options.to}`}`,
    `  OPENAI_BASE_URL=${url}/v1`,
    `  ANTHROPIC_BASE_URL=${url}`,
    `  reports: ${url}/rolecall/reports`,
    ...(loopback || options.clientKeys !== undefined
      ? []
      : ["  ! others can reach it, and use the service's key: demand a key with --client-key-env"]),
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
