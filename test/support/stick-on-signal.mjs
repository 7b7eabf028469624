// Loaded into a process from outside (`NODE_OPTIONS=--import=…`): at SIGUSR2 its main thread never comes round again.
import { isMainThread } from "node:worker_threads";

if (isMainThread) process.on("SIGUSR2", spinForever);

function spinForever() {
  for (let turns = 0; ; turns++) if (turns < 0) throw new Error("unreachable");
}
