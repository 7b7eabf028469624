import { createActivity } from "#lib/activity.ts";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { checkedAddresses } from "#git/process/checked-addresses.ts";
import { isObjectId, type ObjectId } from "#git/objects/objects.ts";
import { cutSecrets, GitError, type GitCommand, type Repository } from "#git/process/runner.ts";

/** How a git command reaches a remote repository. */
export interface Remote {
  /** `https://` or, where the server's settings allow it, `http://`; never with credentials. */
  url: string;
  /** Value of the Authorization header. It is passed only in the environment, not in an argument, file or URL. */
  authorization: Secret | null;
  /** Resolved and checked addresses of its host; git connects to no other. Empty: git resolves the name itself. */
  addresses: readonly string[];
}

/** A fetch, especially the first, may take minutes. */
export interface RemoteProgress {
  signal?: AbortSignal | undefined;
  /** Receives git's progress lines unchanged. */
  onProgress?: ((line: string) => void) | undefined;
  /** Called before a fetch, unless the remote has nothing new; a rejection aborts it. */
  beforeFetch?: (() => Promise<void>) | undefined;
}

export type RemotePush =
  | { outcome: "pushed" }
  /** The branch does not have its expected value. */
  | { outcome: "moved" }
  /** `reason` has the remote's own words, for `denied` and for unavailable names. */
  | { outcome: "rejected"; reason: string };

/**
 * Why communication with a remote failed. `away` may be temporary; `empty`: it has no branches; `full`: the local disk
 * is full, not the remote's; `sha256`: its objects have SHA-256 names, which ours cannot.
 */
export class RemoteError extends Error {
  readonly reason: "away" | "credential" | "missing" | "refused" | "empty" | "full" | "sha256";

  constructor(reason: RemoteError["reason"], cause?: GitError) {
    super(`the remote repository is ${reason}`, cause && { cause });
    this.name = "RemoteError";
    this.reason = reason;
  }
}

/** Git commands that connect to another server. */
export const remoteCommands = createActivity<{ command: string; url: string; failure?: RemoteError["reason"] }>(
  "remote git command",
);

const PUSH_TIMEOUT_MS = 5 * 60_000;

/** The branch that a remote's HEAD names; null while it has no branch. Throws `RemoteError`. */
export async function remoteDefaultBranch(repository: Pick<Repository, "run">, remote: Remote): Promise<string | null> {
  const { stdout } = await speakWith(repository, remote, {
    args: ["ls-remote", "--quiet", "--symref", "--end-of-options", remote.url, "HEAD"],
  });
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout.toString("utf8"))?.[1] ?? null;
}

/**
 * Moves a branch at the remote, not here, from `expected` (null: must not exist) to `commit`. The lease also allows
 * moves that are not fast-forward, so the caller ensures that `commit` descends from `expected`. Throws `RemoteError`.
 */
export async function pushBranch(
  repository: Repository,
  remote: Remote,
  { branch, commit, expected }: { branch: string; commit: ObjectId; expected: ObjectId | null },
): Promise<RemotePush> {
  const reference = `refs/heads/${branch}`;
  const command: GitCommand = {
    args: [
      "push",
      "--porcelain",
      "--no-verify",
      "--no-signed",
      `--force-with-lease=${reference}:${expected ?? ""}`,
      "--end-of-options",
      remote.url,
      `${commit}:${reference}`,
    ],
    answers: [0, 1],
    timeoutMs: PUSH_TIMEOUT_MS,
  };
  const answer = await speakWith(repository, remote, command).catch(refusalInWords);
  if ("refusal" in answer) return { outcome: "rejected", reason: answer.refusal };
  const { stdout, stderr, exitCode } = answer;
  // git-push(1), OUTPUT: "<flag>\t<from>:<to>\t<summary> (<reason>)"
  const [, flag, summary = ""] = /^(.)\t[^\t]*\t(.*)$/m.exec(stdout.toString("utf8")) ?? [];
  if (flag === undefined) throw remoteError(new GitError("push", exitCode, stderr));
  if (flag !== "!") return { outcome: "pushed" };
  if (/stale info|fetch first|non-fast-forward/.test(summary) || RACED.test(stderr)) return { outcome: "moved" };
  return { outcome: "rejected", reason: cutSecrets(rejection(summary, stderr), secretsOf(remote)) };
}

/** A remote's git 2 reports a lost race this way: another push moved the branch after the remote had listed it. */
const RACED = /cannot lock ref '[^']*': (?:is at \w+ but expected|reference already exists|reference is missing)/;

