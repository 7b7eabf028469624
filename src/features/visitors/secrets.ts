import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { DatabaseTransaction, Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { DAY_MS } from "#lib/clock.ts";
import { dayOf } from "./day.ts";
import type { DayRange } from "./range.ts";

export interface VisitorSecret {
  epoch: number;
  secret: KeyObject;
}

/** A destroyed secret's row stays to mark the start of an epoch. */
const DESTROYED = "";

/** The purpose that an encrypted secret is bound to, so that it cannot be decrypted in another row. */
const purposeOf = (projectId: ProjectId, epoch: number) => `visitor secret ${projectId} ${epoch}`;

/** How long a secret outlives the setting that would have ended it, so that a lowered retention can be raised again. */
const GRACE_MS = 7 * DAY_MS;

/**
 * The secret of a project's current retention epoch. A new epoch begins `retentionDays` after the last one did, or,
 * after the retention was lowered, a week after that was noticed; the previous secret is destroyed then, and nothing
 * stored can be linked to an address any more. Until then it is stored encrypted: the database alone does not reveal
 * it. `now` is trusted time.
 */
export async function currentSecret(
  { queryable, vault }: { queryable: Queryable; vault: KeyVault },
  projectId: ProjectId,
  options: { now: number; retentionDays: number },
): Promise<VisitorSecret> {
  const latest = await latestSecret(queryable, projectId);
  if (latest && latest.sealed !== DESTROYED) {
    const expiresAt = expiryOf(latest, options);
    if (options.now < expiresAt) {
      if (expiresAt !== latest.expires_at) await writeExpiry(queryable, latest, expiresAt);
      return openSecret(vault, latest);
    }
  }
  const epoch = (latest?.epoch ?? 0) + 1;
  const sealed = vault.seal(new Secret(randomBytes(32).toString("base64")), purposeOf(projectId, epoch));
  await queryable
    .insertInto("visitor_secret")
    .values({
      project_id: projectId,
      epoch,
      sealed,
      created_at: options.now,
      expires_at: options.now + options.retentionDays * DAY_MS,
    })
    .onConflict((conflict) => conflict.columns(["project_id", "epoch"]).doNothing())
    .execute();
  const made = await latestSecret(queryable, projectId);
  if (!made) throw new Error("the visitor secret of a project vanished while it was made");
  await queryable
    .updateTable("visitor_secret")
    .set({ sealed: DESTROYED })
    .where("project_id", "=", projectId)
    .where("epoch", "<", made.epoch)
    .execute();
  return openSecret(vault, made);
}

/** A higher retention applies immediately, a lower one after the grace period, during which it can be undone. */
function expiryOf(
  { created_at: createdAt, expires_at: expiresAt }: { created_at: number; expires_at: number | null },
  { now, retentionDays }: { now: number; retentionDays: number },
): number {
  const asSet = createdAt + retentionDays * DAY_MS;
  if (expiresAt !== null && asSet >= expiresAt) return asSet;
  return Math.min(expiresAt ?? Number.MAX_SAFE_INTEGER, Math.max(asSet, now + GRACE_MS));
}

async function writeExpiry(
  queryable: Queryable,
  { project_id: projectId, epoch }: Pick<SecretRow, "project_id" | "epoch">,
  expiresAt: number,
): Promise<void> {
  await queryable
    .updateTable("visitor_secret")
    .set({ expires_at: expiresAt })
    .where("project_id", "=", projectId)
    .where("epoch", "=", epoch)
    .execute();
}

/**
 * The kept secrets of a project, and since when: earlier views were counted with a destroyed one. null when none was
 * destroyed.
 */
export async function readKeptSecrets(
  { queryable, vault }: { queryable: Queryable; vault: KeyVault },
  projectId: ProjectId,
): Promise<{ kept: VisitorSecret[]; destroyedUntil: number | null }> {
  const rows = await queryable
    .selectFrom("visitor_secret")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("epoch")
    .execute();
  const kept = rows.filter(({ sealed }) => sealed !== DESTROYED);
  const lastDestroyed = rows.findLastIndex(({ sealed }) => sealed === DESTROYED);
  const destroyedUntil = lastDestroyed < 0 ? null : (rows[lastDestroyed + 1]?.created_at ?? Number.MAX_SAFE_INTEGER);
  return { kept: kept.map((row) => openSecret(vault, row)), destroyedUntil };
}

interface SecretRow {
  project_id: ProjectId;
  epoch: number;
  sealed: string;
}

function openSecret(vault: KeyVault, { project_id: projectId, epoch, sealed }: SecretRow): VisitorSecret {
  return { epoch, secret: createSecretKey(vault.open(sealed, purposeOf(projectId, epoch)).reveal(), "base64") };
}

/**
 * Encrypts the secrets that earlier versions stored in plain text. They stay the same secrets, so no reader becomes a
 * new visitor.
 */
export async function sealClearSecrets(transaction: DatabaseTransaction, vault: KeyVault): Promise<void> {
  const rows = await transaction
    .selectFrom("visitor_secret")
    .select(["project_id", "epoch", "sealed"])
    .where("sealed", "!=", DESTROYED)
    .where("sealed", "not like", "v1.%") // base64 contains no dot
    .execute();
  for (const { project_id: projectId, epoch, sealed: clear } of rows) {
    await transaction
      .updateTable("visitor_secret")
      .set({ sealed: vault.seal(new Secret(clear), purposeOf(projectId, epoch)) })
      .where("project_id", "=", projectId)
      .where("epoch", "=", epoch)
      .execute();
  }
}

/** Destroys secrets that can no longer be decrypted: each project begins a new epoch at its next view. */
export async function forgetSecrets(queryable: Queryable): Promise<void> {
  await queryable.updateTable("visitor_secret").set({ sealed: DESTROYED }).execute();
}

function latestSecret(queryable: Queryable, projectId: ProjectId) {
  return queryable
    .selectFrom("visitor_secret")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("epoch", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * How many visitor secrets the views of a range were counted with. More than one means that a reader who came before
 * and after the change counts once for each: the numbers of the range are sums of its parts.
 */
export async function countEpochs(
  queryable: Queryable,
  { projectId, from, to }: { projectId: ProjectId } & DayRange,
): Promise<number> {
  const rows = await queryable
    .selectFrom("visitor_secret")
    .select("created_at")
    .where("project_id", "=", projectId)
    .where("epoch", ">", 1)
    .execute();
  const changes = rows.map((row) => dayOf(row.created_at));
  return 1 + changes.filter((day) => (from === null || day >= from) && (to === null || day < to)).length;
}
