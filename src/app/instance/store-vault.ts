import { sql } from "kysely";
import { forgetSecrets, sealClearSecrets } from "#features/visitors/secrets.ts";
import type { Config } from "./config.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { createKeyVault, type KeyVault, makeKeyFile, readKeyFile } from "#lib/secrets/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { ProjectSettings } from "#features/projects/project.ts";
import { logUnreadableSecrets } from "./adoption-log.ts";
import { secretsFile } from "./secrets-file.ts";
import { addInstanceValue, readInstanceValue } from "./store.ts";

interface VaultOptions {
  database: Database;
  config: Pick<Config, "dataDirectory" | "secretKey">;
  logger: Logger;
  /** Continues without the key: sealed values are discarded, or must be entered again. */
  adopt?: boolean;
}

/** A sealed value in the database, by which each process verifies that it has the same key. */
const CHECK = "key_check";
const CHECK_PURPOSE = "key check";
const ERASED = "clear_secrets_erased";

/**
 * Opens the vault of a store. Its key is created with the store and required from then on: `AppError conflict` if it is
 * missing or not the one that sealed the secrets in the database. Seals secrets that earlier versions stored in plain
 * text.
 */
export async function openStoreVault({ database, config, logger, adopt = false }: VaultOptions): Promise<KeyVault> {
  const file = secretsFile(config.dataDirectory);
  const key = config.secretKey ?? (await readKeyFile(file));
  let check = await readInstanceValue(database, CHECK);
  if (key === null && !adopt && (check !== null || (await sealedTexts(database)).length > 0)) {
    throw new AppError(
      "conflict",
      `The key that encrypts stored secrets is missing. Restore ${file} from a backup, or set DOCENT_SECRET_KEY. ` +
        "To continue without those secrets: `docent serve --adopt`.",
    );
  }
  const vault = createKeyVault(key ?? (await makeKeyFile(file)));
  const hadKey = check !== null;
  if (adopt && check !== null && !opens(vault, check)) {
    await database.transaction(async (transaction) => {
      await forgetSecrets(transaction);
      await transaction.deleteFrom("instance_value").where("name", "=", CHECK).execute();
    });
    check = null;
  }
  if (check === null) {
    const sealed = await sealedTexts(database); // an earlier version stored no check value
    if (!adopt && sealed.length > 0 && !sealed.some((text) => vault.hasSealed(text))) throw wrongKey(file);
    check = await addInstanceValue(database, CHECK, vault.seal(new Secret("docent"), CHECK_PURPOSE));
  }
  if (!opens(vault, check)) throw wrongKey(file);
  await database.transaction((transaction) => sealClearSecrets(transaction, vault));
  await eraseClearSecrets(database, logger);
  if (adopt) {
    const newKeyFile = key === null && hadKey ? file : null;
    await logUnreadableSecrets({ database, keyId: vault.keyId, newKeyFile }, logger);
  }
  return vault;
}

/**
 * Checks whether the key opens the sealed values in the database, and changes nothing. `vault`: that of the key that
 * does.
 */
export async function checkVaultKey({
  database,
  config,
}: Pick<VaultOptions, "database" | "config">): Promise<
  { state: "opens"; vault: KeyVault } | { state: "wrong" | "missing" | "unused" }
> {
  const check = await readInstanceValue(database, CHECK);
  if (check === null) return { state: "unused" };
  const key = config.secretKey ?? (await readKeyFile(secretsFile(config.dataDirectory)));
  if (key === null) return { state: "missing" };
  const vault = createKeyVault(key);
  return opens(vault, check) ? { state: "opens", vault } : { state: "wrong" };
}

function opens(vault: KeyVault, check: string): boolean {
  try {
    vault.open(check, CHECK_PURPOSE);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const wrongKey = (file: string) =>
  new AppError(
    "conflict",
    `The database's secrets are encrypted with another key than that of ${file} or DOCENT_SECRET_KEY. Restore the right key; ` +
      "all processes on one database need the same. To continue without those secrets: `docent serve --adopt`.",
  );

async function sealedTexts({ kysely }: Database): Promise<string[]> {
  const webhooks = await kysely.selectFrom("webhook_endpoint").select("secret").execute();
  const projects = await kysely.selectFrom("project").select("settings").execute();
  return [
    ...webhooks.map(({ secret }) => secret),
    ...projects.flatMap(({ settings }) => Object.values(ProjectSettings.parse(JSON.parse(settings)).sealedKeys ?? {})),
  ];
}

/**
 * Runs once per store: erases deleted plain-text secrets of earlier versions from the database files, where they could
 * remain in unused pages for long. SQLite rewrites the whole file for that.
 */
async function eraseClearSecrets(database: Database, logger: Logger): Promise<void> {
  if ((await readInstanceValue(database, ERASED)) !== null) return;
  try {
    if (database.engine === "sqlite") {
      await sql`vacuum`.execute(database.kysely);
      await sql`pragma wal_checkpoint(truncate)`.execute(database.kysely);
    } else {
      await sql`vacuum full visitor_secret`.execute(database.kysely);
      await sql`vacuum full instance_value`.execute(database.kysely);
    }
    await addInstanceValue(database, ERASED, "yes");
  } catch (error) {
    logger.warn({ err: error }, "earlier secrets are not yet erased from unused space; the next start tries again");
  }
}
