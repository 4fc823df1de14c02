import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Recipe } from "../../src/command/index.ts";
import { recipeFor } from "../../src/command/index.ts";
import { start } from "../start.ts";
import { readsFile } from "./upstream.ts";

const programs = fileURLToPath(new URL("./node_modules/.bin", import.meta.url));
const model = "some-model";

/** A client with the protocol that it shall speak: as its recipe says, or as it is set up for the other one. */
interface Agent {
  readonly name: string;
  readonly protocol: "openai-chat" | "anthropic-messages";
  readonly recipe: (url: string) => Recipe;
  readonly args: (prompt: string) => readonly string[];
}

const pi = (url: string): Recipe => recipeFor("pi", url, { model });
const qwen = (url: string): Recipe => recipeFor("qwen", url, { model });
const agents: readonly Agent[] = [
  {
    name: "pi 0.73.1",
    protocol: "anthropic-messages",
    recipe: pi,
    args: (prompt) => ["--thinking", "low", "-p", prompt],
  },
  {
    name: "pi 0.73.1",
    protocol: "openai-chat",
    recipe: (url) => {
      const { files, ...recipe } = pi(url);
      const models = files["models.json"]!.replace(url, `${url}/v1`).replace(
        "anthropic-messages",
        "openai-completions",
      );
      return { ...recipe, files: { "models.json": models } };
    },
    args: (prompt) => ["--thinking", "low", "-p", prompt],
  },
  {
    name: "qwen-code 0.15.10",
    protocol: "openai-chat",
    recipe: qwen,
    args: (prompt) => ["-y", "-p", prompt],
  },
  {
    name: "qwen-code 0.15.10",
    protocol: "anthropic-messages",
    recipe: (url) => ({
      ...qwen(url),
      args: ["--auth-type", "anthropic"],
      env: { ANTHROPIC_API_KEY: "x", ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: model },
    }),
    args: (prompt) => ["-y", "-p", prompt],
  },
];

/** Runs an agent in a folder with one file, and with nothing of this machine's settings. */
async function run({ recipe, args }: Agent, url: string, folder: string) {
  const { command, args: own, env, files } = recipe(url);
  const settings = join(folder, "settings");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(settings, path)), { recursive: true });
    writeFileSync(join(settings, path), text);
  }
  const variables = Object.entries(env).map(([name, value]) => [name, value?.replaceAll("{directory}", settings)]);
  const child = spawn(join(programs, command), [...own, ...args("Read notes.txt and say what is in it.")], {
    cwd: join(folder, "work"),
    env: {
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      HOME: join(folder, "home"),
      PI_OFFLINE: "1",
      ...Object.fromEntries(variables),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (piece) => (text += piece));
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, text };
}

function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rolecall-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["work", "home", "settings"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "work/notes.txt"), "The secret is word-pangolin.\n");
  return folder;
}

const other = { "openai-chat": "anthropic-messages", "anthropic-messages": "openai-chat" } as const;

describe.each(agents)("$name, which speaks $protocol", (agent) => {
  test(`reads a file by way of a service of ${other[agent.protocol]}`, { timeout: 180_000 }, async () => {
    const folder = workFolder();
    const answer = readsFile(join(folder, "work/notes.txt"));
    const { url, service, records, lines } = await start({ protocol: other[agent.protocol], answer });
    const { code, text } = await run(agent, url, folder);
    console.log(`${text.trim()}\n${lines.join("\n")}`);
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining("It says word-pangolin.") });
    expect(service.received.length).toBeGreaterThanOrEqual(2);
    expect(service.received.at(-1)!.text).toContain("The secret is word-pangolin.");
    expect(records.map(({ from, to, outcome }) => [from, to, outcome])).toEqual(
      records.map(() => [agent.protocol, other[agent.protocol], "complete"]),
    );
  });
});
