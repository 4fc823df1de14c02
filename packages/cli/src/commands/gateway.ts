import { ConfigError } from "@rolecall/core";
import type { CommandEnvironment } from "@rolecall/gateway/command";
import type { Environment } from "../environment.ts";
import { fileReason } from "../input/file.ts";
import { Mistake, withPlace } from "../mistake.ts";

/** The commands that the gateway package brings. It reads their arguments, and is loaded for them alone. */
type GatewayCommand = "runGateway" | "runLaunch";

const listening: { readonly [code: string]: string } = {
  EADDRINUSE: "the port is in use; state another with --port, or 0 for any",
  EADDRNOTAVAIL: "this machine has no such address; see --host",
  EACCES: "this port needs more rights; state another with --port",
  ENOTFOUND: "no such host; see --host",
};

/** Runs a command of the gateway package; the result is its exit code. */
export async function gatewayCommand(
  name: GatewayCommand,
  args: readonly string[],
  { output, messages, variables }: Environment,
): Promise<number> {
  const gateway = await import("@rolecall/gateway/command");
  const environment: CommandEnvironment = { write: output.write, writeBeside: messages.write, env: variables };
  try {
    return await gateway[name](args, environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new Mistake(inFile(error));
    throw failedToListen(error) ?? error;
  }
}

/** An option is named by its message; in a file the place has to be told. */
function inFile({ file, message, path }: ConfigError): string {
  if (file === undefined || message.includes(file)) return message;
  return `${file}: ${withPlace(message, path)}`;
}

function failedToListen(error: unknown): Mistake | undefined {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || (syscall !== "listen" && syscall !== "getaddrinfo")) return undefined;
  return new Mistake(`cannot listen: ${listening[code ?? ""] ?? fileReason(error) ?? message}`);
}
