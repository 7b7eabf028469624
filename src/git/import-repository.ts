import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "#lib/app-error.ts";
import { checkedAddresses } from "./process/checked-addresses.ts";
import { withinDiskLimit } from "./mirror/disk-limit.ts";
import { isBranchName, listBranches } from "./refs/references.ts";
import { writeConfiguration } from "./repository-directory.ts";
import { createLineSplitter } from "./transfer/progress-lines.ts";
import { GitError, type GitRunner, repositoryAt } from "./process/runner.ts";
import { TOLERATED_FLAWS } from "./transfer/tolerated-flaws.ts";

export type ImportSource = { transport: "https"; url: string } | { transport: "file"; path: string };

/** Parses a user's import source. Throws `AppError invalid` for every transport except https and the local disk. */
export function parseSource(source: string): ImportSource {
  if (source.includes("\0") || source.trim() === "") throw refused("The source of the repository is empty.");
  if (/^https:\/\//i.test(source)) {
    if (!URL.canParse(source)) throw refused("The address of the repository is not a valid URL.");
    const url = new URL(source);
    if (url.username || url.password) throw refused("The address of the repository must not contain credentials.");
    return { transport: "https", url: url.href };
  }
  if (/^file:\/\/\//i.test(source)) return { transport: "file", path: fileURLToPath(source) };
  if (/^[a-z][a-z0-9+.-]*:(\/\/|:)/i.test(source)) {
    throw refused("A repository is imported from a local folder or from an https address.");
  }
  return { transport: "file", path: path.resolve(source) };
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError("invalid", message, { details: [{ path: "source", message }], cause });
}

const CLONE = ["clone", "--bare", "--no-local", "--template=", "--progress", "--end-of-options"];
const CLONE_TIMEOUT_MS = 30 * 60_000;

// `upload-pack` on the source reads this file and not our environment: no hooks run, whichever user owns the folder.
const SOURCE_CONFIG = `[safe]
\tdirectory = *
[core]
\thooksPath = /dev/null
\tfsmonitor = false
[uploadpack]
\tallowFilter = false
`;

export interface ImportOptions {
  source: ImportSource;
  branch: string | null;
  /** Git connects only to these, and follows no redirect. */
  addresses?: readonly string[] | undefined;
  run: GitRunner;
  /** Maximum size on disk. */
  maxBytes: number;
  signal: AbortSignal | undefined;
  onProgress?: ((line: string) => void) | undefined;
}

/** Copies branches and tags of a repository into a new bare one, and returns the branch to host. */
export async function importRepository(directory: string, options: ImportOptions): Promise<{ branch: string }> {
  const { source } = options;
  if (options.branch !== null && !isBranchName(options.branch)) throw refused("This is not a valid branch name.");
  if (source.transport === "file") await requireFolder(source.path);
  const configFile = path.join(path.dirname(directory), "source.gitconfig");
  await writeFile(configFile, SOURCE_CONFIG);
  try {
    await withinDiskLimit(directory, options, (signal) =>
      options.run({
        workingDirectory: path.dirname(directory),
        configFile,
        protocols: [source.transport],
        config: {
          "fetch.fsckObjects": "true",
          ...Object.fromEntries(TOLERATED_FLAWS.map((id) => [`fetch.fsck.${id}`, "ignore"])),
          "lsrefs.unborn": "allow",
          "clone.defaultRemoteName": "origin",
          ...(source.transport === "https" &&
            options.addresses &&
            checkedAddresses(new URL(source.url), options.addresses)),
        },
        args: [...CLONE, source.transport === "https" ? source.url : source.path, directory],
        signal,
        timeoutMs: CLONE_TIMEOUT_MS,
        onStderr: options.onProgress && createLineSplitter(options.onProgress),
      }),
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw refused(importFailure(error.stderr, source.transport), error);
  }
  // The copy of a repository without commits is SHA-1; a later push from its source would fail without a reason.
  const checked = source.transport === "file" ? [directory, source.path, path.join(source.path, ".git")] : [directory];
  if ((await Promise.all(checked.map(hasSha256Names))).includes(true)) {
    throw refused(
      "The repository names its commits by SHA-256, which is not supported. Push its files into a repository made with git init --object-format=sha1.",
    );
  }
  await writeConfiguration(directory);
  const branch = await chooseBranch(directory, options);
  await writeFile(path.join(directory, "HEAD"), `ref: refs/heads/${branch}\n`, { flush: true });
  return { branch };
}

async function hasSha256Names(repository: string): Promise<boolean> {
  const config = await readFile(path.join(repository, "config"), "utf8").catch(() => "");
  return /^[ \t]*objectformat[ \t]*=[ \t]*sha256/im.test(config);
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw refused(`There is no folder ${folder}.`);
}

/** The requested branch, else the source's HEAD, the only branch, main or master. An empty repository keeps its HEAD. */
async function chooseBranch(directory: string, options: ImportOptions): Promise<string> {
  const branches = (await listBranches(repositoryAt(options.run, directory))).map(({ name }) => name);
  const head = /^ref: refs\/heads\/(.+)$/m.exec(await readFile(path.join(directory, "HEAD"), "utf8"))?.[1]?.trim();
  if (branches.length === 0) return options.branch ?? (head && isBranchName(head) ? head : "main");
  const known = branches.slice(0, 10).join(", ") + (branches.length > 10 ? ", …" : "");
  if (options.branch !== null) {
    if (branches.includes(options.branch)) return options.branch;
    throw refused(`The repository has no branch ${options.branch}. It has: ${known}.`);
  }
  const usual = [head, branches.length === 1 ? branches[0] : undefined, "main", "master"];
  const found = usual.find((name) => name !== undefined && branches.includes(name));
  if (found === undefined) throw refused(`The repository has no default branch: name one of ${known}.`);
  return found;
}

/** A message for the user; git's own text goes only to the log. */
function importFailure(stderr: string, transport: ImportSource["transport"]): string {
  if (/not appear to be a git repository|not a git repository|repository '.*' does not exist/i.test(stderr)) {
    return transport === "file"
      ? "This folder is not a git repository. Run git init in it and commit its files, or upload it as a ZIP file in the browser."
      : "There is no git repository at this address.";
  }
  if (/could not resolve host|connection (refused|timed out)|failed to connect/i.test(stderr)) {
    return "The server of the repository does not answer.";
  }
  if (
    /authentication failed|could not read username|terminal prompts disabled|repository .* not found|\b40[134]\b/i.test(
      stderr,
    )
  ) {
    return "The repository does not exist or is not public.";
  }
  if (/possible repository corruption|upload-pack: not our ref|unable to read (?:tree|sha1)|bad object/i.test(stderr)) {
    return "Files or commits are missing in the repository, so it cannot be copied whole: git fsck names them. A partial clone gets them with git fetch --refetch --no-filter.";
  }
  if (/permission denied/i.test(stderr)) return "The repository cannot be read: permission denied.";
  return "The repository could not be copied: git refused it.";
}
