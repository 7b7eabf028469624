// A small process that starts programs on behalf of a test process (program-starter.ts).
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import type { Start, Started } from "./messages.ts";

const [, , socketPath = ""] = process.argv;
const tell = (message: Started | "ready") => void process.send?.(message);

// Connections and messages each arrive in the order of the calls, but on separate channels.
const connections: Socket[] = [];
const requests: Start[] = [];

createServer({ pauseOnConnect: true }, (connection) => {
  connections.push(connection);
  startWhatIsComplete();
}).listen(socketPath, () => tell("ready"));
process.on("message", (request: Start) => {
  requests.push(request);
  startWhatIsComplete();
});
process.once("disconnect", () => {
  rmSync(path.dirname(socketPath), { recursive: true, force: true });
  process.exit();
});

function startWhatIsComplete(): void {
  for (let next = requests[0]; next !== undefined; next = requests[0]) {
    const pipes = next.stdio.filter((kind) => kind === "pipe").length;
    if (connections.length < pipes) return;
    requests.shift();
    start(next, connections.splice(0, pipes));
  }
}

function start({ id, command, args, stdio, ...options }: Start, pipes: readonly Socket[]): void {
  const left = pipes.values();
  const child = spawn(command, args, {
    ...options,
    stdio: stdio.map((kind) => (kind === "pipe" ? left.next().value : kind)),
  });
  child.once("error", (error) =>
    tell({ id, kind: "error", text: error.message, error, exitCode: child.exitCode ?? -1 }),
  );
  child.once("exit", (exitCode, signal) => tell({ id, kind: "exit", exitCode, signal }));
  if (child.pid !== undefined) tell({ id, kind: "pid", pid: child.pid });
  for (const pipe of pipes) pipe.destroy(); // the program has its own copy
}
