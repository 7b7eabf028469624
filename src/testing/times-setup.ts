import { channel } from "node:diagnostics_channel";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect } from "vitest";

/**
 * The cost of a test file, as a line of JSON in the file named by TEST_TIMES_FILE: seconds of wall-clock and processor
 * time (with all descendants of the worker), and what it started.
 */
export type FileTimes = {
  file: string;
  wallSeconds: number;
  cpuSeconds: number;
  /** Programs by name, listening servers and test databases. */
  started: Record<string, number>;
};

const log = process.env["TEST_TIMES_FILE"];
if (log !== undefined) measure(log);

function measure(log: string): void {
  const started: Record<string, number> = {};
  const count = (what: string) => {
    started[what] = (started[what] ?? 0) + 1;
  };
  const onProcess = (message: unknown) => {
    const { process: child } = message as { process: { spawnfile?: string; once(event: string, f: () => void): void } };
    // The channel reports a child before its program is known.
    queueMicrotask(() => count(basename(child.spawnfile ?? "process")));
  };
  const onListen = () => count("server");
  const onDatabase = (engine: unknown) => count(`${String(engine)} database`);
  channel("child_process").subscribe(onProcess);
  channel("tracing:net.server.listen:asyncStart").subscribe(onListen);
  channel("docent.test.database").subscribe(onDatabase);
  const startedAt = performance.now();
  const cpuBefore = treeCpuSeconds();
  afterAll(() => {
    channel("child_process").unsubscribe(onProcess);
    channel("tracing:net.server.listen:asyncStart").unsubscribe(onListen);
    channel("docent.test.database").unsubscribe(onDatabase);
    const line: FileTimes = {
      file: expect.getState().testPath ?? "",
      wallSeconds: (performance.now() - startedAt) / 1000,
      cpuSeconds: treeCpuSeconds() - cpuBefore,
      started,
    };
    appendFileSync(log, `${JSON.stringify(line)}\n`);
  });
}

/** Processor seconds of this process, its living descendants, and all children that they have waited for. */
function treeCpuSeconds(): number {
  const stats = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
      stats.set(Number(name), { parent: fields[1] ?? 0, ticks });
    } catch {
      // It ended meanwhile.
    }
  }
  let total = 0;
  for (const [pid, { ticks }] of stats) if (descends(pid)) total += ticks;
  return total / 100;

  function descends(pid: number): boolean {
    for (let at: number | undefined = pid; at !== undefined && at > 0; at = stats.get(at)?.parent) {
      if (at === process.pid) return true;
    }
    return false;
  }
}
