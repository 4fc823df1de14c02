import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { ModelExchange } from "@rolecall/core/models";
import { createRecorder, readExchanges } from "@rolecall/core/models";
import type { Environment } from "../environment.ts";
import { mistaken } from "../input/file.ts";
import { blame, Mistake } from "../mistake.ts";

type Variables = Environment["variables"];

/** Where exchanges are recorded that name no other file: a folder of the user's own, and never the one where a command runs. */
export function exchangesFile(variables: Variables): string {
  const stated = variables["ROLECALL_EXCHANGES"];
  if (stated !== undefined && stated !== "") return stated;
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = variables;
  const folder =
    process.platform === "win32" && local !== undefined
      ? local
      : state !== undefined && state !== ""
        ? state
        : join(homedir(), ".local", "state");
  return join(folder, "rolecall", "exchanges.jsonl");
}

/** Writes exchanges to the end of a file that only its owner may read. */
export function recordTo(file: string): (exchange: ModelExchange) => void {
  return createRecorder((line) => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, line, { mode: 0o600 });
    } catch (error) {
      throw mistaken("write", file, error);
    }
  });
}

/** The exchange that a word names: `last`, the beginning of an id, or a file, of which it is the last one. Throws a Mistake where there is none. */
export async function namedExchange(word: string, variables: Variables): Promise<ModelExchange> {
  const known = word === "last" ? undefined : await readFrom(word);
  if (known !== undefined) return lastOf(known, word);
  const file = exchangesFile(variables);
  const recorded = (await readFrom(file)) ?? [];
  if (word === "last") return lastOf(recorded, file);
  const found = recorded.filter(({ id }) => id.startsWith(word));
  const [exchange] = found;
  if (exchange === undefined) throw new Mistake(`"${word}" is no file, and no exchange in ${file} has such an id`);
  if (found.length > 1) throw new Mistake(`"${word}" begins the ids of ${found.length} exchanges: state more of it`);
  return exchange;
}

function lastOf(exchanges: readonly ModelExchange[], file: string): ModelExchange {
  const last = exchanges.at(-1);
  if (last === undefined)
    throw new Mistake(`${file} holds no exchange: record one with rolecall chat --record, or with createRecorder`);
  return last;
}

async function readFrom(file: string): Promise<readonly ModelExchange[] | undefined> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw mistaken("read", file, error);
  }
  return blame(file, () => readExchanges(text));
}
