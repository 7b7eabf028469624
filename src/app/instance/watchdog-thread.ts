import { readlinkSync, writeSync } from "node:fs";
import { Session } from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { appendNow } from "#lib/logs/keep-log.ts";
import { isAsleep, lookAtThread } from "#lib/processor-use.ts";
import type { WatchdogOrder, WatchdogSettings } from "./watchdog.ts";

const STANDARD_ERROR = 2;
/** Processor time that the blocked thread gets to report its stack. Native code never reports one. */
const STACK_MS = 3_000;
const STACK_CHECK_MS = 100;
const MAX_STACK_CHECKS = 600;
const MAX_FRAMES = 30;
const NATIVE = "code outside of JavaScript was running, such as a regular expression or the database";
const ASLEEP = "the main thread waited in a call that did not return, and used no processor time";

const { beats, checkMs, patience, keptLog } = workerData as WatchdogSettings;
const counter = new Int32Array(beats);
const ownThread = readOwnThread();

parentPort?.on("message", (order: WatchdogOrder) => {
  if (order.kind === "watch") watch();
  else setTimeout(() => kill({ level: 50, msg: "the server did not stop in time and was ended" }), order.afterMs);
});

function watch(): void {
  let last = Atomics.load(counter, 0);
  let cameRound: Moment = { at: performance.now(), usedMs: usedByMainThread() };
  let usedBefore = cameRound.usedMs;
  let asleep = 0;
  const timer = setInterval(() => {
    const now = Atomics.load(counter, 0);
    const usedMs = usedByMainThread();
    if (now !== last) {
      last = now;
      cameRound = { at: performance.now(), usedMs };
      asleep = 0;
    } else {
      asleep = usedMs === usedBefore && isAsleep("self", ownThread) ? asleep + 1 : 0;
      const isBusy = usedMs - cameRound.usedMs >= checkMs * patience;
      if (isBusy || asleep >= patience) {
        clearInterval(timer);
        void end(isBusy ? "busy" : "asleep", cameRound);
      }
    }
    usedBefore = usedMs;
  }, checkMs);
}

/** The last time that the event loop turned. */
interface Moment {
  at: number;
  usedMs: number;
}

async function end(why: "busy" | "asleep", cameRound: Moment): Promise<void> {
  const stack = why === "asleep" ? [] : await Promise.race([stackOfMainThread().catch(() => []), noStack()]);
  kill({
    level: 60,
    stuckMs: Math.round(performance.now() - cameRound.at),
    processorMs: Math.round(usedByMainThread() - cameRound.usedMs),
    stack,
    ...(stack.length === 0 && { noStack: why === "asleep" ? ASLEEP : NATIVE }),
    msg: "the server did not answer itself and was ended",
  });
}

function kill({ level, ...fields }: { level: number; msg: string } & Record<string, unknown>): void {
  const line = `${JSON.stringify({ level, time: new Date().toISOString(), ...fields })}\n`;
  writeSync(STANDARD_ERROR, line);
  if (keptLog !== null) appendNow(keptLog, line);
  process.kill(process.pid, "SIGKILL"); // the process's own PID; no other signal reaches a blocked event loop
}

/** Without proc(5), the usage of all threads is the best estimate. */
function usedByMainThread(): number {
  const main = lookAtThread(process.pid);
  if (main !== null) return main.usedMs;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function readOwnThread(): number | null {
  try {
    return Number(/\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self"))?.[1]);
  } catch {
    return null;
  }
}

/** Measured in processor time: a main thread that shares the processor takes longer to report its stack. */
async function noStack(): Promise<string[]> {
  const from = usedByMainThread();
  for (let check = 0; check < MAX_STACK_CHECKS && usedByMainThread() - from < STACK_MS; check += 1) {
    await sleep(STACK_CHECK_MS);
  }
  return [];
}

/** Pauses the main thread for good and returns its stack; the process ends afterwards. */
async function stackOfMainThread(): Promise<string[]> {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>(); // frames identify their script by ID only
  session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
  const paused = new Promise<string[]>((resolve) => {
    session.once("Debugger.paused", ({ params }) => {
      resolve(
        params.callFrames
          .slice(0, MAX_FRAMES)
          .map(
            ({ functionName, location }) =>
              `${functionName || "(anonymous)"} ${urls.get(location.scriptId) ?? ""}:${location.lineNumber + 1}`,
          ),
      );
    });
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  return paused;
}
