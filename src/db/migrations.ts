import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { AppError } from "#lib/app-error.ts";
import * as foundation from "./migrations/0001-foundation.ts";
import * as analytics from "./migrations/0002-analytics.ts";
import type { Tables } from "./schema.ts";

// Listed by hand: numbered, forward only, never edited once landed.
const MIGRATIONS: Record<string, Migration> = {
  "0001-foundation": foundation,
  "0002-analytics": analytics,
};

/**
 * Brings the schema up to date. Kysely locks on PostgreSQL but not on SQLite (measured: of 6 migrators at once 3 fail,
 * no damage), so a failure is retried once.
 */
export async function migrate(kysely: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => MIGRATIONS } });
  let outcome = await migrator.migrateToLatest();
  if (outcome.error !== undefined) outcome = await migrator.migrateToLatest();
  if (outcome.error !== undefined) {
    throw new AppError("unavailable", "The database could not be migrated.", { cause: outcome.error });
  }
}
