import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError } from "@rolecall/core";
import type { Recipe } from "./recipes.ts";

export interface LaunchOptions {
  /** Arguments of the user, behind those of the recipe. */
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string | undefined };
  /** Variables that the client does not get: the key of the service is not its business. */
  readonly withheld?: readonly string[];
}

/** Runs a client as its recipe says until it ends; the result is its exit code. Its files are gone afterwards. */
export async function launch(recipe: Recipe, options: LaunchOptions = {}): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "rolecall-"));
  try {
    for (const [path, text] of Object.entries(recipe.files)) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode: 0o600 });
    }
    return await run(recipe, environmentOf(recipe, options, directory), options.args ?? []);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function environmentOf(recipe: Recipe, options: LaunchOptions, directory: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...(options.env ?? process.env) };
  for (const name of options.withheld ?? []) delete env[name];
  for (const [name, value] of Object.entries(recipe.env)) {
    if (value === undefined) delete env[name];
    else env[name] = value.replaceAll("{directory}", directory);
  }
  return env;
}

function run(recipe: Recipe, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(recipe.command, [...recipe.args, ...args], { env, stdio: "inherit" });
    // The terminal sends its interrupt to the client as well, and the client decides what it means.
    const ignore = () => {};
    const pass = () => child.kill("SIGTERM");
    process.on("SIGINT", ignore);
    process.on("SIGTERM", pass);
    const settle = () => {
      process.off("SIGINT", ignore);
      process.off("SIGTERM", pass);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle();
      reject(
        error.code === "ENOENT"
          ? new ConfigError("/client", `${recipe.command} is not installed, or not on the PATH`)
          : error,
      );
    });
    child.on("exit", (code, signal) => {
      settle();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
