import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "#lib/app-error.ts";
import { createMeasure } from "#lib/measure.ts";
import { ownModule } from "#lib/own-module.ts";
import { isAsleep, lookAtProcess } from "#lib/processor-use.ts";
import { COLD, type Reply, type Request } from "./messages.ts";

/**
 * How a request ended without an answer. `too slow`: it exceeded its CPU time. `out of memory`: its own limit, not the
 * machine's. `killed`: by something else, such as the system of a machine that runs out of memory, so the page is hardly the
 * cause. A process that gets no CPU time is waited for: that is not the page's fault, and a new one would start over.
 */
export type Death = {
  kind: "died";
  reason: "not started" | "too slow" | "out of memory" | "killed" | "crashed";
  detail: string;
};

/** The error if what is wrong is on this machine, such as a package that is not installed; null otherwise. */
export function brokenInstallation(answer: Reply | Death): AppError | null {
  const hasFailed = answer.kind === "failed" && answer.isIncomplete === true;
  const words = hasFailed ? answer.message : answer.kind === "died" && answer.reason === "not started" ? answer.detail : null; // oxfmt-ignore
  if (words === null) return null;
  const [why = words] = words.split("\n").filter((line) => /^\w*Error\b/.test(line));
  const what = hasFailed ? "" : ", because the process that renders them did not start";
  const reason = `Pages cannot be rendered${what}: ${why}`;
  return new AppError("unavailable", "Pages cannot be rendered at the moment.", { retryAfterSeconds: 5, reason });
}

export interface RenderChild {
  /** Resolves with the answer, or with how the process ended; it is then unusable. One request at a time. */
  run(
    request: Exclude<Request, { kind: "included" }>,
    readInclude: (path: string) => Promise<string | null>,
  ): Promise<Reply | Death>;
  readonly served: number;
  readonly alive: boolean;
  kill(): void;
}

export interface Deadline {
  /** CPU time for one request; wall-clock time where CPU time is unknown (on systems other than Linux). */
  cpuMs: number;
  /** How long, by wall-clock time, its process may sleep with nothing to wait for: then its answer is lost. */
  asleepMs: number;
}

const HEAP_MB = 512;
// The young generation: 16 MB by default, which takes 120 MB of memory here and is not faster (measured).
const SEMI_SPACE_MB = 4;
// glibc otherwise gives each thread an arena and keeps what was freed: 20 MB more here, for the same time (measured).
const ALLOCATOR = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };
const CHECK_EVERY_MS = 100;
/** Only every tenth check looks for sleep, because that inspects all threads. */
const SLEEP_CHECK_EVERY = 10;
/** Starting takes one or two seconds. */
const START: Deadline = { cpuMs: 30_000, asleepMs: 60_000 };

/** Render processes that started and ended. */
export const renderProcesses = createMeasure<{ change: 1 | -1 }>("render processes");

/** Starts a render process: nothing of our environment, no file access except its own code, no child processes. */
export function startRenderChild(deadline: Deadline, { isWarmedUp }: { isWarmedUp: boolean }): RenderChild {
  const child = spawn(
    process.execPath,
    [
      ...permissions(),
      `--max-old-space-size=${HEAP_MB}`,
      `--max-semi-space-size=${SEMI_SPACE_MB}`,
      WORKER,
      ...(isWarmedUp ? [] : [COLD]),
    ],
    {
      env: ALLOCATOR,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    },
  );
  renderProcesses.publish({ change: 1 });
  let alive = true;
  let served = 0;
  let lastWords = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString("utf8")).slice(-2_000);
  });
  // For the current request. A `then` on `ended` for each would keep every answer for as long as the process lives.
  let notifyEnd: ((how: string) => void) | null = null;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      if (alive) renderProcesses.publish({ change: -1 });
      alive = false;
      resolve(how);
      notifyEnd?.(how);
    };
    child.once("exit", (code, signal) => end(`${signal ?? `exit code ${code}`} ${lastWords}`.trim()));
    child.once("error", (error) => end(error.message));
  });
  const starting = watchDeadline(child, START, () => false);
  const ready = new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    void ended.then(() => resolve(false));
  });
  void ready.then(() => starting.stop());

  return {
    get served() {
      return served;
    },
    get alive() {
      return alive;
    },
    kill: () => child.kill("SIGKILL"),
    async run(request, readInclude) {
      const isReady = await ready;
      if (!isReady) return { kind: "died", reason: "not started", detail: await ended };
      served += 1;
      const exchange = startExchange(child, request, readInclude);
      const watch = watchDeadline(child, request.kind === "api" ? longer(deadline) : deadline, exchange.isWaiting);
      try {
        const died = alive
          ? new Promise<string>((resolve) => {
              notifyEnd = resolve;
            })
          : ended;
        const outcome = await Promise.race([exchange.answer, died]);
        if (typeof outcome !== "string") return outcome;
        return { kind: "died", reason: reasonOf(outcome, watch), detail: outcome };
      } finally {
        notifyEnd = null;
        watch.stop();
        child.removeAllListeners("message");
      }
    },
  };
}

