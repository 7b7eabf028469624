import { once } from "node:events";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";

it.runIf(process.platform === "linux")("lowers the priority of the calling thread only", async () => {
  const before = getPriority();
  const module = JSON.stringify(new URL("./thread-priority.ts", import.meta.url).href);
  const program = `
    import { readlinkSync } from "node:fs";
    import { getPriority } from "node:os";
    import { parentPort } from "node:worker_threads";
    import { standBack } from ${module};
    const isBehind = standBack();
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    parentPort.postMessage({ isBehind, priority: getPriority(thread) });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const [received] = (await once(worker, "message")) as [unknown];
  expect(received).toEqual({ isBehind: true, priority: Math.max(before, 5) });
  expect(getPriority()).toBe(before);
});
