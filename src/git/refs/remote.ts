import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { checkedAddresses } from "#git/process/checked-addresses.ts";
import { isObjectId, type ObjectId } from "#git/objects/objects.ts";
import { cutSecrets, GitError, type GitCommand, type Repository } from "#git/process/runner.ts";

/** A repository elsewhere, as one command of git reaches it. */
export interface Remote {
  /** `https://` or, where the server's settings allow it, `http://`; never with credentials. */
  url: string;
  /** Value of the Authorization header. It travels in the environment alone: no argument, file or remote holds it. */
  authorization: Secret | null;
  /** Addresses that its name was resolved to and checked; git connects to no other. Empty: git resolves the name itself. */
  addresses: readonly string[];
}

/** A fetch may take minutes, the first one above all. */
export interface RemoteProgress {
  signal?: AbortSignal | undefined;
  /** Lines as git writes them. */
  onProgress?: ((line: string) => void) | undefined;
  /** Called before something is fetched, and not while a remote has nothing new; a rejection ends it. */
  beforeFetch?: (() => Promise<void>) | undefined;
}

export type RemotePush =
  | { outcome: "pushed" }
  /** The branch is not where it was expected. */
  | { outcome: "moved" }
  /** The other side's own words, for `denied` and for names that cannot be had. */
  | { outcome: "rejected"; reason: string };

/** How git failed to speak with the other side. `away` may pass by itself; `empty`: it has no branch at all; `full`: not it, but the disk here, takes no more. */
export class RemoteError extends Error {
  readonly reason: "away" | "credential" | "missing" | "refused" | "empty" | "full";

  constructor(reason: RemoteError["reason"], cause?: GitError) {
    super(`the remote repository is ${reason}`, cause && { cause });
    this.name = "RemoteError";
    this.reason = reason;
  }
}

const PUSH_TIMEOUT_MS = 5 * 60_000;

/** The branch that a remote's HEAD names; null when it has no branch yet. Throws `RemoteError`. */
export async function remoteDefaultBranch(repository: Pick<Repository, "run">, remote: Remote): Promise<string | null> {
  const { stdout } = await speakWith(repository, remote, {
    args: ["ls-remote", "--quiet", "--symref", "--end-of-options", remote.url, "HEAD"],
  });
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout.toString("utf8"))?.[1] ?? null;
}

/**
 * Moves a branch at the remote, not here, from `expected` (null: must not exist) to `commit`. It forces nothing but the lease, so
 * `commit` has to hold `expected`, which the caller sees to. Throws `RemoteError`.
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

/** Somebody was faster after the other side had shown its branches: what its git 2 says of the lock that it did not get. */
const RACED = /cannot lock ref '[^']*': (?:is at \w+ but expected|reference already exists|reference is missing)/;

/** What the other side says of a refused push: its own lines, and git's reason in brackets. */
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

/** A host that knows the token and takes no push, as into an archived repository, answers 403 with a sentence. */
function refusalInWords(error: unknown): { refusal: string } {
  const { stderr } = error instanceof RemoteError ? (error.cause as GitError) : { stderr: "" };
  const said = wordsOf(stderr).join(" ").slice(0, 1_000);
  if (said === "" || !/error: 403\b/.test(stderr)) throw error;
  return { refusal: said };
}

const MAX_TAG_LIST_BYTES = 32 * 1024 * 1024;

/** The tags of a remote with the objects that they name: of an annotated one what it is about. Throws `RemoteError`. */
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
    // git-ls-remote(1): what an annotated tag is about follows it, as `refs/tags/v1^{}`.
    if (isObjectId(id)) found.set(reference.slice("refs/tags/".length).replace(/\^\{\}$/, ""), id);
  }
  return found;
}

/** Runs a command of git that speaks with `remote`, as this server may. Throws `RemoteError`. */
export async function speakWith(repository: Pick<Repository, "run">, remote: Remote, command: GitCommand) {
  const { authorization, addresses } = remote;
  const url = new URL(remote.url);
  if (url.username || url.password) throw new AppError("invalid", "The address of a repository holds no credentials.");
  try {
    return await repository.run({
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
    });
  } catch (error) {
    throw error instanceof GitError ? remoteError(error) : error;
  }
}

/** The header, its credentials and the password in them: the other side may repeat any of them in what it says. */
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
  // What the other side says of its own disk comes in lines that say so.
  if (/^(?!remote:).*(?:No space left on device|Disk quota exceeded|Read-only file system)/m.test(text)) {
    return new RemoteError("full", error);
  }
  // libcurl's and git's own words with LC_ALL=C.UTF-8, git 2.39 to 2.51
  if (/authentication failed|could not read username|terminal prompts disabled|error: 40[13]\b/i.test(text)) {
    return new RemoteError("credential", error);
  }
  if (/repository .* not found|error: 404\b|error: 410\b/i.test(text)) return new RemoteError("missing", error);
  if (/error: 30[1-8]\b|unable to update url base from redirection|redirection/i.test(text)) {
    return new RemoteError("refused", error);
  }
  return new RemoteError("away", error);
}
