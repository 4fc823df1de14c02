// Converts the request of a coding agent to Chat Completions and shows the report as a terminal shows it, also where the
// output is no terminal.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "./run.mjs";

const args = ["convert", "--to", "openai-chat", "fixtures/demo/claude-code-like.json"];
const built = join(repository, "packages/cli/dist");
const { run } = await import(pathToFileURL(join(built, "run.js")).href);
const { supportsColor } = await import(pathToFileURL(join(built, "environment.js")).href);

const isTerminal = process.stdout.isTTY === true;
const terminal = {
  isTerminal: true,
  columns: isTerminal ? process.stdout.columns : 110,
  supportsColor: supportsColor(isTerminal, process.env),
  /** @param {string} text */
  write: (text) => process.stdout.write(text),
};
let result = "";
const environment = {
  input: { isTerminal: true, chunks: async function* () {} },
  output: {
    ...terminal,
    isTerminal: false,
    /** @param {string} text */
    write: (text) => {
      result += text;
    },
  },
  messages: terminal,
  variables: process.env,
  now: () => new Date(),
};

process.chdir(repository);
console.log(`$ rolecall ${args.join(" ")} > converted.json\n`);
process.exitCode = await run(args, environment);
console.log(`\nconverted.json: ${result.length.toLocaleString("en-US")} characters`);
