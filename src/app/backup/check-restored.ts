import { readdir } from "node:fs/promises";
import path from "node:path";
import { checkVaultKey } from "#app/instance/store-vault.ts";
import { repositoryFault, sqliteFaults } from "#app/instance/store-faults.ts";
import { openDatabase } from "#db/database.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import type { Manifest } from "./manifest.ts";
import { readStoreRows, repositoryMissing } from "./store-rows.ts";
import { SQLITE_NAME } from "./take-backup.ts";

type Checked = Pick<Manifest, "database" | "key" | "missing">;

/** Verifies a restored directory completely. `AppError conflict` lists everything that is damaged or missing. */
export async function checkRestored(
  directory: string,
  { manifest, signal, progress }: { manifest: Checked; signal: AbortSignal; progress(words: string): void },
): Promise<void> {
  const faults = [...manifest.missing];
  if (manifest.database === "sqlite") {
    progress("Checking the database");
    const found = sqliteFaults(path.join(directory, SQLITE_NAME), { full: true });
    faults.push(...found.map((fault) => `The database: ${fault}`));
    if (found.length === 0) faults.push(...(await fileFaults(directory, manifest)));
  }
  const root = path.join(directory, "repositories");
  const names = await readdir(root).catch((): string[] => []);
  const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
  for (const [index, name] of names.entries()) {
    progress(`Checking repositories: ${index + 1} of ${names.length}`);
    const fault = await repositoryFault(run, path.join(root, name), { full: true, signal });
    if (fault !== null) faults.push(`repositories/${name}: ${fault}`);
  }
  if (faults.length === 0) return;
  throw new AppError("conflict", `The backup is damaged or incomplete.\n${[...new Set(faults)].join("\n")}`);
}

/** Files that the database references, but that are missing or damaged. */
async function fileFaults(directory: string, { key }: Checked): Promise<string[]> {
  const location = { engine: "sqlite", path: path.join(directory, SQLITE_NAME) } as const;
  const { repositories } = await readStoreRows(location);
  const there = await readdir(path.join(directory, "repositories")).catch((): string[] => []);
  const lost = [...repositories].filter(([name]) => !there.includes(name));
  const faults = lost.map(([name, { project }]) => repositoryMissing(name, project));
  if (key !== "included") return faults;
  await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
  const state = await checkVaultKey({ database, config: { dataDirectory: directory, secretKey: null } }).then(
    (checked) => checked.state,
    errorText,
  );
  if (state !== "opens" && state !== "unused") faults.push(`secrets.key does not open the stored secrets: ${state}`);
  return faults;
}
