import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { appendNow } from "#lib/logs/keep-log.ts";
import type { WatchdogSettings } from "./watchdog.ts";

const STANDARD_ERROR = 2;
/** How long the stuck thread has to say where it is: seconds on a busy machine. Code outside of JavaScript never says. */
const STACK_MS = 10_000;
const MAX_FRAMES = 30;
const NATIVE = "code outside of JavaScript was running, such as a regular expression or the database";

const { beats, checkMs, patience, keptLog } = workerData as WatchdogSettings;
const counter = new Int32Array(beats);
let last = Atomics.load(counter, 0);
let missed = 0;

const timer = setInterval(() => {
  const now = Atomics.load(counter, 0);
  missed = now === last ? missed + 1 : 0;
  last = now;
  if (missed < patience) return;
  clearInterval(timer);
  void end();
}, checkMs);

async function end(): Promise<void> {
  const stack = await Promise.race([
    stackOfMainThread().catch(() => []),
    new Promise<string[]>((resolve) => setTimeout(() => resolve([]), STACK_MS)),
  ]);
  const line = {
    level: 60,
    time: new Date().toISOString(),
    stuckMs: checkMs * patience,
    stack,
    ...(stack.length === 0 && { noStack: NATIVE }),
    msg: "the server did not answer itself and was ended",
  };
  writeSync(STANDARD_ERROR, `${JSON.stringify(line)}\n`);
  if (keptLog !== null) appendNow(keptLog, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, "SIGKILL"); // of this process: nothing gentler reaches a stuck event loop
}

/** Where the main thread is: it is paused for good, as the process ends right after. */
async function stackOfMainThread(): Promise<string[]> {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>(); // a frame itself names its script by number alone
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
