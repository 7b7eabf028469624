import path from "node:path";
import type { Database } from "#db/database.ts";
import { listRepositories } from "#git/repository-directory.ts";
import type { Logger } from "#lib/logger.ts";
import { ownersOf } from "#repositories/owners.ts";
import { foreignSecrets } from "./sealed-secrets.ts";

const MAX_NAMED = 20;

/** Logs that a database and a data directory were linked by `--adopt`, and what each lacks of the other. */
export async function logAdoptedDirectory(
  {
    database,
    dataDirectory,
    place,
  }: { database: Database; dataDirectory: string; place: "directory" | "database" | "s3" },
  logger: Logger,
): Promise<void> {
  const owners = await ownersOf(database);
  const there = place === "directory" ? await listRepositories(path.join(dataDirectory, "repositories")) : null;
  const missing = there === null ? [] : owners.filter(({ id }) => !there.has(id));
  const known = new Set(owners.map(({ id }) => id));
  const unknown = [...(there ?? [])].filter((id) => !known.has(id));
  logger.warn(
    {
      dataDirectory,
      projects: owners.length,
      withoutRepository: { count: missing.length, names: missing.slice(0, MAX_NAMED).map(({ name }) => name) },
      withoutProject: { count: unknown.length, names: unknown.slice(0, MAX_NAMED).map((id) => `${id}.git`) },
      advice:
        "Projects without a repository show no pages: restore theirs from a backup or a clone (docent doctor prints the commands). Repositories without a project stay on the disk and are not served. Start without --adopt from now on.",
    },
    "--adopt: this database and this data directory belong together from now on",
  );
}

/** Logs which stored secrets cannot be opened after a start with `--adopt`, and what to do about each kind. */
export async function logUnreadableSecrets(
  { database, keyId, newKeyFile }: { database: Database; keyId: string; newKeyFile: string | null },
  logger: Logger,
): Promise<void> {
  const unreadable = await foreignSecrets(database, { keyId, full: true });
  if (newKeyFile === null && unreadable.length === 0) return;
  logger.warn(
    {
      ...(newKeyFile !== null && { newKey: `${newKeyFile} was created: keep a copy of it` }),
      unreadable,
      visitors: "The secrets that visitors are counted with were deleted: readers from before count once more.",
      advice:
        "If the key is found again: stop the server, put it back, and start with --adopt once more. Start without --adopt from now on.",
    },
    "--adopt: the server continues without the key of the stored secrets, and the listed ones cannot be read any more",
  );
}
