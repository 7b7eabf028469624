// How long the command takes to start: `npm run bench bench/command-start.ts -- [--runs 30] [--program FILE] [--node FILE]`.
// FILE is `bin/docent` of the checkout by default, or that of an installed package; --node is the Node that starts it.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "30" },
    program: { type: "string", default: path.join(import.meta.dirname, "..", "bin", "docent") },
    node: { type: "string", default: process.execPath },
  },
});

/** A server with one job, in a thread, because this one waits for the commands. */
const SERVER = `
const { createServer } = require("node:http");
const { parentPort } = require("node:worker_threads");
const server = createServer((_, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end('{"jobs": [], "nextCursor": null}');
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

const thread = new Worker(SERVER, { eval: true });
const [port] = (await once(thread, "message")) as [number];
const home = mkdtempSync(path.join(os.tmpdir(), "docent-start-"));
const env = {
  PATH: [path.dirname(values.node), "/usr/bin", "/bin"].join(path.delimiter),
  HOME: home,
  DOCENT_SERVER: `http://127.0.0.1:${port}`,
  DOCENT_PROJECT: "prj_bench",
  DOCENT_API_KEY: "docent_bench",
};

const COMMANDS = [
  ["--version"],
  ["help"],
  ["jobs", "--help"],
  ["jobs", "list", "prj_bench"],
  ["analytics", "visitors", "--help"],
  ["projects", "list", "--data", "none"],
];
for (const args of [null, ...COMMANDS]) {
  const times = Array.from({ length: Number(values.runs) + 2 }, () => timed(args)).slice(2);
  times.sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor((times.length - 1) * share)]!.toFixed(0)} ms`;
  console.log(
    `${(args ? `docent ${args.join(" ")}` : "node -e 0").padEnd(60)} least ${at(0)}, median ${at(0.5)}, 95 % ${at(0.95)}`,
  );
}
await thread.terminate();
rmSync(home, { recursive: true });

/** Milliseconds from the start of the process to its end; for Node alone if there is no command. */
function timed(args: readonly string[] | null): number {
  const startedAt = performance.now();
  const { error } = spawnSync(values.node, args ? [values.program, ...args] : ["-e", "0"], { env, cwd: home });
  if (error) throw error;
  return performance.now() - startedAt;
}
