import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { AppError } from "#lib/app-error.ts";
import * as foundation from "./migrations/0001-foundation.ts";
import * as analytics from "./migrations/0002-analytics.ts";
import * as webhooksAutomations from "./migrations/0003-webhooks-automations.ts";
import * as fairQueue from "./migrations/0004-fair-queue.ts";
import type { Tables } from "./schema.ts";

// Listed by hand: numbered, forward only, never edited once landed.
const MIGRATIONS: Record<string, Migration> = {
  "0001-foundation": foundation,
  "0002-analytics": analytics,
  "0003-webhooks-automations": webhooksAutomations,
  "0004-fair-queue": fairQueue,
};

/**
 * Brings the schema up to date. Several processes may do it at once: PostgreSQL has Kysely's lock, and on SQLite, where
 * Kysely takes none, one immediate transaction around everything makes the others wait and a crash leave nothing half done.
 */
export async function migrate(kysely: Kysely<Tables>, engine: "sqlite" | "postgres"): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => MIGRATIONS } });
  if (engine === "postgres") return failing(await migrator.migrateToLatest());
  await sql`begin immediate`.execute(kysely);
  try {
    failing(await migrator.migrateToLatest());
    await sql`commit`.execute(kysely);
  } catch (error) {
    await sql`rollback`.execute(kysely);
    throw error;
  }
}

function failing(outcome: { error?: unknown }): void {
  if (outcome.error === undefined) return;
  throw new AppError("unavailable", "The database could not be migrated.", { cause: outcome.error });
}