function reasonOf(outcome: string, watch: DeadlineWatch): Death["reason"] {
  if (watch.hasEnded() !== null) return watch.hasEnded() === "too slow" ? "too slow" : "crashed";
  if (OUT_OF_MEMORY.test(outcome)) return "out of memory";
  return FROM_OUTSIDE.test(outcome) ? "killed" : "crashed";
}

interface Asked {
  answer: Promise<Reply>;
  /** Whether the process waits for a file that it requested. */
  isWaiting(): boolean;
}

function startExchange(
  child: ChildProcess,
  request: Exclude<Request, { kind: "included" }>,
  readInclude: (path: string) => Promise<string | null>,
): Asked {
  let reading = 0;
  const answer = new Promise<Reply>((resolve) => {
    child.on("message", (message) => {
      const reply = message as Reply;
      if (reply.kind === "ready" || reply.id !== request.id) return;
      if (reply.kind !== "include") {
        resolve(reply);
        return;
      }
      reading += 1;
      const give = (content: string | null) => {
        reading -= 1;
        post(child, { kind: "included", id: request.id, path: reply.path, content });
      };
      readInclude(reply.path).then(give, () => give(null));
    });
    post(child, request);
  });
  return { answer, isWaiting: () => reading > 0 };
}

// Writing fails if the process has just died; its `exit` event notifies the caller.
function post(child: ChildProcess, request: Request): void {
  if (child.connected) child.send(request, () => undefined);
}

// A description of 10 MB of YAML takes 3 s, and is read once for many pages.
function longer({ cpuMs, asleepMs }: Deadline): Deadline {
  return { cpuMs: cpuMs * 3, asleepMs };
}

interface DeadlineWatch {
  stop(): void;
  /** Why it killed the process; null if it did not. */
  hasEnded(): "too slow" | "asleep" | null;
}

/** Kills a process that has exceeded its CPU time or that sleeps forever. */
function watchDeadline(child: ChildProcess, { cpuMs, asleepMs }: Deadline, isWaiting: () => boolean): DeadlineWatch {
  const started = performance.now();
  const used = () => (child.pid === undefined ? null : (lookAtProcess(child.pid)?.usedMs ?? null));
  const before = used();
  let usedLast = before;
  let asleepChecks = 0;
  let checks = 0;
  let ended: "too slow" | "asleep" | null = null;
  const end = (why: "too slow" | "asleep") => {
    ended = why;
    child.kill("SIGKILL");
  };
  const timer = setInterval(() => {
    checks += 1;
    const now = used();
    const spent = now === null || before === null ? performance.now() - started : now - before;
    if (spent >= cpuMs) {
      end("too slow");
    } else if (checks % SLEEP_CHECK_EVERY === 0) {
      const sleeps = child.pid !== undefined && now === usedLast && !isWaiting() && isAsleep(child.pid);
      asleepChecks = sleeps ? asleepChecks + 1 : 0;
      usedLast = now;
      if (asleepChecks * SLEEP_CHECK_EVERY * CHECK_EVERY_MS >= asleepMs) end("asleep");
    }
  }, CHECK_EVERY_MS);
  return { stop: () => clearInterval(timer), hasEnded: () => ended };
}

const OUT_OF_MEMORY = /heap out of memory|Allocation failed/;
// Signals that a process does not send itself. A page that crashes the parser causes SIGSEGV, SIGABRT and so on.
const FROM_OUTSIDE = /^SIG(?:KILL|TERM|INT|HUP)\b/;

const WORKER = fileURLToPath(ownModule(import.meta.url, "worker"));

/** Node's permission model: read the code and its packages, load the parser's binary; no writing, no processes, no threads. */
function permissions(): string[] {
  const root = path.resolve(import.meta.dirname, "../../../..");
  const own = [path.dirname(WORKER), ...["src", "package.json", "tsconfig.json"].map((name) => path.join(root, name))];
  const given = [...own, ...packageFolders(root)].filter((file) => existsSync(file));
  // Node requests a file by its real path: packages may be linked from another checkout.
  const readable = new Set([...given, ...given.map((file) => realpathSync(file))]);
  return ["--permission", "--allow-addons", ...[...readable].map((file) => `--allow-fs-read=${file}`)];
}

/** The package folders: in a checkout next to the code, otherwise in any parent folder of the code up to the installation. */
function packageFolders(root: string): string[] {
  const holder = root.lastIndexOf(`${path.sep}node_modules${path.sep}`);
  const folders = [path.join(root, "node_modules")];
  if (holder === -1) return folders;
  for (let at = root; at.length > holder; at = path.dirname(at))
    folders.push(path.join(path.dirname(at), "node_modules"));
  return folders;
}
