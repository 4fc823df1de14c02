import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../../../test/source-files.ts";

/** It starts itself in another process, so it must stay the file that it is. */
const file = join(repository, "packages/gateway/bench/processes.mjs");

/** Starts the gateway of a peer in a process of its own. */
export async function startGateway(
  peer: "portkey" | "llms",
  service = "",
): Promise<{ readonly port: number; stop(): void }> {
  const { startProcess }: typeof import("../../../packages/gateway/bench/processes.mjs") = await import(
    pathToFileURL(file).href
  );
  return startProcess(peer, service);
}
