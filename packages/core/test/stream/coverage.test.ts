import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { protocolIds } from "../../src/index.ts";
import { reportedStreams } from "./fault.ts";

const here = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(here, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(here, name), "utf8"))
  .join("\n");

describeWithCorpus("reported cases of streams", (folder) => {
  test("each one between protocols that exist is checked here", () => {
    const open = [...reportedStreams(folder).values()]
      .filter((entry) => entry.layer.startsWith("adapter") || entry.layer === "sse")
      .filter((entry) => protocolIds.includes(entry.from) && (entry.to === null || protocolIds.includes(entry.to)))
      .filter((entry) => !sources.includes(`"${entry.kind}": {`));
    expect(open.map((entry) => `${entry.id} ${entry.kind}`)).toEqual([]);
  });
});
