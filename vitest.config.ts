import { currentBundle, startsFrom } from "./scripts/bundle.mjs";
import { endWithParent } from "./src/testing/end-with-parent.ts";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// Set by scripts/vitest.ts. Of one that a shell started, the shell may end.
if (process.env["DOCENT_TESTS_STARTED_BY"] === String(process.ppid)) endWithParent();
const bundle = currentBundle();
const plugins = bundle === null ? [] : [startsFrom(bundle)];

const shared: TestProjectInlineConfiguration["test"] = {
  // Server code keeps no state in its modules, so the files of a worker share one process.
  pool: "forks",
  execArgv: ["--max-old-space-size=512", "--max-semi-space-size=8"],
  isolate: false,
  // What hangs fails. Generous: on a busy machine everything takes longer, and nothing is wrong.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  globalSetup: ["src/testing/postgres-setup.ts"],
  setupFiles: [
    "src/testing/starter/setup.ts",
    ...(process.env["TEST_TIMES_FILE"] === undefined ? [] : ["src/testing/times-setup.ts"]),
  ],
  env: {
    // The settings of the machine's git must not decide whether a test passes.
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    ...(bundle !== null && { DOCENT_TEST_BUNDLE: bundle }),
  },
};

/** What a person does in a browser: read a site, sign in, create a key, look at a job and merge its pull request. */
const MAIN_PATH = ["site", "dashboard"].map((name) => `test/browser/${name}.test.ts`);

export default defineConfig({
  test: {
    // As many as the cores of CI: a third one made the gate no faster (925 s instead of 937 s on 28 November 2026).
    maxWorkers: 2,
    maxConcurrency: 10,
    projects: [
      {
        // What every change has to pass: `npm test`.
        plugins,
        test: {
          ...shared,
          name: "gate",
          include: [
            "src/**/*.test.ts",
            "clients/**/*.test.ts",
            "scripts/**/*.test.ts",
            "test/{corpus,gate,mutants}/**/*.test.ts",
            ...MAIN_PATH,
          ],
        },
      },
      {
        // Kills, faults, floods and the rest of the browser tests; with the gate's in their long form: `npm run test:long`.
        plugins,
        test: {
          ...shared,
          name: "long",
          include: ["test/{long,browser,live}/**/*.test.ts"],
          exclude: MAIN_PATH,
        },
      },
    ],
  },
});
