import { execFileSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { startProcess } from "#test/support/processes.ts";

it("ends a server that is stuck, and says where it was", async () => {
  const server = await startProcess("test/support/stuck-server.ts", ["stuck", "1000"]);
  const log = text(server.child.stderr!);
  expect(await server.exited).toBe("SIGKILL");
  const line = (await log).split("\n").find((each) => each.startsWith("{")) ?? "{}";
  const { level, msg, stack } = JSON.parse(line) as { level: number; msg: string; stack: string[] };
  expect({ level, msg }).toEqual({ level: 60, msg: "the server did not answer itself and was ended" });
  expect(stack[0]).toMatch(/^spinForever .*stuck-server\.ts:\d+$/);
});

it("watches every server that docent serve starts", async () => {
  await using directory = await createTestDirectory();
  const args = ["serve", "--port", "0", "--json", "--data", directory.path];
  const stick = path.join(import.meta.dirname, "../support/stick-on-signal.mjs");
  const environment = { DOCENT_STALL_SECONDS: "1", NODE_OPTIONS: `--import=${stick}` };
  const server = await startProcess("src/cli/main.ts", args, environment);
  const log = text(server.child.stderr!);
  // Without a watchdog nothing else would end it.
  const patience = setTimeout(() => server.child.kill("SIGABRT"), 60_000);
  server.child.kill("SIGUSR2");
  expect(await server.exited).toBe("SIGKILL");
  clearTimeout(patience);
  expect(await log).toMatch(/"stack":\["spinForever .*stick-on-signal\.mjs:\d+".*did not answer itself and was ended"/);
});

it("ends a server that waits for ever in a call that does not return", async () => {
  const server = await startProcess("test/support/stuck-server.ts", ["asleep", "500"]);
  expect(await server.exited).toBe("SIGKILL");
  expect(server.log()).toMatch(/"noStack":"the main thread waited in a call that did not return/);
});

it("leaves a server alone whose main thread gets less of the processor than it needs", async () => {
  const server = await startProcess("test/support/stuck-server.ts", ["starved", "400"]);
  const ended = once(server.child, "exit");
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", "0", String(server.child.pid)]);
  expect([await ended, server.log()]).toEqual([[0, null], ""]);
});

it("ends a server that does not stop in time, and says so", async () => {
  const server = await startProcess("test/support/stuck-server.ts", ["unwilling", "1000"]);
  expect(await server.exited).toBe("SIGKILL");
  expect(server.log()).toMatch(/"msg":"the server did not stop in time and was ended"/);
});

it("leaves a server alone that was stopped for longer and goes on", async () => {
  const server = await startProcess("test/support/stuck-server.ts", ["calm", "1000"]);
  const ended = once(server.child, "exit");
  server.child.kill("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  server.child.kill("SIGCONT");
  expect(await ended).toEqual([0, null]);
});
