import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

/** Prints `N passed, N failed, N skipped` as the very last line of a run, and before it why tests were skipped. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: TestRunEndReason): void {
    let [passed, failed, skipped] = [0, unhandledErrors.length, 0];
    const skipReasons = new Map<string, number>();
    for (const module of modules) {
      // A file that cannot be loaded, or a hook that throws, has no failed test of its own.
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") passed += 1;
        else if (result.state === "failed") failed += 1;
        else skipped += 1;
        if (result.state === "skipped" && result.note) {
          skipReasons.set(result.note, (skipReasons.get(result.note) ?? 0) + 1);
        }
      }
    }
    if (reason !== "passed" && failed === 0) failed = 1;
    // Other reporters and the coverage table print after this hook; nothing prints after "exit".
    process.once("exit", (code) => {
      if (code !== 0 && failed === 0) failed = 1;
      for (const [note, count] of skipReasons) console.log(`skipped ${count}: ${note}`);
      console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    });
  }
}
