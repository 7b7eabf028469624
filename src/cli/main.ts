import { AppError, errorText } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { readVersion } from "#lib/version.ts";
import { UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { helpOn, overview } from "./help.ts";
import { type CommandIo, writeLine } from "./io.ts";

async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    writeLine(io.stderr, overview());
    return 2;
  }
  if (name === "help" || name === "--help" || name === "-h") return help(rest, io);
  if (name === "--version" || name === "version") {
    writeLine(io.stdout, `docent ${readVersion()} (Node ${process.version})`);
    return 0;
  }
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (!entry) {
    writeLine(io.stderr, `docent: there is no command "${name}".\n\n${overview()}`);
    return 2;
  }
  const command = await entry.load();
  const options = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : rest.length);
  if (options.includes("--help") || options.includes("-h")) {
    writeLine(io.stdout, command.usage);
    return 0;
  }
  const isQuiet = options.includes("--quiet") || options.includes("-q");
  try {
    await command.run(rest, isQuiet ? { ...io, stderr: () => undefined, isTerminal: false } : io);
    return 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    return tell(error, entry.name, io);
  }
}

async function help([topic]: readonly string[], io: CommandIo): Promise<number> {
  const text = topic === undefined ? overview() : await helpOn(topic);
  if (text !== null) {
    writeLine(io.stdout, text);
    return 0;
  }
  writeLine(io.stderr, `docent: there is no command and no topic "${topic}".\n\n${overview()}`);
  return 2;
}

/** Says what went wrong; answers with the exit status. */
async function tell(error: unknown, command: string, io: CommandIo): Promise<number> {
  const known = error instanceof AppError ? error.message : await storeTrouble(error);
  writeLine(io.stderr, `docent: ${known ?? `unexpected failure: ${errorText(error)}`}`);
  if (known === null && error instanceof Error) writeLine(io.stderr, error.stack ?? "");
  if (error instanceof AppError && error.code === "invalid") {
    writeLine(io.stderr, `\`docent ${command} --help\` shows how it is used.`);
  }
  return error instanceof UsageError ? 2 : 1;
}

/** What the operator can mend, in a sentence; null for what is not known. */
async function storeTrouble(error: unknown): Promise<string | null> {
  // Loaded for this alone: a command at a server has no store, and starts without its code.
  const { isOutOfReach, isStoreFull } = await import("#db/database.ts");
  if (isDiskFull(error) || isStoreFull(error))
    return `The disk is full or read-only (${errorText(error)}). What was done before stays. Free some space and try again.`;
  if (isOutOfReach(error)) return `The database is out of reach (${errorText(error)}). Try again when it is back.`;
  return null;
}

// Node warns of its own unfinished features (stripping types at run time is one); people who run a command cannot act on that.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack ?? warning.message}\n`);
});
// `docent … | head` closes the pipe when it has enough: nothing to say about that.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
// Whoever read what is said may be gone, as a demo that was killed: a server stops in order all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => interrupt.abort());
// A part of the server that was left behind, which the log names, may hold the process by its sockets.
const STOP_LIMIT_MS = 7_500;
if (process.argv[2] === "serve") {
  interrupt.signal.addEventListener("abort", () => setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref());
}
// `bin/docent` under an older Node, and the demo, start this one with a channel: it closes when they end, also by kill -9.
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
