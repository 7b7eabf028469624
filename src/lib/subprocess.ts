import { type ChildProcess, spawn } from "node:child_process";

export interface SubprocessOptions {
  command: string;
  args: readonly string[];
  cwd?: string;
  /** The whole environment of the child: nothing is inherited. */
  env: Record<string, string>;
  input?: Uint8Array | string;
  signal?: AbortSignal;
  timeoutMs: number;
  /** Receives standard error as it arrives, all of it. */
  onStderr?: (text: string) => void;
  /** Standard output beyond this kills the child with `outputTooLarge`. */
  maxOutputBytes: number;
}

export interface SubprocessResult {
  exitCode: number | null;
  stdout: Buffer;
  /** At most the last 64 Ki characters. */
  stderr: string;
  timedOut: boolean;
  outputTooLarge: boolean;
}

const MAX_STDERR_LENGTH = 64 * 1024;

/**
 * Runs one program to its end. Every outcome is a value, including a non-zero exit; it throws only when the program
 * could not be started or `signal` fired. The child is its own process group, and the whole group is killed on
 * time-out, abort and overflow, so that nothing outlives the call.
 */
export async function runSubprocess(options: SubprocessOptions): Promise<SubprocessResult> {
  options.signal?.throwIfAborted();
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = "";
  let timedOut = false;
  let outputTooLarge = false;
  const kill = () => killGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, options.timeoutMs);
  options.signal?.addEventListener("abort", kill, { once: true });
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > options.maxOutputBytes) {
      outputTooLarge = true;
      kill();
    } else chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    const text = chunk.toString("utf8");
    options.onStderr?.(text);
    // The reason of a failure comes last, after any amount of progress.
    stderr = (stderr + text).slice(-MAX_STDERR_LENGTH);
  });
  child.stdin.on("error", () => undefined); // a child that exits early breaks the pipe; its exit code says why
  child.stdin.end(options.input ?? "");
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code));
    });
    options.signal?.throwIfAborted();
    return { exitCode, stdout: Buffer.concat(chunks), stderr, timedOut, outputTooLarge };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", kill);
  }
}

/** Kills a program that was started `detached`, and all its children. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid === undefined) child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // the group has exited already
  }
}

/** Whether a process runs that this one may signal. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
