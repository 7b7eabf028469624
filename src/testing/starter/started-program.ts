import { EventEmitter } from "node:events";
import { connect, type Socket } from "node:net";
import type { Start, Started } from "./messages.ts";

/** The part of Node's `ChildProcess` that Docent uses, for a program that the starter started. */
export class StartedProgram extends EventEmitter {
  /** Set shortly after the call; `kill` works before. */
  pid: number | undefined;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly spawnfile: string;
  readonly stdin: Socket | null;
  readonly stdout: Socket | null;
  readonly stderr: Socket | null;
  readonly #isGroup: boolean;
  #early: NodeJS.Signals | null = null;
  #hasEnded = false;

  constructor(request: Start, socketPath: string) {
    super();
    const [stdin, stdout, stderr] = request.stdio.map((kind) => (kind === "pipe" ? connect(socketPath) : null));
    this.spawnfile = request.command;
    this.stdin = stdin?.pause() ?? null; // only written to
    this.stdout = stdout ?? null;
    this.stderr = stderr ?? null;
    this.#isGroup = request.detached;
    for (const output of this.#outputs()) output.once("close", () => this.#closeAtEnd());
  }

  receive(message: Started): void {
    if (message.kind === "pid") {
      this.pid = message.pid;
      if (this.#early !== null) signalTo(this.#isGroup ? -message.pid : message.pid, this.#early);
      return;
    }
    this.#hasEnded = true;
    this.stdin?.destroy();
    this.exitCode = message.exitCode;
    if (message.kind === "error") {
      this.emit("error", Object.assign(new Error(message.text), message.error));
    } else {
      this.signalCode = message.signal;
      this.emit("exit", message.exitCode, message.signal);
      // As in Node: unread output does not keep it open.
      for (const output of this.#outputs()) if (output.readableFlowing === null) output.resume();
    }
    this.#closeAtEnd();
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    if (this.#hasEnded) return false;
    if (this.pid !== undefined) return signalTo(this.pid, signal);
    this.#early = signal;
    return true;
  }

  #outputs(): Socket[] {
    return [this.stdout, this.stderr].filter((output) => output !== null);
  }

  #closeAtEnd(): void {
    if (this.#hasEnded && this.#outputs().every(({ closed }) => closed)) {
      this.emit("close", this.exitCode, this.signalCode);
    }
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has ended, and the starter is about to say so
  }
}
