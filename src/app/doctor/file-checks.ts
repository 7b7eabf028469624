import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#app/instance/config.ts";
import { isOurs } from "#app/instance/data-directory.ts";
import { countOf, type Diagnosis, type DoctorInput, diagnose } from "./diagnosis.ts";

const CHECK = "files";
const SHOWN = 3;

interface Found {
  foreign: string[];
  closed: string[];
}

/**
 * Checks that this user owns and can access all files of Docent in the data directory. Other files look missing or
 * damaged to later checks.
 */
export async function checkFiles(
  { dataDirectory }: Config,
  { signal }: Pick<DoctorInput, "signal">,
): Promise<Diagnosis[]> {
  const found: Found = { foreign: [], closed: [] };
  const own = process.geteuid?.();
  const names = (await readdir(dataDirectory)).filter(isOurs);
  if (own !== undefined) await look(dataDirectory, names, { own, signal, found });
  const shown = (places: string[]) => {
    const first = places.slice(0, SHOWN).map((place) => path.relative(dataDirectory, place));
    return `${first.join(", ")}${places.length > SHOWN ? ` and ${places.length - SHOWN} more` : ""}`;
  };
  const problems: Diagnosis[] = [];
  if (found.foreign.length > 0) {
    const words = `${countOf(found.foreign.length, "file or folder belongs", "files or folders belong")} to another user: ${shown(found.foreign)}.`;
    problems.push(diagnose.problem(CHECK, words, `As root: chown -R ${own} ${dataDirectory}`));
  }
  if (found.closed.length > 0) {
    const words = `This user may not use ${countOf(found.closed.length, "file or folder", "files or folders")}: ${shown(found.closed)}.`;
    problems.push(diagnose.problem(CHECK, words, `chmod -R u+rwX ${dataDirectory}`));
  }
  return problems.length > 0 ? problems : [diagnose.ok(CHECK, "All files belong to the user of this command.")];
}

async function look(
  folder: string,
  names: readonly string[],
  options: { own: number; signal: AbortSignal; found: Found },
): Promise<void> {
  const { own, signal, found } = options;
  for (const name of names) {
    signal.throwIfAborted();
    const place = path.join(folder, name);
    const status = await lstat(place).catch(() => null); // the server deleted it
    if (status === null) continue;
    const isFolder = status.isDirectory();
    const needed = isFolder ? 0o700 : 0o400;
    if (status.uid !== own) found.foreign.push(place);
    else if (!status.isSymbolicLink() && (status.mode & needed) !== needed) found.closed.push(place);
    else if (isFolder) await look(place, await readdir(place).catch(ifMissing), options);
  }
}

function ifMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
