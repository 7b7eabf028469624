import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Registry } from "prom-client";

const RESOLUTION_MS = 20;

/**
 * Process metrics under the conventional names that dashboards expect. The default list of prom-client is four times as
 * long.
 */
export function addProcessMetrics(registry: Registry, { version }: { version: string }): Disposable {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  new Gauge({
    name: "docent_build_info",
    help: "1, with the version as a label.",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970.",
    registers,
  }).set(Math.round(Date.now() / 1_000 - process.uptime()));
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time of the server process, without render processes.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory of the server process, without render processes.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "nodejs_heap_size_used_bytes",
    help: "JavaScript heap in use.",
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Gauge({
    name: "process_open_fds",
    help: "Open files and connections (Linux).",
    registers,
    async collect() {
      const open = await readdir("/proc/self/fd").catch(() => null);
      if (open) this.set(open.length);
    },
  });
  new Gauge({
    name: "nodejs_eventloop_lag_p99_seconds",
    help: "99th percentile of the delay of the event loop since the last scrape.",
    registers,
    collect() {
      this.set(Math.max(0, (delay.percentile(99) || 0) / 1e9 - RESOLUTION_MS / 1_000));
      delay.reset();
    },
  });
  return { [Symbol.dispose]: () => void delay.disable() };
}
