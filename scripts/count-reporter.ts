import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";
import type { TestCounts } from "./vitest.ts";

/** Writes the counts of a run, and the files in which something failed, to the file named by TEST_COUNTS_FILE. */
export default class CountReporter implements Reporter {
  onInit() {
    // The process that started this one was killed, and nobody reads the result.
    process.once("disconnect", () => process.exit(1));
    process.channel?.unref();
  }

  onTestRunEnd(...[modules, unhandledErrors]: Parameters<NonNullable<Reporter["onTestRunEnd"]>>) {
    const isWhole =
      unhandledErrors.length === 0 &&
      modules.every((module) => module.state() !== "queued" && module.state() !== "pending");
    const counts: TestCounts = {
      passed: 0,
      failed: unhandledErrors.length,
      skipped: 0,
      hasFailedTest: false,
      failedFiles: [],
      isWhole,
      notRun: [],
    };
    for (const module of modules) {
      const failedBefore = counts.failed;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") counts.passed += 1;
        else if (result.state === "failed") counts.failed += 1;
        else counts.skipped += 1;
        if (result.state === "skipped" && result.note !== undefined)
          counts.notRun.push(`${module.relativeModuleId}: ${test.fullName}: ${result.note}`);
      }
      // A file or a block that fails outside a test (at import, in beforeAll) is one more failure.
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      if (counts.failed === failedBefore) continue;
      counts.failedFiles.push(module.relativeModuleId);
      // Without tests, the file could not be read. A failed beforeAll or afterAll counts as a failed test.
      if (module.children.size > 0) counts.hasFailedTest = true;
    }
    const file = process.env["TEST_COUNTS_FILE"];
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}
