import { readSqliteFaults } from "#app/instance/store-faults.ts";
import { checkVaultKey } from "#app/instance/store-vault.ts";
import { foreignSecrets } from "#app/instance/sealed-secrets.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";
import type { Config } from "#app/instance/config.ts";
import { errorText } from "#lib/app-error.ts";
import { readSchemaState } from "#db/migrations.ts";
import { countWorkers } from "#db/node-locks.ts";
import { countOf, type Diagnosis, type DoctorInput, diagnose } from "./diagnosis.ts";

/** Checks the integrity of a SQLite database. PostgreSQL verifies its own pages. */
export function checkPages({ database }: Config, { full }: Pick<DoctorInput, "full">): Diagnosis[] {
  if (database.engine !== "sqlite") return [];
  let faults: string[];
  try {
    faults = readSqliteFaults(database.path, { full });
  } catch (error) {
    const advice = "Make the data directory writable, free some space there, and run `docent doctor` again.";
    return [diagnose.problem("database", `The database cannot be read: ${errorText(error)}.`, advice)];
  }
  if (faults.length === 0)
    return [diagnose.ok("database", `${full ? "integrity_check" : "quick_check"} and foreign keys are clean.`)];
  const advice = "Stop the server and restore a backup: docent restore --from FOLDER --to DIR --check";
  return [diagnose.problem("database", `The database is damaged: ${faults.join("; ")}`, advice)];
}

export async function checkSchema({ database, server }: DoctorInput): Promise<Diagnosis[]> {
  const state = await readSchemaState(database.kysely);
  if (state === "current") return [diagnose.ok("schema", "The tables are of this version of Docent.")];
  if (state === "newer") {
    const advice = "Run the version of Docent that the server runs.";
    return [diagnose.problem("schema", "The tables are of a newer version of Docent than this command.", advice)];
  }
  if (state === "unfinished") return [unfinishedCopy("schema")];
  if (state === "none")
    return [
      diagnose.problem("schema", "The database is empty.", "Restore a backup, or check DATABASE_URL and --data."),
    ];
  const advice =
    server === null
      ? "Make a backup, then start the server: it migrates the database."
      : "Restart the server with this version.";
  return [diagnose.warning("schema", "The tables are of an older version of Docent.", advice)];
}

export const unfinishedCopy = (check: string): Diagnosis =>
  diagnose.problem(
    check,
    "The database is an unfinished copy of another one.",
    "Run `docent store copy` again: it continues.",
  );

export async function checkKey({
  database,
  config,
  full,
}: Pick<DoctorInput, "database" | "config" | "full">): Promise<Diagnosis[]> {
  const place = config.secretKey === null ? secretsFile(config.dataDirectory) : "DOCENT_SECRET_KEY";
  const advice =
    "Restore the right key. Without it stored secrets are lost: docent serve --adopt continues without them.";
  const key = await checkVaultKey({ database, config });
  switch (key.state) {
    case "opens": {
      const foreign = await foreignSecrets(database, { keyId: key.vault.keyId, full });
      if (foreign.length === 0) return [diagnose.ok("key", `The key in ${place} opens the stored secrets.`)];
      const count = foreign.reduce((sum, each) => sum + each.count, 0);
      const list = foreign.map((each) => `${each.what}: ${each.count}`).join(", ");
      return [
        diagnose.warning(
          "key",
          `${countOf(count, "stored secret")} cannot be opened, as another key encrypted ${count === 1 ? "it" : "them"} (${list}).`,
          `Enter them again, or restore the key that encrypted them: the server runs with ${place}.`,
        ),
      ];
    }
    case "unused":
      return [diagnose.ok("key", "No secret is stored yet.")];
    case "missing":
      return [diagnose.problem("key", `The key of the stored secrets is missing: ${place}.`, advice)];
    case "wrong":
      return [
        diagnose.problem("key", `The key in ${place} is not the one that stored secrets are encrypted with.`, advice),
      ];
  }
}

/** With SQLite, the server runs the jobs. */
export async function checkWorkers({ database }: Pick<DoctorInput, "database">): Promise<Diagnosis[]> {
  if (database.engine === "sqlite") return [];
  const count = await countWorkers(database);
  if (count > 0)
    return [diagnose.ok("workers", `${countOf(count, "connected process runs", "connected processes run")} jobs.`)];
  const { waiting } = await database.kysely
    .selectFrom("job")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where("status", "=", "active")
    .executeTakeFirstOrThrow();
  if (waiting === 0) return [diagnose.ok("workers", "No connected process runs jobs, and no job waits.")];
  return [
    diagnose.warning(
      "workers",
      `No connected process runs jobs, and ${countOf(waiting, "job waits", "jobs wait")}.`,
      "Start a node with `docent serve --role worker`, or with `--role all`.",
    ),
  ];
}
