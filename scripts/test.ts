// `npm test`: the gate, which is the checks, then all tests but test/long, test/live and most of test/browser; `npm run test:long`.
// USAGE says what they take.
// The last line is always "N passed, N failed"; each of the four checks counts as one.
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ensureChromium } from "#test/support/chromium.ts";
import { type CheckResult, runChecks } from "./checks.ts";
import { runVitest } from "./vitest.ts";

const LONG_ENVIRONMENT = { LONG_TESTS: "1", DOCENT_TEST_ENGINES: "sqlite,postgres" };

const USAGE = `npm test                       the gate: the checks, then all tests but test/long, test/live and most of test/browser
npm test -- src/lib            only the tests of a folder or file
npm test -- --changed          only the tests that import what differs from the last commit, and those that read all sources
npm test -- --changed=main     from the branch main
npm test -- --times            with a table of what each test file cost and started
npm run test:long              all tests in their long form, on both databases
npm run test:long -- src/lib   those of a folder or file
Further options are those of vitest, such as -t "name of a test", and -u to write snapshots anew.`;

/** They read sources as text and import none of them, so `--changed` does not find them. */
const READERS_OF_SOURCES = [
  "test/gate/{evidence,names,patterns,plain-words}.test.ts",
  "test/mutants/*.test.ts",
  "scripts/{client-files,docs-tables,import-table,test-places}.test.ts",
];

const root = join(import.meta.dirname, "..");
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
const given = args.filter((arg) => arg !== "--long" && arg !== "--times" && arg !== changed);
// vitest takes the word after -u for its value, and would write the snapshots of all tests.
const rest = [...given.filter((arg) => !isUpdate(arg)), ...given.filter(isUpdate)];
const unknown = rest.filter((arg, index) => !arg.startsWith("-") && !rest[index - 1]?.startsWith("-") && !isKnown(arg));
if (unknown.length > 0) {
  console.error(`No test file has ${unknown.join(", ")} in its path.`);
  process.exit(1);
}
// `npm test` was killed: nobody reads the result.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
// Before the tests: while it is installed, a worker could not answer.
if (rest.length === 0 || rest.some((arg) => arg.includes("browser"))) ensureChromium();
// Threads and child processes of the tests start from it; after a change of one file, a run of its tests alone is faster without.
// In a process of its own, which gives the memory of the bundler back (0.9 GB).
const isGate = rest.length === 0 && changed === undefined;
if (isGate) spawnSync(process.execPath, [join(root, "scripts/bundle.mjs")], { stdio: "inherit" });
const checks = isGate && !isLong ? await runChecks() : [];
const tests = await runVitest({
  // A file that is named is run wherever it belongs.
  projects: isLong || rest.length > 0 ? ["gate", "long"] : ["gate"],
  // A test that was left with `.only` would hide the others of its file.
  filters: isGate ? ["--allowOnly=false"] : rest,
  alsoRun: changed === undefined ? [] : globSync(READERS_OF_SOURCES, { cwd: root }),
  changedSince: changed === undefined ? null : changed.split("=")[1] || "HEAD",
  withTimes: args.includes("--times"),
  environment: isLong ? LONG_ENVIRONMENT : {},
});
report(checks);

function isUpdate(arg: string): boolean {
  return arg === "-u" || arg === "--update";
}

/** Whether vitest would find a file by this word, which may end with a line. */
function isKnown(word: string): boolean {
  const part = relative(root, resolve(word)).replace(/:\d+$/, "");
  const files = globSync("{src,test,scripts,clients}/**/*.test.ts", { cwd: root });
  return files.some((file) => file.includes(part) || file.includes(word));
}

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
  process.exitCode = failed === 0 && tests.ok ? 0 : tests.code;
}
