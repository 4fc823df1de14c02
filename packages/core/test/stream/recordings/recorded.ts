import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolId } from "../../../src/index.ts";

export interface RecordedStream {
  readonly name: string;
  readonly text: string;
}

/** Recordings that break a rule on purpose, or by the way they were made, each with its reason. */
export const oddRecordings: { readonly [name: string]: string } = {
  "anthropic__anthropic-programmatic-tool-calling.1.chunks.json":
    "several answers in one file, with arguments in the start of a block, which are written as deltas",
  "main__test-utils__streaming-failure-empty-content.json":
    "ends without a reason, which the stream of the client is told",
};

/** The recorded streams of a protocol. */
export function recordedStreams(folder: string, protocol: ProtocolId): RecordedStream[] {
  const root = join(folder, "recordings", protocol);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      const { stream } = JSON.parse(readFileSync(join(root, name), "utf8"));
      return typeof stream === "string" && stream !== "" ? [{ name, text: stream }] : [];
    });
}
