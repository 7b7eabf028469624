// `npm test`: the gate, which is the checks and then every suite but test/long; `npm run test:long`. USAGE says what they take.
// The last line is always "N passed, N failed"; each of the four checks counts as one.
import { existsSync } from "node:fs";
import { ensureChromium } from "#test/support/chromium.ts";
import { ensureBundle } from "./bundle.mjs";
import { type CheckResult, runChecks } from "./checks.ts";
import { endWithParent } from "#testing/end-with-parent.ts";
import { runVitest } from "./vitest.ts";

const LONG_ENVIRONMENT = { LONG_TESTS: "1", DOCENT_TEST_ENGINES: "sqlite,postgres" };

const USAGE = `npm test                       the gate: the checks, then all tests but test/long
npm test -- src/lib            only the tests of a folder or file
npm test -- --changed          only the tests that import what differs from the last commit
npm test -- --changed=main     from the branch main
npm test -- --times            with a table of what each test file cost and started
npm run test:long              all tests in their long form, on both databases
npm run test:long -- src/lib   those of a folder or file
Further options are those of vitest, such as -t "name of a test".`;

// Started by npm, which may be killed; of one that a shell started, the shell may end.
if (process.env["npm_lifecycle_event"] !== undefined) endWithParent();
const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(USAGE);
  process.exit();
}
// A word after --changed that is no file is what to compare with.
const at = args.indexOf("--changed");
const since = at === -1 ? undefined : args[at + 1];
if (since !== undefined && !since.startsWith("-") && !existsSync(since)) args.splice(at, 2, `--changed=${since}`);
const isLong = args.includes("--long");
const changed = args.find((arg) => /^--changed(=|$)/.test(arg));
/** Folders, files and what vitest itself understands, such as `-t`. */
const rest = args.filter((arg) => arg !== "--long" && arg !== "--times" && arg !== changed);
// Before the tests: while it is installed, a worker could not answer.
if (rest.length === 0 || rest.some((arg) => arg.includes("browser"))) ensureChromium();
// Threads and child processes of the tests start from it; after a change of one file, a run of its tests alone is faster without.
if (rest.length === 0 && changed === undefined) await ensureBundle();
const checks = rest.length === 0 && changed === undefined && !isLong ? await runChecks() : [];
const tests = await runVitest({
  // A file that is named is run wherever it belongs.
  projects: isLong || rest.length > 0 ? ["gate", "long"] : ["gate"],
  filters: rest,
  changedSince: changed === undefined ? null : changed.split("=")[1] || "HEAD",
  withTimes: args.includes("--times"),
  environment: isLong ? LONG_ENVIRONMENT : {},
});
report(checks);

function report(done: readonly CheckResult[]): void {
  const failedChecks = done.filter((check) => !check.ok);
  console.log("");
  if (done.length > 0) {
    const names = failedChecks.map((check) => check.name).join(", ");
    console.log(
      `checks: ${done.length - failedChecks.length} passed, ${failedChecks.length} failed${names && ` (${names})`}`,
    );
  }
  for (const test of tests.notRun) console.log(`not run: ${test}`);
  console.log(`tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`);
  console.log("");
  const failed = tests.failed + failedChecks.length;
  console.log(`${tests.passed + done.length - failedChecks.length} passed, ${failed} failed`);
  process.exitCode = failed === 0 && tests.ok ? 0 : 1;
}
