import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const shared: TestProjectInlineConfiguration["test"] = {
  // Server code keeps no state in its modules, so the files of a worker share one process.
  pool: "forks",
  isolate: false,
  // What hangs fails. Generous: on a busy machine everything takes longer, and nothing is wrong.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  globalSetup: ["src/testing/postgres-setup.ts"],
  env: {
    // The settings of the machine's git must not decide whether a test passes.
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: "server",
          include: ["src/**/*.test.ts", "clients/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["test/browser/**"],
        },
      },
      {
        test: { ...shared, name: "browser", include: ["test/browser/**/*.test.ts"] },
      },
    ],
  },
});
