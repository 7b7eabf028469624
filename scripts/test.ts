// `npm test`: the checks, then all suites. With arguments (`npm test -- src/lib`) only those tests.
// The last line is always "N passed, N failed"; each of the four checks counts as one.
import { runChecks } from "./checks.ts";
import { runVitest } from "./vitest.ts";

const filters = process.argv.slice(2);
const checks = filters.length === 0 ? await runChecks() : [];
const tests = await runVitest("server", filters);

const failedChecks = checks.filter((check) => !check.ok);
console.log("");
if (checks.length > 0) {
  const names = failedChecks.map((check) => check.name).join(", ");
  const passed = checks.length - failedChecks.length;
  console.log(`checks: ${passed} passed, ${failedChecks.length} failed${names && ` (${names})`}`);
}
console.log(`tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`);
console.log("");
const passed = tests.passed + checks.length - failedChecks.length;
const failed = tests.failed + failedChecks.length;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && tests.ok ? 0 : 1;
