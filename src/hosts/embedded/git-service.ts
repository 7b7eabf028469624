import { spawn } from "node:child_process";
import { type Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type GitEnvironment, gitEnvironment } from "#git/process/runner.ts";
import { killGroup } from "#lib/subprocess.ts";

export type ServiceName = "git-upload-pack" | "git-receive-pack";

export interface GitService {
  stdout: Readable;
  /** Exit code and the last of standard error, when the process has ended. */
  ended: Promise<{ exitCode: number | null; stderr: string }>;
  kill(): void;
}

const MAX_STDERR_LENGTH = 16 * 1024;

// Internal references stay internal; a pack is checked whole before any of it becomes visible.
const SERVICE_CONFIG = {
  "uploadpack.allowFilter": "true",
  "receive.fsckObjects": "true",
  // Git refuses what is hidden at the reference itself, and takes the rest of the push.
  "receive.hideRefs": ["refs/", "!refs/heads/", "!refs/tags/"],
  "transfer.hideRefs": "refs/docent",
  "receive.denyCurrentBranch": "ignore",
  "receive.denyDeleteCurrent": "ignore",
  "receive.autogc": "false",
  "receive.updateServerInfo": "false",
};

/**
 * Starts one side of the smart protocol on a repository, as `git http-backend` would, without its detour over CGI.
 * `signal` and `timeoutMs` end the whole process group.
 */
export function startGitService(options: {
  service: ServiceName;
  directory: string;
  environment: GitEnvironment;
  /** The list of references in place of a conversation. */
  advertise: boolean;
  protocol: string | null;
  body: Readable | null;
  maxPackBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}): GitService {
  const [, command = ""] = options.service.split("git-");
  const mode = options.advertise ? ["--http-backend-info-refs"] : [];
  const child = spawn("git", [command, "--stateless-rpc", ...mode, options.directory], {
    cwd: options.directory,
    env: {
      ...gitEnvironment({
        environment: options.environment,
        config: { ...SERVICE_CONFIG, "receive.maxInputSize": String(options.maxPackBytes) },
      }),
      ...(options.protocol === null ? {} : { GIT_PROTOCOL: options.protocol }),
    },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) killGroup(child);
  };
  const timer = setTimeout(kill, options.timeoutMs);
  options.signal.addEventListener("abort", kill, { once: true });
  if (options.signal.aborted) kill();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-MAX_STDERR_LENGTH);
  });
  if (options.body) pipeline(options.body, child.stdin).catch(() => child.stdin.destroy());
  else child.stdin.end();
  const { promise: ended, resolve } = Promise.withResolvers<{ exitCode: number | null; stderr: string }>();
  const finish = (exitCode: number | null, text: string) => {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", kill);
    resolve({ exitCode, stderr: text });
  };
  child.once("error", (error) => finish(null, error.message));
  child.once("close", (exitCode) => finish(exitCode, stderr));
  return { stdout: child.stdout, ended, kill };
}

/** Fails a stream that carries more than `maxBytes`. */
export function limitBytes(maxBytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxBytes) done(new Error("The request is too large."));
      else done(null, chunk);
    },
  });
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** What a service writes, whole; it is ended with it. */
export async function readAnswer(git: GitService): Promise<Buffer> {
  try {
    return await buffer(git.stdout.pipe(limitBytes(MAX_ANSWER_BYTES)));
  } finally {
    git.kill(); // without effect on a process that has ended
  }
}
