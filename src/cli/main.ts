import { run } from "./run.ts";

// Hides Node's warnings about experimental features, such as type stripping: users of a command cannot act on them.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack ?? warning.message}\n`);
});
// `docent … | head` closes the pipe when it has enough, which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
// The reader of the output may have exited, such as a killed demo. A server still shuts down cleanly.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => interrupt.abort());
// A part of the server that hangs, which the log names, may keep the process alive through its sockets.
const STOP_LIMIT_MS = 7_500;
if (process.argv[2] === "serve") {
  interrupt.signal.addEventListener("abort", () => setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref());
}
// `bin/docent` under an older Node and the demo start this process with an IPC channel, which closes when they exit,
// even by kill -9.
if (process.argv[2] === "serve" && process.channel) {
  process.once("disconnect", () => interrupt.abort());
  process.channel.unref();
}
const exitCode = await run(process.argv.slice(2), {
  stdout: (line) => void process.stdout.write(line),
  stderr: (line) => void process.stderr.write(line),
  readInput: async () => (process.stdin.isTTY ? "" : (await import("node:stream/consumers")).text(process.stdin)),
  confirm: async (question) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
    const { createInterface } = await import("node:readline/promises");
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `, { signal: interrupt.signal })).trim());
    } finally {
      prompt.close();
    }
  },
  isTerminal: process.stderr.isTTY,
  signal: interrupt.signal,
});
process.exitCode ||= exitCode;
