import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { AppError } from "#lib/app-error.ts";
import * as foundation from "./migrations/0001-foundation.ts";
import * as analytics from "./migrations/0002-analytics.ts";
import * as webhooksAutomations from "./migrations/0003-webhooks-automations.ts";
import * as fairQueue from "./migrations/0004-fair-queue.ts";
import * as sealedSecrets from "./migrations/0005-sealed-secrets.ts";
import * as trustedTime from "./migrations/0007-trusted-time.ts";
import * as viewClasses from "./migrations/0008-view-classes.ts";
import * as turnEnds from "./migrations/0009-turn-ends.ts";
import * as jobDeaths from "./migrations/0012-job-deaths.ts";
import * as requestOutcomes from "./migrations/0013-request-outcomes.ts";
import * as connections from "./migrations/0014-connections.ts";
import * as sources from "./migrations/0015-sources.ts";
import * as refusals from "./migrations/0016-refusals.ts";
import * as comments from "./migrations/0017-comments.ts";
import * as sourceTriggers from "./migrations/0018-source-triggers.ts";
import * as githubApps from "./migrations/0019-github-apps.ts";
import * as hostNotices from "./migrations/0020-host-notices.ts";
import * as search from "./migrations/0022-search.ts";
import * as searchCounts from "./migrations/0023-search-counts.ts";
import * as sourcesWithoutWebhooks from "./migrations/0024-sources-without-webhooks.ts";
import * as deployments from "./migrations/0026-deployments.ts";
import * as siteUpdates from "./migrations/0027-site-updates.ts";
import * as feedback from "./migrations/0028-feedback.ts";
import * as siteDomains from "./migrations/0030-site-domains.ts";
import * as siteAccess from "./migrations/0031-site-access.ts";
import * as dryRuns from "./migrations/0033-dry-runs.ts";
import * as apiAddresses from "./migrations/0034-api-addresses.ts";
import * as refusedMessages from "./migrations/0035-refused-messages.ts";
import * as keyScopes from "./migrations/0036-key-scopes.ts";
import * as instanceKeys from "./migrations/0037-instance-keys.ts";
import * as slidingLimits from "./migrations/0039-sliding-limits.ts";
import * as secretExpiry from "./migrations/0040-secret-expiry.ts";
import * as judgedAgain from "./migrations/0041-judged-again.ts";
import * as queueTurns from "./migrations/0042-queue-turns.ts";
import * as searchReference from "./migrations/0044-search-reference.ts";
import * as providerOutages from "./migrations/0045-provider-outages.ts";
import * as jobEndings from "./migrations/0046-job-endings.ts";
import * as messageChores from "./migrations/0047-message-chores.ts";
import * as people from "./migrations/0048-people.ts";
import * as mail from "./migrations/0052-mail.ts";
import * as automationRetries from "./migrations/0053-automation-retries.ts";
import * as jobEffort from "./migrations/0054-job-effort.ts";
import * as webhookFormat from "./migrations/0056-webhook-format.ts";
import * as secondFactors from "./migrations/0057-second-factors.ts";
import * as notices from "./migrations/0058-notices.ts";
import * as archivedProjects from "./migrations/0059-archived-projects.ts";
import * as auditSubjects from "./migrations/0060-audit-subjects.ts";
import * as repositories from "./migrations/0061-repositories.ts";
import * as automationEffort from "./migrations/0064-automation-effort.ts";
import * as jobAttachments from "./migrations/0065-job-attachments.ts";
import * as transcriptRetention from "./migrations/0066-transcript-retention.ts";
import * as jobsOfADay from "./migrations/0067-jobs-of-a-day.ts";
import * as chatNotices from "./migrations/0068-chat-notices.ts";
import * as chatTrouble from "./migrations/0069-chat-trouble.ts";
import * as packsInABucket from "./migrations/0070-packs-in-a-bucket.ts";
import * as pullRequestComments from "./migrations/0072-pull-request-comments.ts";
import * as spentEntries from "./migrations/0073-spent-entries.ts";
import * as whoProposed from "./migrations/0077-who-proposed.ts";
import * as hashedIdempotencyKeys from "./migrations/0078-hashed-idempotency-keys.ts";
import * as whoMerged from "./migrations/0076-who-merged.ts";
import * as firstSteps from "./migrations/0071-first-steps.ts";
import type { Tables } from "./schema.ts";
import { UNFINISHED_COPY } from "./unfinished-copy.ts";

