import { readdir } from "node:fs/promises";
import path from "node:path";
import { repositoryFault, sqliteFaults } from "#app/instance/store-faults.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { AppError } from "#lib/app-error.ts";
import type { Manifest } from "./manifest.ts";
import { SQLITE_NAME } from "./take-backup.ts";

/** Reads all of what was restored. `AppError conflict` with everything that is wrong. */
export async function checkRestored(
  directory: string,
  {
    manifest,
    signal,
    progress,
  }: { manifest: Pick<Manifest, "database">; signal: AbortSignal; progress(words: string): void },
): Promise<void> {
  const faults: string[] = [];
  if (manifest.database === "sqlite") {
    progress("Checking the database");
    faults.push(
      ...sqliteFaults(path.join(directory, SQLITE_NAME), { full: true }).map((fault) => `The database: ${fault}`),
    );
  }
  const root = path.join(directory, "repositories");
  const names = await readdir(root).catch((): string[] => []);
  const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
  for (const [index, name] of names.entries()) {
    progress(`Checking repositories: ${index + 1} of ${names.length}`);
    const fault = await repositoryFault(run, path.join(root, name), { full: true, signal });
    if (fault !== null) faults.push(`repositories/${name}: ${fault}`);
  }
  if (faults.length > 0) throw new AppError("conflict", `The backup is damaged.\n${faults.join("\n")}`);
}
