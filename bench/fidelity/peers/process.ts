import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { repository } from "../../../test/source-files.ts";

/** A gateway in a process of its own, which sends its port when it listens. */
export async function startGateway(peer: string, service = ""): Promise<{ readonly port: number; stop(): void }> {
  const stdio = ["ignore", "ignore", "pipe", "ipc"] as const;
  const child = fork(join(repository, "packages/gateway/bench/processes.mjs"), [peer, service], { stdio: [...stdio] });
  // What it logs of each body that it cannot take is no news; why it does not start is.
  let log = "";
  child.stderr?.on("data", (chunk) => {
    log = (log + chunk).slice(-1000);
  });
  const [port] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => {
      throw new Error(`the gateway of ${peer} does not start: ${log}`);
    }),
  ])) as [number];
  return { port, stop: () => void child.kill() };
}
