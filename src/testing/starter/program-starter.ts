import childProcess, { type SpawnOptions } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import type { Start, Started } from "./messages.ts";
import { StartedProgram } from "./started-program.ts";

const PROGRAMS = new Set(["git", "cp"]);
const kept: { starter?: Promise<void> } = {};

/**
 * Makes `spawn` start git and `cp` through a small process. Node starts a program by a fork, whose cost grows with the memory
 * of the process (decision 77).
 */
export function useProgramStarter(): Promise<void> {
  return (kept.starter ??= replaceSpawn());
}

async function replaceSpawn(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "docent-test-starter-"));
  const socketPath = path.join(folder, "socket");
  const starter = childProcess.fork(path.join(import.meta.dirname, "main.ts"), [socketPath], {
    execArgv: [],
  });
  await once(starter, "message");
  starter.unref();
  starter.channel?.unref();
  const programs = new Map<number, StartedProgram>();
  starter.on("message", (message: Started) => {
    const program = programs.get(message.id);
    if (message.kind !== "pid") programs.delete(message.id);
    program?.receive(message);
  });

  const { spawn } = childProcess;
  const started = channel("child_process"); // Node's own, for tests that count started programs
  let lastId = 0;
  const spawnByStarter = (command: string, args: readonly string[], options: SpawnOptions) => {
    const { stdio } = options;
    if (!PROGRAMS.has(command) || !isSimple(stdio)) return spawn(command, args, options);
    lastId += 1;
    const request: Start = {
      id: lastId,
      command,
      args,
      cwd: options.cwd?.toString(),
      env: options.env ?? process.env,
      detached: options.detached ?? false,
      stdio,
    };
    const program = new StartedProgram(request, socketPath);
    programs.set(request.id, program);
    starter.send(request);
    started.publish({ process: program });
    return program;
  };
  Object.assign(childProcess, { spawn: spawnByStarter });
  syncBuiltinESMExports();
}

function isSimple(stdio: SpawnOptions["stdio"]): stdio is Start["stdio"] {
  return Array.isArray(stdio) && stdio.every((kind) => kind === "pipe" || kind === "ignore");
}
