import { text } from "node:stream/consumers";
import { AppError, errorText } from "#lib/app-error.ts";
import { analytics } from "./analytics.ts";
import { automations } from "./automations.ts";
import type { Command } from "./command.ts";
import { demo } from "./demo.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { projects } from "./projects.ts";
import { serve } from "./serve.ts";
import { webhooks } from "./webhooks.ts";

const COMMANDS: readonly Command[] = [serve, projects, keys, jobs, automations, webhooks, analytics, demo];

function help(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const lines = COMMANDS.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `docent: documentation from a git repository, with agents that open pull requests and exact visitor counts

Usage: docent COMMAND [options]

${lines.join("\n")}

\`docent COMMAND --help\` says more about each.`;
}

async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    writeLine(name === undefined ? io.stderr : io.stdout, help());
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    writeLine(io.stderr, `docent: there is no command "${name}".\n\n${help()}`);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    writeLine(io.stdout, command.usage);
    return 0;
  }
  try {
    await command.run(rest, io);
    return 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    writeLine(
      io.stderr,
      `docent: ${error instanceof AppError ? error.message : `unexpected failure: ${errorText(error)}`}`,
    );
    if (!(error instanceof AppError) && error instanceof Error) writeLine(io.stderr, error.stack ?? "");
    if (error instanceof AppError && error.code === "invalid") {
      writeLine(io.stderr, `\`docent ${command.name} --help\` shows how it is used.`);
    }
    return 1;
  }
}

// Node warns of its own unfinished features (stripping types at run time is one); people who run a command cannot act on that.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack ?? warning.message}\n`);
});
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
const exitCode = await run(process.argv.slice(2), {
  stdout: (line) => void process.stdout.write(line),
  stderr: (line) => void process.stderr.write(line),
  readInput: async () => (process.stdin.isTTY ? "" : text(process.stdin)),
  isTerminal: process.stderr.isTTY,
  signal: interrupt.signal,
});
process.exitCode ||= exitCode;
