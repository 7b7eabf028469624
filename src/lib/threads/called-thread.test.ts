import { expect, it, onTestFinished } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createCalledThread } from "./called-thread.ts";

interface Functions {
  double(number: number): Promise<number>;
  fail(): Promise<never>;
  exit(): Promise<never>;
  calls(): Promise<number>;
}

/** A thread with functions that fail and end it, and a count of the calls that it has answered. */
function startThread() {
  const module = JSON.stringify(new URL("./called-thread.ts", import.meta.url).href);
  const program = `
    import { answerCalls } from ${module};
    let calls = 0;
    answerCalls({
      double: async (number) => { calls += 1; return 2 * number; },
      fail: async () => { throw Object.assign(new Error("disk full"), { code: "ENOSPC", errcode: 13 }) },
      exit: async () => process.exit(1),
      calls: async () => calls,
    }, async () => undefined);`;
  const thread = createCalledThread<Functions>({
    module: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    name: "test",
    logger: silentLogger,
  });
  onTestFinished(() => thread[Symbol.asyncDispose]());
  return thread;
}

it("answers calls that arrive together, each with its own result", async () => {
  const thread = startThread();
  expect(await Promise.all([1, 2, 3].map((number) => thread.call("double", number)))).toEqual([2, 4, 6]);
});

it("passes on an error with its code, by which callers know a full disk", async () => {
  const thread = startThread();
  await expect(thread.call("fail")).rejects.toMatchObject({ message: "disk full", code: "ENOSPC", errcode: 13 });
});

it("rejects the calls of a thread that dies, and starts another for the next one", async () => {
  const thread = startThread();
  await thread.call("double", 1);
  const [exit, waiting] = await Promise.allSettled([thread.call("exit"), thread.call("double", 2)]);
  expect([exit, waiting]).toMatchObject([
    { status: "rejected", reason: { message: "The test thread ended." } },
    { status: "rejected" },
  ]);
  expect(await thread.call("calls")).toBe(0);
});
