// How long a server takes to start: `npm run bench bench/server-start.ts -- [--runs 7] [--projects 10] [--program FILE]`.
// On an empty data directory that has been started once, and on one with projects, it measures the time to the line that says where the
// server listens, to the first 200 of /ready, and the processor time of the server's process until then.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const ROOT = path.join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "7" },
    projects: { type: "string", default: "10" },
    program: { type: "string", default: path.join(ROOT, "bin", "docent") },
  },
});
const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Processor time of a process in milliseconds, with that of threads (Linux, proc(5): fields 14 and 15). */
function processorMs(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = status.slice(status.lastIndexOf(")") + 2).split(" ").slice(11, 13); // oxfmt-ignore
  return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1_000;
}

async function start(data: string): Promise<Record<string, number>> {
  const startMs = performance.now();
  const args = [values.program, "serve", "--data", data, "--port", "0", "--json"];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string];
    const listeningMs = performance.now() - startMs;
    const listeningCpuMs = processorMs(server.pid!);
    const { port } = JSON.parse(line) as { port: number };
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200;
    while (!(await isReady())) await sleep(20);
    const readyMs = performance.now() - startMs;
    return { listeningMs, readyMs, listeningCpuMs, readyCpuMs: processorMs(server.pid!) };
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), "docent-server-start-"));
try {
  for (const projects of [0, Number(values.projects)]) {
    const data = path.join(folder, `data-${projects}`);
    await start(data);
    for (let index = 0; index < projects; index++) {
      const command = ["projects", "create", `Docs ${index}`, "--repo", path.join(ROOT, "examples", "docs")];
      const repository = mkdtempSync(path.join(folder, "repository-"));
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", repository, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { stdio: "ignore" }); // oxfmt-ignore
      execFileSync("cp", ["-r", `${path.join(ROOT, "docs")}/.`, repository]);
      git("init", "-q");
      git("add", ".");
      git("commit", "-qm", "Docs");
      command.splice(-1, 1, repository);
      execFileSync(process.execPath, [values.program, ...command, "--data", data], { stdio: "ignore" });
    }
    await start(data); // reads what is new
    const runs: Record<string, number>[] = [];
    for (let run = 0; run < Number(values.runs); run++) runs.push(await start(data));
    const words = Object.keys(runs[0]!).map((name) => {
      const sorted = runs.map((each) => each[name]!).sort((a, b) => a - b);
      return `${name} least ${sorted[0]!.toFixed(0)}, median ${sorted[Math.floor(sorted.length / 2)]!.toFixed(0)}`;
    });
    console.log(`${projects} projects: ${words.join("; ")}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
