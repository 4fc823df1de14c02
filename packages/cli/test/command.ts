import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { Environment } from "../src/environment.ts";
import { run } from "../src/run.ts";

/** The command as it is installed; it runs what is built. */
export const main = fileURLToPath(new URL("../bin/rolecall.js", import.meta.url));
export const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** That of the process, but for what its user has set up for models. */
export const ownEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  ROLECALL_CONFIG_DIR: join(tmpdir(), "rolecall-no-such-folder"),
};

export interface SpawnInput {
  readonly stdin?: string | Uint8Array;
  readonly env?: Record<string, string>;
}

/** Runs the built command to its end, with pipes for all three streams. */
export function rolecall(args: readonly string[], { stdin, env }: SpawnInput = {}) {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...variables } = ownEnvironment;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    input: stdin ?? "",
    env: { ...variables, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, signal, stdout, stderr };
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly color?: boolean;
  readonly stdin?: string;
}

/** Runs the command in this process with terminals for its output. */
export async function atTerminal(
  args: readonly string[],
  { columns = 100, color = false, stdin }: TerminalOptions = {},
) {
  const texts = { output: "", messages: "" };
  const terminal = (name: "output" | "messages") => ({
    isTerminal: true,
    columns,
    supportsColor: color,
    write: (text: string) => {
      texts[name] += text;
    },
    drained: async () => {},
  });
  const environment: Environment = {
    input: {
      isTerminal: stdin === undefined,
      chunks: async function* () {
        yield new TextEncoder().encode(stdin ?? "");
      },
    },
    output: terminal("output"),
    messages: terminal("messages"),
    variables: { ...ownEnvironment, ...process.env, ROLECALL_CONFIG_DIR: ownEnvironment.ROLECALL_CONFIG_DIR },
    now: () => new Date(2026, 10, 2, 14, 2, 11),
  };
  const status = await run(args, environment);
  return { status, stdout: texts.output, stderr: texts.messages };
}

/** A folder that is gone after the tests of the file; `write` puts a file into it and gives its path. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "rolecall-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => {
    writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
    return path(name);
  };
  return { folder, path, write };
}

/** A small request of the Messages API that loses something in Chat Completions. */
export const anthropicRequest = {
  model: "claude-opus-4-8",
  max_tokens: 100,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  messages: [
    { role: "user", content: "Read a.txt" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I read it.", signature: "c2lnbmF0dXJl" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.txt" } },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: "no such file" }],
    },
  ],
  tools: [
    {
      name: "read",
      description: "Reads a file.",
      input_schema: { type: "object", properties: { path: { type: "string" } } },
    },
  ],
  context_management: { edits: [] },
};

/** A small request of Chat Completions. */
export const chatRequest = {
  model: "gpt-5.6",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ],
  max_completion_tokens: 50,
};

export const chatResponse = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "gpt-5.6",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: "I read it.",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } }],
      },
      finish_reason: "tool_calls",
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};
