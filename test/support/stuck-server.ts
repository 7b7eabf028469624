import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { startWatchdog } from "#app/instance/watchdog.ts";

// A process that is watched as a server is. Its argument says what its main thread does.
const [what, limitMs] = process.argv.slice(2);
const watchdog = startWatchdog({ limitMs: Number(limitMs) });
watchdog.watch();
process.stdout.write(`${JSON.stringify({ baseUrl: "", port: 0 })}\n`);

function spinForever(): never {
  for (let turns = 0; ; turns++) if (turns < 0) throw new Error("unreachable");
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Works in pieces of 100 ms of processor time, each of which takes seconds beside a thread that wants all of the processor. */
function starve(): void {
  new Worker("for (;;);", { eval: true }).unref();
  setPriority(process.pid, 12); // of the main thread alone: it gets a sixteenth
  let longestMs = 0;
  const work = (left: number): void => {
    const from = performance.now();
    const start = usedMs();
    while (usedMs() - start < 100) for (let turns = 0; turns < 100_000; turns++);
    longestMs = Math.max(longestMs, performance.now() - from);
    if (left > 0) setImmediate(work, left - 1);
    else process.exit(longestMs > Number(limitMs) ? 0 : 3); // 3: it was not starved, so the test says nothing
  };
  setTimeout(work, 100, 3);
}

if (what === "stuck") setTimeout(spinForever, 100);
else if (what === "asleep") setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 100);
else if (what === "starved") starve();
else if (what === "unwilling") {
  watchdog.endAfter(500);
  setInterval(() => undefined, 1_000);
} else setTimeout(() => process.exit(0), 6_000);
