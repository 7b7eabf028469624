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

/** What Docent itself keeps in its data directory; nothing else in it is touched. */
const OURS =
  /^(?:docent\.sqlite(?:-wal|-shm|-journal)?|backup-\d+\.sqlite(?:-journal)?|repositories|journal|search|logs|secrets\.key|agents\.json|agent-addresses\.json|instance-id(?:\.new)?|server(?:-\d+)?\.json(?:\.new)?|server\.lock)$/;
const OTHERS = 0o077;

/** Whether Docent itself keeps this in its data directory, which may be a mounted volume with a `lost+found` of root. */
export const isOurs = (name: string): boolean => OURS.test(name);

/**
 * Makes a data directory that only this process's user can read: folders 0700 and files 0600, whatever the umask was.
 * That holds for everything that this process and its children make later. `AppError invalid` says what is wrong when it cannot.
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
    // Made by this version: what is in a folder that is private already was made private with it.
    const trustFolders = names.includes("instance-id");
    for (const name of names) if (OURS.test(name)) makePrivate(path.join(directory, name), trustFolders);
    process.umask(OTHERS);
  } catch (error) {
    throw refusal(directory, error);
  }
}

/** Step by step: Node's own way (24.16) never ends below /proc, where a folder cannot be made and is not there either. */
function makeFolder(directory: string): void {
  const missing: string[] = [];
  for (let at = directory; !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const at of missing) mkdirSync(at, at === directory ? 0o700 : 0o755);
}

/** `AppError invalid` when the place is another user's: what is in it cannot be seen, and must not be taken for missing. */
export function refuseOtherOwner(place: string, { uid }: Stats = statSync(place)): void {
  const own = process.geteuid?.() ?? uid;
  if (uid === own) return;
  throw new AppError(
    "invalid",
    `${place} belongs to user ${uid}, and this process runs as user ${own}. Run it as user ${uid}, ` +
      `or give the data directory to this one: chown -R ${own} DIRECTORY`,
  );
}

/** A folder loses its own rights for others last, so that a start that was cut short is made up for by the next. */
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
