import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { killGroup } from "#lib/subprocess.ts";
import { createTestDirectory } from "#testing/repositories.ts";

// The same holds for Node's own `spawn`, which the long form runs.
const git = (args: string[], options: { cwd?: string } = {}) =>
  spawn("git", args, { env: process.env, stdio: ["pipe", "pipe", "pipe"], detached: true, ...options });

it("a program reads its input, and its output and exit code are returned", async () => {
  const child = git(["hash-object", "--stdin"]);
  const output = text(child.stdout);
  child.stdin.end("hello\n");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(await output).toBe("ce013625030ba8dba906f756967f9e9ca394464a\n");
  expect([child.exitCode, child.signalCode, child.pid]).toEqual([0, null, expect.any(Number)]);
});

it("each program has its own pipes, however many start at once", async () => {
  const outputs = Array.from({ length: 30 }, async (_, index) => {
    const child = git(["-c", `test.value=${index}`, "config", "test.value"]);
    return await text(child.stdout);
  });
  expect(await Promise.all(outputs)).toEqual(Array.from({ length: 30 }, (_, index) => `${index}\n`));
});

it("output beyond the pipe's capacity waits for its reader", async () => {
  await using directory = await createTestDirectory();
  const bytes = 3_000_000;
  const child = git(["-c", `alias.long=!head -c ${bytes} /dev/zero`, "long"], { cwd: directory.path });
  let seen = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) seen += chunk.length;
  expect(seen).toBe(bytes);
});

it("a failing program says why on standard error", async () => {
  const child = git(["no-such-command"]);
  const reason = text(child.stderr);
  expect(await once(child, "close")).toEqual([1, null]);
  expect(await reason).toContain("no-such-command");
});

it("a folder that does not exist is an error at the start", async () => {
  const child = git(["version"], { cwd: "/no/such/folder" });
  const closed = once(child, "close").catch(() => undefined);
  const [error] = (await once(child, "error", { signal: AbortSignal.timeout(20_000) })) as [Error];
  expect(error).toMatchObject({ code: "ENOENT", syscall: "spawn git" });
  await closed;
});

it("a program that is killed while it starts ends with all its children", async () => {
  const child = git(["-c", "alias.wait=!sleep 600", "wait"]);
  killGroup(child);
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
});

it("a running program is killed with all its children", async () => {
  const child = git(["-c", "alias.wait=!echo started; sleep 600", "wait"]);
  await once(child.stdout, "data");
  killGroup(child);
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
});
