import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { protocolIds } from "../../src/index.ts";

const here = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(here)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(here, name), "utf8"))
  .join("\n");

describeWithCorpus("reported cases", (folder) => {
  test("each request and response case between protocols that exist is checked here", () => {
    const open = readdirSync(join(folder, "cases"))
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(join(folder, "cases", name), "utf8")))
      .filter(
        (entry) =>
          entry.layer.startsWith("adapter") &&
          (entry.mode === "request" || entry.mode === "response") &&
          protocolIds.includes(entry.from) &&
          (entry.to === null || protocolIds.includes(entry.to)),
      )
      .filter((entry) => !sources.includes(`"${entry.kind}": {`));
    expect(open.map((entry) => `${entry.id} ${entry.kind}`)).toEqual([]);
  });
});
