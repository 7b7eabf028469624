import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  statSync,
} from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";

/** Names of Docent's own files in its data directory. Others are left alone. */
const OURS =
  /^(?:docent\.sqlite(?:-wal|-shm|-journal)?|backup-\d+\.sqlite(?:-wal|-shm|-journal)?|repositories|journal|search|logs|secrets\.key|agents\.json|agent-addresses(?:-failing)?\.json|instance-id(?:\.new)?|server(?:-\d+)?\.json(?:\.new)?|server\.lock)$/;
const OTHERS = 0o077;

/** Whether a file in the data directory is Docent's own. A mounted volume may contain root's `lost+found`. */
export const isOurs = (name: string): boolean => OURS.test(name);

/**
 * Creates a data directory that only this process's user can read: folders 0700 and files 0600, regardless of the
 * umask. This also applies to files that this process and its children create later. `AppError invalid` says why it
 * cannot.
 */
export function openDataDirectory(directory: string): void {
  try {
    makeFolder(directory);
    const status = statSync(directory);
    if (!status.isDirectory()) throw new AppError("invalid", `${directory} is a file. Data needs a folder.`);
    refuseOtherOwner(directory, status);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const names = readdirSync(directory);
    if ((status.mode & OTHERS) !== 0) {
      if (names.length > 0 && !names.some((name) => OURS.test(name))) {
        throw new AppError(
          "invalid",
          `${directory} holds files that are not Docent's, and others may read it. Choose a folder of its own.`,
        );
      }
      chmodSync(directory, 0o700);
    }
    // This version created the directory, so the content of private folders is private, too.
    const trustFolders = names.includes("instance-id");
    for (const name of names) if (OURS.test(name)) makePrivate(path.join(directory, name), trustFolders);
    process.umask(OTHERS);
  } catch (error) {
    throw refusal(directory, error);
  }
}

/**
 * Creates parents one by one: Node's recursive mkdir (24.16) never ends below /proc, where a folder cannot be created.
 */
function makeFolder(directory: string): void {
  const missing: string[] = [];
  for (let at = directory; !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const at of missing) mkdirSync(at, at === directory ? 0o700 : 0o755);
}

/** `AppError invalid` if another user owns the path: unreadable content must not be mistaken for missing files. */
export function refuseOtherOwner(place: string, { uid }: Stats = statSync(place)): void {
  const own = process.geteuid?.() ?? uid;
  if (uid === own) return;
  throw new AppError(
    "invalid",
    `${place} belongs to user ${uid}, and this process runs as user ${own}. Run it as user ${uid}, ` +
      `or give the data directory to this one: chown -R ${own} DIRECTORY`,
  );
}

/** Restricts a folder after its content, so that the next start can finish an interrupted one. */
function makePrivate(place: string, trustFolders: boolean): void {
  const status = lstatSync(place, { throwIfNoEntry: false }); // another process may have deleted it
  if (status === undefined || status.isSymbolicLink()) return;
  refuseOtherOwner(place, status);
  const isPrivate = (status.mode & OTHERS) === 0;
  if (status.isDirectory() && !(isPrivate && trustFolders)) {
    for (const name of readdirSync(place)) makePrivate(path.join(place, name), trustFolders);
  }
  if (!isPrivate) chmodSync(place, status.mode & 0o700);
}

const REASONS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not change it",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "there is something else at this place",
  ENOSPC: "the disk is full",
  ENOENT: "no folder can be made there",
};

function refusal(directory: string, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  return new AppError(
    "invalid",
    `The data directory ${directory} cannot be used: ${REASONS[code] ?? error.message}. Choose another with --data.`,
    { cause: error },
  );
}
