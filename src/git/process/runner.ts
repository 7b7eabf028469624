import { AppError } from "#lib/app-error.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { runSubprocess } from "#lib/subprocess.ts";
import { startFailure } from "./repository-missing.ts";

/** Environment variables that git inherits: `PATH`, proxies, certificate files. */
export type GitEnvironment = Readonly<Record<string, string>>;

/** Default search path for git. */
export const DEFAULT_GIT_ENVIRONMENT: GitEnvironment = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
};

export interface GitSettings {
  environment: GitEnvironment;
  /** The repository; git never searches for it. */
  directory?: string | undefined;
  /** Transports that this call may use. */
  protocols?: readonly ("https" | "http" | "file")[] | undefined;
  /** A list sets a name several times. */
  config?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Replaces the user's configuration; unlike `config` it also applies to `upload-pack` of a local path. */
  configFile?: string | undefined;
}

// Configuration of a repository or user must not run a program, follow a link or connect to a host.
const HARDENED_CONFIG: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.symlinks": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  "core.quotePath": "false",
  "core.fsync": "all",
  "core.logAllRefUpdates": "false",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "http.followRedirects": "initial",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  // The repositories may be on a volume that belongs to another user; nothing in them is run (see above).
  "safe.directory": "*",
  "submodule.recurse": "false",
  "transfer.credentialsInUrl": "die",
};

/** The whole environment of a git process. It inherits nothing, and all settings are in it, none in the arguments. */
export function gitEnvironment(settings: GitSettings): Record<string, string> {
  const config = Object.entries({
    ...HARDENED_CONFIG,
    ...Object.fromEntries((settings.protocols ?? []).map((name) => [`protocol.${name}.allow`, "always"])),
    ...settings.config,
  }).flatMap(([key, value]) =>
    (typeof value === "string" ? [value] : value).map((each): [string, string] => [key, each]),
  );
  return {
    ...settings.environment,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: settings.configFile ?? "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    ...(settings.directory === undefined ? {} : { GIT_DIR: settings.directory }),
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** Git exited with an unexpected code. Internal: its text never reaches a client. */
export class GitError extends Error {
  readonly command: string;
  readonly exitCode: number | null;
  readonly stderr: string;
  /** ENOSPC or EROFS if the disk rejected a write, which git reports only as text (LC_ALL is C). */
  readonly code: string | undefined;

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} ended with ${exitCode ?? "a signal"}: ${stderr.trim().slice(-2_000)}`);
    this.name = "GitError";
    this.command = command;
    this.exitCode = exitCode;
    this.stderr = stderr;
    this.code = /No space left on device|Disk quota exceeded/.test(stderr)
      ? "ENOSPC"
      : /Read-only file system/.test(stderr)
        ? "EROFS"
        : undefined;
  }
}

export interface GitCommand extends Omit<GitSettings, "environment"> {
  args: readonly string[];
  workingDirectory?: string | undefined;
  input?: Uint8Array | string | undefined;
  /** Expected exit codes; default 0 only. */
  answers?: readonly number[] | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxOutputBytes?: number | undefined;
  onStderr?: ((text: string) => void) | undefined;
  /** Values to remove from every error text. */
  secrets?: readonly Secret[] | undefined;
}

export interface GitAnswer {
  exitCode: number;
  stdout: Buffer;
  stderr: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Runs one git command to its end. Throws `GitError` on an unexpected exit code, `AppError unavailable` on a timeout or
 * if git is missing, `AppError too_large` on too much output.
 */
export type GitRunner = (command: GitCommand) => Promise<GitAnswer>;

/** A bare repository and a function that runs git on it. */
export interface Repository {
  directory: string;
  run: GitRunner;
}

export function repositoryAt(run: GitRunner, directory: string): Repository {
  return { directory, run: (command) => run({ ...command, directory }) };
}

/**
 * Runs at most `maxProcesses` at once, not all of them on one repository. Further calls wait, and their timeout starts
 * when they run.
 */
export function createGitRunner(options: { environment: GitEnvironment; maxProcesses: number }): GitRunner {
  const places = createFairPlaces({ places: options.maxProcesses });
  return (command) => places.run(command.directory ?? "", () => runGit(options.environment, command));
}

async function runGit(environment: GitEnvironment, command: GitCommand): Promise<GitAnswer> {
  const [name = ""] = command.args;
  const workingDirectory = command.workingDirectory ?? command.directory;
  const result = await runSubprocess({
    command: "git",
    args: command.args,
    env: gitEnvironment({ ...command, environment }),
    timeoutMs: command.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxOutputBytes: command.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES,
    ...(workingDirectory === undefined ? {} : { cwd: workingDirectory }),
    ...(command.input === undefined ? {} : { input: command.input }),
    ...(command.signal === undefined ? {} : { signal: command.signal }),
    ...(command.onStderr === undefined ? {} : { onStderr: command.onStderr }),
  }).catch((error: unknown) => {
    command.signal?.throwIfAborted();
    throw startFailure(workingDirectory, "Git could not be started.", error);
  });
  const stderr = cutSecrets(result.stderr, command.secrets ?? []);
  if (result.timedOut) throw new AppError("unavailable", `Git took too long (${name}).`);
  if (result.outputTooLarge) throw new AppError("too_large", "The repository holds more than can be read at once.");
  const { exitCode } = result;
  if (exitCode === null || !(command.answers ?? [0]).includes(exitCode)) {
    throw new GitError(name, exitCode, stderr);
  }
  return { exitCode, stdout: result.stdout, stderr };
}

/** Removes every secret from a text, plain and in base64. */
export function cutSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((rest, secret) => {
    const value = secret.reveal();
    if (value === "") return rest;
    return rest.replaceAll(value, "[redacted]").replaceAll(Buffer.from(value).toString("base64"), "[redacted]");
  }, text);
}
