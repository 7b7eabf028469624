import { AppError, errorText } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { readRelease } from "#lib/version.ts";
import { UsageError } from "./command/command.ts";
import { COMMANDS } from "./commands.ts";
import { helpOf, helpOn, overview, TOPICS } from "./help.ts";
import { type CommandIo, writeLine } from "./command/io.ts";
import { nearestTo } from "#lib/nearest.ts";

const COMMAND_NAMES = COMMANDS.map(({ name }) => name);

/** Runs a command line; returns the exit status. Some commands also set `process.exitCode`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    writeLine(io.stderr, overview());
    return 2;
  }
  if (name === "help" || name === "--help" || name === "-h") return help(rest, io);
  if (name === "--version" || name === "version") {
    writeLine(io.stdout, `docent ${readRelease()}, Node ${process.versions.node}`);
    return 0;
  }
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (!entry) {
    const near = nearestTo(name, COMMAND_NAMES);
    const hint = near === null ? `\n\n${overview()}` : ` Did you mean "docent ${near}"?`;
    writeLine(io.stderr, `docent: there is no command "${name}".${hint}`);
    return 2;
  }
  const command = await entry.load();
  const options = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : rest.length);
  if (options.includes("--help") || options.includes("-h")) {
    writeLine(io.stdout, helpOf(command, rest[0]));
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

async function help([topic, action]: readonly string[], io: CommandIo): Promise<number> {
  const text = topic === undefined ? overview() : await helpOn(topic, action);
  if (text !== null) {
    writeLine(io.stdout, text);
    return 0;
  }
  const near = nearestTo(topic ?? "", [...COMMAND_NAMES, ...Object.keys(TOPICS)]);
  const hint = near === null ? `\n\n${overview()}` : ` Did you mean "docent help ${near}"?`;
  writeLine(io.stderr, `docent: there is no command and no topic "${topic}".${hint}`);
  return 2;
}

/** Prints an error; returns the exit status. */
async function tell(error: unknown, command: string, io: CommandIo): Promise<number> {
  // Who runs a command on the server's machine can do something about its storage and its packages.
  const told = error instanceof AppError ? (error.reason ?? error.message) : null;
  const known = told ?? (await storeTrouble(error));
  writeLine(io.stderr, `docent: ${known ?? `unexpected failure: ${errorText(error)}`}`);
  if (known === null && error instanceof Error) writeLine(io.stderr, error.stack ?? "");
  if (error instanceof AppError && error.code === "invalid") {
    writeLine(io.stderr, `\`docent ${command} --help\` shows how it is used.`);
  }
  return error instanceof UsageError ? 2 : 1;
}

/** Describes a store error that the operator can fix; null for other errors. */
async function storeTrouble(error: unknown): Promise<string | null> {
  // Imported on demand: a command at a server has no store, and starts without its code.
  const { isOutOfReach, isStoreFull } = await import("#db/database.ts");
  if (isDiskFull(error) || isStoreFull(error))
    return `The disk is full or read-only (${errorText(error)}). What was done before stays. Free some space and try again.`;
  if (isOutOfReach(error)) return `The database is out of reach (${errorText(error)}). Try again when it is back.`;
  return null;
}
