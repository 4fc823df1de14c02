import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { servedProtocols } from "../../src/exchange/context.ts";
import { reportedCases } from "./fault.ts";

const here = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(here)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(here, name), "utf8"))
  .join("\n");
const known: readonly string[] = servedProtocols;

describeWithCorpus("reported cases of gateways", (folder) => {
  test("each one between protocols that exist is checked here", () => {
    const open = reportedCases(folder)
      .filter(({ layer }) => layer === "gateway")
      .filter(({ from, to }) => known.includes(from) && (to === null || known.includes(to)))
      .filter(({ kind }) => !sources.includes(`"${kind}": {`));
    expect(open.map(({ id, kind }) => `${id} ${kind}`)).toEqual([]);
  });
});
