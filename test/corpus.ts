import { statSync } from "node:fs";
import { resolve } from "node:path";
import { describe, test } from "vitest";

const REASON = "ROLECALL_CORPUS is not set";

/**
 * The folder of recorded bodies and cases named by the environment variable `ROLECALL_CORPUS`, as an absolute path;
 * `undefined` when the variable is not set.
 * @throws when the variable is set and names no folder: a typing error must not look like a passing run.
 */
export function corpus(): string | undefined {
  const folder = process.env.ROLECALL_CORPUS;
  if (folder === undefined || folder === "") return undefined;
  const absolute = resolve(folder);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`ROLECALL_CORPUS names no folder: ${absolute}. Correct it, or unset it to skip these tests.`);
  }
  return absolute;
}

/**
 * A `describe` whose tests read the corpus. `define` is called with the folder while tests are collected, so it may
 * make one test per file. Without a corpus there is one skipped test that says why; with a wrong one, a failing test.
 */
export function describeWithCorpus(name: string, define: (folder: string) => void): void {
  describe(name, () => {
    let folder: string | undefined;
    try {
      folder = corpus();
    } catch (error) {
      test("has its corpus", () => {
        throw error;
      });
      return;
    }
    if (folder === undefined) test(`is skipped: ${REASON}`, ({ skip }) => skip(REASON));
    else define(folder);
  });
}

/** A test that reads the corpus, which was found to be there or not while tests were collected. Without one it is skipped and says why. */
export function testWithCorpus(name: string, folder: string | undefined, run: () => void | Promise<void>): void {
  if (folder === undefined) test(name, ({ skip }) => skip(REASON));
  else test(name, run);
}
