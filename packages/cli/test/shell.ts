import { spawnSync } from "node:child_process";
import { main } from "./command.ts";

/** Runs the built command in a shell, for what only a shell does: redirections. */
export function shell(line: string) {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", `"$0" "$1" ${line}`, process.execPath, main], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}
