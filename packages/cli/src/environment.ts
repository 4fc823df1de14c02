import { once } from "node:events";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  /** Infinite where no terminal reads along: nothing is shortened then. */
  readonly columns: number;
  readonly supportsColor: boolean;
  write(text: string): void;
  /** Waits until the reader has taken so much of what was written that more can follow: whoever writes much asks between. */
  drained(): Promise<void>;
}

/** What a command knows of the world besides the files that it is given. */
export interface Environment {
  readonly input: { readonly isTerminal: boolean; chunks(): AsyncIterable<Uint8Array> };
  /** Results. */
  readonly output: Output;
  /** What is for people: reports, progress, mistakes. */
  readonly messages: Output;
  /** The environment variables of the process. */
  readonly variables: Variables;
  now(): Date;
}

type Variables = { readonly [name: string]: string | undefined };

/** Whether to write colour: `FORCE_COLOR` decides first, then `NO_COLOR`, then whether a terminal reads along. */
export function supportsColor(isTerminal: boolean, variables: Variables): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = variables;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (no !== undefined && no !== "") return false;
  return isTerminal && terminal !== "dumb";
}

function outputOf(stream: NodeJS.WriteStream, variables: Variables): Output {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get columns(): number {
      if (!isTerminal) return Number.POSITIVE_INFINITY;
      return stream.columns > 0 ? stream.columns : 80;
    },
    supportsColor: supportsColor(isTerminal, variables),
    write: (text) => {
      stream.write(text);
    },
    drained: async () => {
      if (stream.writableNeedDrain) await once(stream, "drain");
    },
  };
}

/** The environment of a running process. */
export function processEnvironment(process: NodeJS.Process): Environment {
  const { stdin, stdout, stderr, env } = process;
  return {
    input: {
      isTerminal: stdin.isTTY === true,
      chunks: () => stdin,
    },
    output: outputOf(stdout, env),
    messages: outputOf(stderr, env),
    variables: env,
    now: () => new Date(),
  };
}
