import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { FileTimes } from "#testing/times-setup.ts";

const root = new URL("..", import.meta.url).pathname;

/** The table of `npm test -- --times`: what each test file cost and started, the longest first, with the sums at the end. */
export function timesTable(log: string): string {
  if (!existsSync(log)) return "No test file ran.";
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  const files = lines.map((line) => JSON.parse(line) as FileTimes);
  files.sort((one, other) => other.wallSeconds - one.wallSeconds);
  const sum = (what: "wallSeconds" | "cpuSeconds") => files.reduce((total, file) => total + file[what], 0);
  const row = (wall: number, cpu: number, rest: string) =>
    `${wall.toFixed(1).padStart(8)} ${cpu.toFixed(1).padStart(8)}  ${rest}`;
  return [
    "  wall s    cpu s  file, with the programs, servers and databases that it started",
    ...files.map((file) => {
      const started = Object.entries(file.started).map(([what, count]) => `${count} ${what}`);
      return row(file.wallSeconds, file.cpuSeconds, [relative(root, file.file), ...started].join(", "));
    }),
    row(sum("wallSeconds"), sum("cpuSeconds"), `${files.length} files`),
  ].join("\n");
}
