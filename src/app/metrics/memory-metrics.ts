import { readFile } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";

/** Where the memory of the server and its child processes is. On systems other than Linux only the heap and the buffers are known. */
export function addMemoryMetrics(registry: Registry): void {
  new Gauge({
    name: "docent_memory_bytes",
    help: "Memory by part. The sum is what the server and its child processes take.",
    labelNames: ["part"],
    registers: [registry],
    async collect() {
      const { heapTotal, arrayBuffers } = process.memoryUsage();
      this.set({ part: "heap" }, heapTotal);
      this.set({ part: "buffers" }, arrayBuffers);
      const own = await residentBytes("self");
      if (own === null) return;
      this.set({ part: "other" }, Math.max(0, own.anonymous - heapTotal - arrayBuffers));
      this.set({ part: "program" }, own.files);
      const children = await readText(`/proc/self/task/${process.pid}/children`);
      const looks = await Promise.all((children?.trim().split(" ") ?? []).map(residentBytes));
      this.set({ part: "children" }, looks.reduce((sum, child) => sum + (child?.anonymous ?? 0), 0)); // oxfmt-ignore
    },
  });
}

/** A process's own memory, and the part of its files that is in memory, which it shares with other processes (proc(5)). */
async function residentBytes(pid: string): Promise<{ anonymous: number; files: number } | null> {
  const status = await readText(`/proc/${pid}/status`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status ?? "")?.[1] ?? 0);
  return status === null ? null : { anonymous: kilobytes("RssAnon") * 1_024, files: kilobytes("RssFile") * 1_024 };
}

const readText = (file: string) => readFile(file, "utf8").catch(() => null);
