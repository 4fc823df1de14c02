import { parseArgs } from "node:util";
import type { ProtocolId } from "@rolecall/core";
import { ConfigError, protocolIds, readAcceptances } from "@rolecall/core";
import type { ModelMap } from "../model/map.ts";
import { readModelMap } from "../model/map.ts";
import type { GatewayOptions } from "../options.ts";
import { readJsonFile } from "./json-file.ts";

/** The options of `gateway` and `launch`. */
const options = {
  to: { type: "string" },
  protocol: { type: "string" },
  "key-env": { type: "string" },
  "pass-key": { type: "boolean" },
  profile: { type: "string" },
  map: { type: "string", multiple: true },
  "model-map": { type: "string" },
  accept: { type: "string" },
  "on-loss": { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  "client-key-env": { type: "string" },
  model: { type: "string" },
  log: { type: "string" },
  print: { type: "boolean" },
  verbose: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export const optionsHelp: string = `  --to URL               base URL of the service, as its SDK takes it; without it a scripted model answers
  --protocol ID          what the service speaks: ${protocolIds.join(", ")}
  --key-env NAME         environment variable that holds the service's key
  --pass-key             send the client's own key to the service
  --profile NAME         what is known about the service, for example ollama
  --map NAME=MODEL       ask for MODEL where the client says NAME; one * for any text; MODEL@N: at most N tokens
  --model-map FILE       the same as JSON: {"NAME": "MODEL", "NAME-*": {"model": "MODEL", "maxTokens": N}}; --map wins
  --accept FILE          losses that are known and accepted
  --on-loss report|fail  refuse requests that would lose anything not accepted
  --allow-host NAME      further name under which the gateway may be addressed
  --allow-origin ORIGIN  web page that may use the gateway
  --client-key-env NAME  environment variable that holds the key which clients must present
  --verbose              show the groups of losses of each exchange
`;

export interface CommandArguments {
  readonly gateway: GatewayOptions;
  readonly port: number;
  readonly host: string;
  readonly model?: string;
  readonly log?: string;
  readonly print: boolean;
  readonly help: boolean;
  readonly operands: readonly string[];
  /** Behind `--`. */
  readonly rest: readonly string[];
}

type Variables = { readonly [name: string]: string | undefined };

/** Reads the arguments of a command. Throws a ConfigError that names the option for each that is wrong. */
export function readCommandArguments(argv: readonly string[], env: Variables): CommandArguments {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const { values, positionals } = parse(own);
  const { to, profile, model, log } = values;
  const keyEnv = values["key-env"];
  const mapFile = values["model-map"];
  return {
    gateway: {
      env,
      ...(to !== undefined && { to }),
      ...(values.protocol !== undefined && { protocol: readProtocol(values.protocol) }),
      ...(keyEnv !== undefined && { keyEnv }),
      ...(values["pass-key"] === true && { passKey: true }),
      ...(profile !== undefined && { profile }),
      ...((values.map !== undefined || mapFile !== undefined) && { modelMap: modelMapOf(mapFile, values.map) }),
      ...(values.accept !== undefined && {
        accept: readAcceptances(readJsonFile(values.accept), values.accept),
      }),
      ...(values["on-loss"] !== undefined && { onLoss: readPolicy(values["on-loss"]) }),
      ...(values["allow-host"] !== undefined && { hosts: values["allow-host"] }),
      ...(values["allow-origin"] !== undefined && { origins: values["allow-origin"] }),
      ...(values["client-key-env"] !== undefined && { clientKeys: [readClientKey(values["client-key-env"], env)] }),
      ...(values.verbose === true && { verbose: true }),
    },
    port: readPort(values.port),
    host: values.host ?? "127.0.0.1",
    ...(model !== undefined && { model }),
    ...(log !== undefined && { log }),
    print: values.print === true,
    help: values.help === true,
    operands: positionals,
    rest: end < 0 ? [] : argv.slice(end + 1),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ConfigError("", error instanceof Error ? error.message : "arguments that cannot be read");
  }
}

function readProtocol(id: string): ProtocolId {
  const found = protocolIds.find((known) => known === id);
  if (found === undefined)
    throw new ConfigError("/protocol", `unknown protocol "${id}": use one of ${protocolIds.join(", ")}`);
  return found;
}

/** What the command line says of a name goes before what the file says. */
function modelMapOf(file: string | undefined, entries: readonly string[] = []): ModelMap {
  const stated = entries.map((entry) => {
    const [, name, model, limit] = /^([^=]+)=(.+?)(?:@(\d+))?$/.exec(entry) ?? [];
    if (name === undefined || model === undefined)
      throw new ConfigError("/modelMap", `"${entry}" is no NAME=MODEL or NAME=MODEL@TOKENS`);
    return [name, limit === undefined ? { model } : { model, maxTokens: Number(limit) }] as const;
  });
  return { ...(file !== undefined && readModelMap(readJsonFile(file), file)), ...Object.fromEntries(stated) };
}

function readPolicy(word: string): "report" | "throw" {
  if (word === "report") return word;
  if (word === "fail") return "throw";
  throw new ConfigError("/onLoss", `--on-loss is report or fail, not "${word}"`);
}

function readClientKey(name: string, env: Variables): string {
  const key = env[name];
  if (key === undefined || key === "")
    throw new ConfigError("/clientKeys", `the environment variable ${name} holds no key: set it`);
  return key;
}

/** Not one of the ports that `fetch` refuses. */
const usualPort = 4141;

function readPort(text: string | undefined): number {
  if (text === undefined) return usualPort;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) throw new ConfigError("/port", `"${text}" is no port: 0 to 65535`);
  return port;
}

/** What the options of a gateway are called on the command line. */
const flags: { readonly [option: string]: string } = {
  to: "--to",
  protocol: "--protocol",
  key: "--key-env",
  keyEnv: "--key-env",
  passKey: "--pass-key",
};

/** Does what the options of a command line say; what is wrong with them is told in the words of the command line. */
export async function withFlags<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = error.message.replace(/"(\w+)"/g, (whole, name: string) =>
      Object.hasOwn(flags, name) ? (flags[name] as string) : whole,
    );
    throw new ConfigError(error.path, message, error.file);
  }
}