// Listed by hand. Numbered, forward only, never edited once merged.
const MIGRATIONS: Record<string, Migration> = {
  "0001-foundation": foundation,
  "0002-analytics": analytics,
  "0003-webhooks-automations": webhooksAutomations,
  "0004-fair-queue": fairQueue,
  "0005-sealed-secrets": sealedSecrets,
  "0007-trusted-time": trustedTime,
  "0008-view-classes": viewClasses,
  "0009-turn-ends": turnEnds,
  "0012-job-deaths": jobDeaths,
  "0013-request-outcomes": requestOutcomes,
  "0014-connections": connections,
  "0015-sources": sources,
  "0016-refusals": refusals,
  "0017-comments": comments,
  "0018-source-triggers": sourceTriggers,
  "0019-github-apps": githubApps,
  "0020-host-notices": hostNotices,
  "0022-search": search,
  "0023-search-counts": searchCounts,
  "0024-sources-without-webhooks": sourcesWithoutWebhooks,
  "0026-deployments": deployments,
  "0027-site-updates": siteUpdates,
  "0028-feedback": feedback,
  "0030-site-domains": siteDomains,
  "0031-site-access": siteAccess,
  "0033-dry-runs": dryRuns,
  "0034-api-addresses": apiAddresses,
  "0035-refused-messages": refusedMessages,
  "0036-key-scopes": keyScopes,
  "0037-instance-keys": instanceKeys,
  "0039-sliding-limits": slidingLimits,
  "0040-secret-expiry": secretExpiry,
  "0041-judged-again": judgedAgain,
  "0042-queue-turns": queueTurns,
  "0044-search-reference": searchReference,
  "0045-provider-outages": providerOutages,
  "0046-job-endings": jobEndings,
  "0047-message-chores": messageChores,
  "0048-people": people,
  "0052-mail": mail,
  "0053-automation-retries": automationRetries,
  "0054-job-effort": jobEffort,
  "0056-webhook-format": webhookFormat,
  "0057-second-factors": secondFactors,
  "0058-notices": notices,
  "0059-archived-projects": archivedProjects,
  "0060-audit-subjects": auditSubjects,
  "0061-repositories": repositories,
  "0064-automation-effort": automationEffort,
  "0065-job-attachments": jobAttachments,
  "0066-transcript-retention": transcriptRetention,
  "0067-jobs-of-a-day": jobsOfADay,
  "0068-chat-notices": chatNotices,
  "0069-chat-trouble": chatTrouble,
  "0070-packs-in-a-bucket": packsInABucket,
  "0072-pull-request-comments": pullRequestComments,
  "0073-spent-entries": spentEntries,
  "0076-who-merged": whoMerged,
  "0071-first-steps": firstSteps,
  "0077-who-proposed": whoProposed,
  "0078-hashed-idempotency-keys": hashedIdempotencyKeys,
};

/**
 * Brings the schema up to date. Several processes may call it at once: on PostgreSQL Kysely takes a lock. On SQLite it
 * takes none, so one immediate transaction around all migrations makes the others wait and undoes partial ones. `onStart`
 * is called before each one.
 */
export async function migrate(
  kysely: Kysely<Tables>,
  engine: "sqlite" | "postgres",
  onStart: (migration: string) => void = () => undefined,
): Promise<void> {
  const announced = Object.entries(MIGRATIONS).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(db) {
        onStart(name);
        await migration.up(db);
      },
    },
  ]);
  // Numbers are assigned before the work is done, so a migration may be merged after one with a higher number.
  const provider = { getMigrations: async () => Object.fromEntries(announced) };
  const migrator = new Migrator({ db: kysely, provider, allowUnorderedMigrations: true });
  if (engine === "postgres") return failing(await migrator.migrateToLatest());
  await sql`begin immediate`.execute(kysely);
  try {
    failing(await migrator.migrateToLatest());
    await sql`commit`.execute(kysely);
  } catch (error) {
    // A full disk has ended the transaction, and the first error says so.
    await sql`rollback`.execute(kysely).catch(() => undefined);
    throw error;
  }
}

/** `unfinished`: `docent store copy` has begun to fill it. */
export type SchemaState = "none" | "older" | "current" | "newer" | "unfinished";

/** How the existing schema compares with this version's. Changes nothing. */
export async function readSchemaState(kysely: Kysely<Tables>): Promise<SchemaState> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
  if (tables.some(({ name }) => name === UNFINISHED_COPY)) return "unfinished";
  if (!tables.some(({ name }) => name === "kysely_migration")) return "none";
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely);
  const done = new Set(rows.map(({ name }) => name));
  if (done.size === 0) return "none";
  if ([...done].some((name) => !Object.hasOwn(MIGRATIONS, name))) return "newer";
  return done.size < Object.keys(MIGRATIONS).length ? "older" : "current";
}

/** The migrations that `migrate` would run, in order; empty for a store that is up to date or has no tables. */
export async function pendingMigrations(kysely: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(MIGRATIONS).filter((name) => !done.has(name));
}

function failing(outcome: { error?: unknown }): void {
  if (outcome.error === undefined) return;
  throw new AppError("unavailable", "The database could not be migrated.", { cause: outcome.error });
}
