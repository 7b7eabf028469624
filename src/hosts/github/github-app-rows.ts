import type { HostApp } from "#hosts/remote/host-apps.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Secret } from "#lib/secrets/secret.ts";

interface Deps {
  database: Database;
  vault: KeyVault;
}

/** The key that signs for an app at GitHub. */
export interface AppSigner {
  number: string;
  privateKey: Secret;
}

const keyPurpose = (id: string) => `github app ${id}`;
const webhookPurpose = (id: string) => `github app webhook ${id}`;

export async function insertGithubApp(
  { database, vault, clock }: Deps & { clock: Clock },
  app: Pick<HostApp, "id" | "origin" | "name" | "owner"> & AppSigner & { slug: string; webhookSecret: Secret | null },
): Promise<void> {
  const { id, origin, number, slug, name, owner, privateKey, webhookSecret } = app;
  await database.kysely
    .insertInto("github_app")
    .values({
      id,
      origin,
      number,
      slug,
      name,
      owner,
      sealed_private_key: vault.seal(privateKey, keyPurpose(id)),
      sealed_webhook_secret: webhookSecret && vault.seal(webhookSecret, webhookPurpose(id)),
      created_at: clock.now().getTime(),
    })
    .execute();
}

/** Newest first. */
export async function listGithubApps({ database }: Pick<Deps, "database">): Promise<HostApp[]> {
  const rows = await database.kysely.selectFrom("github_app").selectAll().orderBy("id", "desc").execute();
  return rows.map(({ id, origin, slug, name, owner, created_at }) => ({
    id,
    origin,
    name,
    owner,
    url: `${origin}/apps/${slug}`,
    installUrl: `${origin}/apps/${slug}/installations/new`,
    createdAt: new Date(created_at),
  }));
}

/**
 * Null when there is no such app. `AppError invalid` when its key was encrypted with a key other than this server's.
 */
export async function findAppSigner({ database, vault }: Deps, id: string): Promise<AppSigner | null> {
  const row = await database.kysely
    .selectFrom("github_app")
    .select(["number", "sealed_private_key"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? { number: row.number, privateKey: vault.open(row.sealed_private_key, keyPurpose(id)) } : null;
}

export async function findAppWebhookSecret({ database, vault }: Deps, id: string): Promise<Secret | null> {
  const row = await database.kysely
    .selectFrom("github_app")
    .select("sealed_webhook_secret")
    .where("id", "=", id)
    .executeTakeFirst();
  const sealed = row?.sealed_webhook_secret ?? null;
  return sealed === null ? null : vault.open(sealed, webhookPurpose(id));
}