/** The remote's explanation of a refused push: its own lines, and git's reason in parentheses. */
function rejection(summary: string, stderr: string): string {
  const said = wordsOf(stderr);
  const reason = /\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$/.exec(summary)?.[1] ?? summary;
  return [...said, reason].join(" ").slice(0, 1_000);
}

const wordsOf = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => line.startsWith("remote:"))
    .map((line) => line.slice("remote:".length).trim())
    .filter((line) => line !== "");

/** A host that accepts the token but not the push, as for an archived repository, answers 403 with an explanation. */
function refusalInWords(error: unknown): { refusal: string } {
  const { stderr } = error instanceof RemoteError ? (error.cause as GitError) : { stderr: "" };
  const said = wordsOf(stderr).join(" ").slice(0, 1_000);
  if (said === "" || !/error: 403\b/.test(stderr)) throw error;
  return { refusal: said };
}

const MAX_TAG_LIST_BYTES = 32 * 1024 * 1024;

/** The tags of a remote with their target objects; annotated tags are dereferenced. Throws `RemoteError`. */
export async function listRemoteTags(
  repository: Pick<Repository, "run">,
  remote: Remote,
): Promise<Map<string, ObjectId>> {
  const { stdout } = await speakWith(repository, remote, {
    args: ["ls-remote", "--quiet", "--tags", "--end-of-options", remote.url],
    maxOutputBytes: MAX_TAG_LIST_BYTES,
  });
  const found = new Map<string, ObjectId>();
  for (const line of stdout.toString("utf8").split("\n")) {
    const [id = "", reference = ""] = line.split("\t");
    // git-ls-remote(1): an annotated tag is followed by its target, as `refs/tags/v1^{}`.
    if (isObjectId(id)) found.set(reference.slice("refs/tags/".length).replace(/\^\{\}$/, ""), id);
  }
  return found;
}

/** Runs a git command that connects to `remote`, with this server's restrictions. Throws `RemoteError`. */
export async function speakWith(repository: Pick<Repository, "run">, remote: Remote, command: GitCommand) {
  const { authorization, addresses } = remote;
  const url = new URL(remote.url);
  if (url.username || url.password) throw new AppError("invalid", "The address of a repository holds no credentials.");
  const whole: GitCommand = {
    ...command,
    protocols: [url.protocol === "http:" ? "http" : "https"],
    config: {
      ...command.config,
      ...checkedAddresses(url, addresses),
      "http.lowSpeedLimit": "1000",
      "http.lowSpeedTime": "30",
      "protocol.version": "2",
      ...(authorization && { [`http.${url.origin}/.extraHeader`]: `Authorization: ${authorization.reveal()}` }),
    },
    secrets: secretsOf(remote),
  };
  const traced: Parameters<typeof remoteCommands.run>[0] = { command: command.args[0] ?? "", url: remote.url };
  return remoteCommands.run(traced, async () => {
    try {
      return await repository.run(whole);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const failure = remoteError(error);
      traced.failure = failure.reason;
      throw failure;
    }
  });
}

/** The header, its credentials and their password: the remote may repeat any of them in its messages. */
function secretsOf({ authorization }: Remote): Secret[] {
  if (!authorization) return [];
  const credentials = authorization.reveal().replace(/^\S+ /, "");
  const password = Buffer.from(credentials, "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "");
  return [authorization, ...[credentials, password].filter(Boolean).map((text) => new Secret(text))];
}

function remoteError(error: GitError): RemoteError {
  const text = error.stderr;
  // Lines about the remote's own disk start with `remote:`.
  if (/^(?!remote:).*(?:No space left on device|Disk quota exceeded|Read-only file system)/m.test(text)) {
    return new RemoteError("full", error);
  }
  // Messages of libcurl and git with LC_ALL=C.UTF-8, git 2.39 to 2.51
  if (/authentication failed|could not read username|terminal prompts disabled|error: 40[13]\b/i.test(text)) {
    return new RemoteError("credential", error);
  }
  if (/repository .* not found|error: 404\b|error: 410\b/i.test(text)) return new RemoteError("missing", error);
  if (/error: 30[1-8]\b|unable to update url base from redirection|redirection/i.test(text)) {
    return new RemoteError("refused", error);
  }
  if (/mismatched algorithms|repository's (?:object format|hash algorithm)/.test(text)) {
    return new RemoteError("sha256", error);
  }
  return new RemoteError("away", error);
}
