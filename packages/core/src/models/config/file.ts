import { ConfigError } from "../../errors/index.ts";
import type { Json } from "../../ir/index.ts";
import { readConfig } from "../../json/config-text.ts";
import type { Environment } from "../key.ts";
import { processEnvironment } from "../key.ts";
import { configDirectory, joined } from "./directory.ts";

export interface ModelsFileOptions {
  /** The file; that of the user's own directory unless stated. */
  readonly path?: string;
  /** Where variables are looked up; those of the process unless stated. */
  readonly environment?: Environment;
}

/** A file as it was read: its value is not checked, and its variables are not replaced. */
export interface ModelsFile {
  readonly file: string;
  readonly value: Json;
}

/**
 * Reads the file that is stated, or else `models.json` of the user's directory: `$ROLECALL_CONFIG_DIR`, else `rolecall` in `$XDG_CONFIG_HOME`, in
 * `~/.config` or, on Windows, in `%APPDATA%`. The working directory is not looked at. Undefined where nothing was stated and there is no such file;
 * rejects with a ConfigError for one that is missing though it was stated, that cannot be read, is no JSON, or says a thing twice.
 */
export async function readModelsFile(options: ModelsFileOptions = {}): Promise<ModelsFile | undefined> {
  const { path, environment = processEnvironment() } = options;
  const system = hostSystem();
  if (system === undefined) {
    if (path === undefined) return undefined;
    throw new ConfigError("", "no files can be read here: read the text, and give its value to providersOf", path);
  }
  const file = path ?? usualFile(environment, system);
  if (file === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = await system.files.readFile(file);
  } catch (error) {
    const { code = "unknown reason" } = error as { readonly code?: string };
    if (path === undefined && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
    throw new ConfigError("", `cannot read ${file}: ${reasons[code] ?? code}`, file);
  }
  return { file, value: readConfig(bytes, file) };
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is no directory",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

function usualFile(environment: Environment, { platform, home }: System): string | undefined {
  const directory = configDirectory(environment, { platform, home });
  return directory === undefined ? undefined : joined(platform === "win32", directory, "models.json");
}

interface System {
  readonly platform: string;
  readonly home: string | undefined;
  readonly files: { readFile(path: string): Promise<Uint8Array> };
}

/**
 * What Node, Deno and Bun have of files, asked for when a file is read. An import would keep the models of core from running where there are no
 * such modules, even where no file is ever read.
 */
function hostSystem(): System | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly platform?: string; getBuiltinModule?(name: string): unknown };
  };
  const files = process?.getBuiltinModule?.("node:fs/promises") as System["files"] | undefined;
  const system = process?.getBuiltinModule?.("node:os") as { homedir(): string } | undefined;
  if (files === undefined) return undefined;
  return { platform: process?.platform ?? "", home: homeOf(system), files };
}

/** A user of a container may have no home. */
function homeOf(system: { homedir(): string } | undefined): string | undefined {
  try {
    return system?.homedir();
  } catch {
    return undefined;
  }
}
