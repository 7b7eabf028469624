import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ownModule } from "#lib/own-module.ts";
import { COLD, type Reply, type Request } from "./messages.ts";

/**
 * How a request ended without an answer. `too slow`: it used up its processor time. `starved`: it did not get that much
 * of a busy machine, which says nothing about the page.
 */
export type Death = { kind: "died"; reason: "not started" | "too slow" | "starved" | "crashed"; detail: string };

export interface RenderChild {
  /** Resolves with the answer, or with how the process ended; it is then of no more use. One request at a time. */
  run(
    request: Exclude<Request, { kind: "included" }>,
    readInclude: (path: string) => Promise<string | null>,
  ): Promise<Reply | Death>;
  readonly served: number;
  readonly alive: boolean;
  kill(): void;
}

export interface Deadline {
  /** Processor time that one request may take. */
  cpuMs: number;
  /** Time on the clock after which it is over even on a machine that is busy with other things. */
  wallMs: number;
}

const HEAP_MB = 512;
// The young generation: 16 MB by default, which costs 120 MB of memory here and buys no speed (measured).
const SEMI_SPACE_MB = 4;
const CHECK_EVERY_MS = 100;
const START_MS = 60_000;

/** Starts a render process: no environment, no access to files but its own code, no child processes of its own. */
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
      env: {},
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    },
  );
  let alive = true;
  let served = 0;
  let lastWords = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString("utf8")).slice(-2_000);
  });
  // Of the request that is in work. A `then` on `ended` for each would keep every answer for as long as the process lives.
  let tellEnd: ((how: string) => void) | null = null;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      alive = false;
      resolve(how);
      tellEnd?.(how);
    };
    child.once("exit", (code, signal) => end(`${signal ?? `exit code ${code}`} ${lastWords}`.trim()));
    child.once("error", (error) => end(error.message));
  });
  let isSlowStart = false;
  const starting = setTimeout(() => {
    isSlowStart = true;
    child.kill("SIGKILL");
  }, START_MS);
  const ready = new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    void ended.then(() => resolve(false));
  });

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
      clearTimeout(starting);
      if (!isReady) return { kind: "died", reason: isSlowStart ? "starved" : "not started", detail: await ended };
      served += 1;
      const watch = watchDeadline(child, request.kind === "api" ? longer(deadline) : deadline);
      try {
        const answer = ask(child, request, readInclude);
        const died = alive
          ? new Promise<string>((resolve) => {
              tellEnd = resolve;
            })
          : ended;
        const outcome = await Promise.race([answer, died]);
        return typeof outcome === "string"
          ? { kind: "died", reason: watch.expired() ?? "crashed", detail: outcome }
          : outcome;
      } finally {
        tellEnd = null;
        watch.stop();
        child.removeAllListeners("message");
      }
    },
  };
}

function ask(
  child: ChildProcess,
  request: Exclude<Request, { kind: "included" }>,
  readInclude: (path: string) => Promise<string | null>,
): Promise<Reply> {
  return new Promise((resolve) => {
    child.on("message", (message) => {
      const reply = message as Reply;
      if (reply.kind === "ready" || reply.id !== request.id) return;
      if (reply.kind !== "include") {
        resolve(reply);
        return;
      }
      const answer = (content: string | null) =>
        post(child, { kind: "included", id: request.id, path: reply.path, content });
      readInclude(reply.path).then(answer, () => answer(null));
    });
    post(child, request);
  });
}

// A process that has just died cannot be written to; its `exit` event tells the caller.
function post(child: ChildProcess, request: Request): void {
  if (child.connected) child.send(request, () => undefined);
}

// A description of 10 MB of YAML takes 3 s, and is read once for many pages.
function longer({ cpuMs, wallMs }: Deadline): Deadline {
  return { cpuMs: cpuMs * 3, wallMs: wallMs * 3 };
}

interface DeadlineWatch {
  stop(): void;
  /** Which of the two ended the process, if one did. */
  expired(): "too slow" | "starved" | null;
}

function watchDeadline(child: ChildProcess, { cpuMs, wallMs }: Deadline): DeadlineWatch {
  const started = performance.now();
  const cpuBefore = cpuTimeMs(child.pid);
  let expired: ReturnType<DeadlineWatch["expired"]> = null;
  const timer = setInterval(() => {
    const wall = performance.now() - started;
    if (wall < Math.min(cpuMs, wallMs)) return;
    const cpu = cpuTimeMs(child.pid);
    const used = cpu === null || cpuBefore === null ? wall : cpu - cpuBefore;
    if (used < cpuMs && wall < wallMs) return;
    expired = used >= cpuMs ? "too slow" : "starved";
    child.kill("SIGKILL");
  }, CHECK_EVERY_MS);
  return { stop: () => clearInterval(timer), expired: () => expired };
}

/** User and system time of a process from Linux's `/proc` (clock ticks of 10 ms); null elsewhere. */
function cpuTimeMs(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== "linux") return null;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null; // it is gone
  }
}

const WORKER = fileURLToPath(ownModule(import.meta.url, "worker"));

/** Node's permission model: read the code and its packages, load the parser's binary; no writing, no processes, no threads. */
function permissions(): string[] {
  const root = path.resolve(path.dirname(WORKER), "../../../..");
  const own = ["src", "package.json", "tsconfig.json"].map((name) => path.join(root, name));
  const given = [...own, ...packageFolders(root)].filter((file) => existsSync(file));
  // Node asks for a file by its real path: packages may be a link to those of another checkout.
  const readable = new Set([...given, ...given.map((file) => realpathSync(file))]);
  return ["--permission", "--allow-addons", ...[...readable].map((file) => `--allow-fs-read=${file}`)];
}

/** Where the packages are: in a checkout beside the code, else in any folder from the code up to that which Docent is installed in. */
function packageFolders(root: string): string[] {
  const holder = root.lastIndexOf(`${path.sep}node_modules${path.sep}`);
  const folders = [path.join(root, "node_modules")];
  if (holder === -1) return folders;
  for (let at = root; at.length > holder; at = path.dirname(at))
    folders.push(path.join(path.dirname(at), "node_modules"));
  return folders;
}
