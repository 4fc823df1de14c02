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
  "azure__azure-deepseek-reasoning.1.chunks.json": "a stream of Chat Completions",
  "parallel-tool-call-wrapper.1.chunks.json": "a frame that is no JSON",
  "providers_bedrock_mantle_responses_chat_streams_through_the_responses_surface.json":
    "the last snapshot leaves out what was streamed",
  "openai__stream-multiple-output-items-1.json": "the last snapshot leaves out what was streamed",
  "azure__azure-reasoning-encrypted-content.1.chunks.json": "the last snapshot is edited",
  "openai__responses__openai-shell-container.1.chunks.json": "the last snapshot is edited",
  ...Object.fromEntries(
    [
      "test_openai_responses__test_openai_responses_compact_stateful_mode_stream.02.json",
      "openai__responses__openai-compaction.1.chunks.json",
      "openai__responses__programmatic-tool-calling.1.chunks.json",
    ].map((name) => [name, "the last snapshot has another sealed payload"]),
  ),
  "openai__responses__openai-shell-tool.1.chunks.json": "several answers in one file",
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
