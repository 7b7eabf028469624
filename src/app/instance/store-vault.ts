import { sql } from "kysely";
import { forgetSecrets, sealClearSecrets } from "#features/visitors/secrets.ts";
import type { Config } from "./config.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { createKeyVault, type KeyVault, makeKeyFile, readKeyFile } from "#lib/secrets/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { ProjectSettings } from "#features/projects/project.ts";
import { secretsFile } from "./secrets-file.ts";
import { addInstanceValue, readInstanceValue } from "./store.ts";

interface VaultOptions {
  database: Database;
  config: Pick<Config, "dataDirectory" | "secretKey">;
  logger: Logger;
  /** Goes on without the key of what is sealed: that is forgotten, or must be entered again. */
  adopt?: boolean;
}

/** Something sealed in the database, by which every process sees whether it has the same key. */
const CHECK = "key_check";
const CHECK_PURPOSE = "key check";
const ERASED = "clear_secrets_erased";

/**
 * The vault of a store. Its key is made with the store and must be there from then on: `AppError conflict` when it is
 * missing or another one than the database's secrets are sealed with. Seals what earlier versions stored in clear.
 */
export async function openStoreVault({ database, config, logger, adopt = false }: VaultOptions): Promise<KeyVault> {
  const file = secretsFile(config.dataDirectory);
  const key = config.secretKey ?? (await readKeyFile(file));
  let check = await readInstanceValue(database, CHECK);
  if (key === null && !adopt && (check !== null || (await sealedTexts(database)).length > 0)) {
    throw new AppError(
      "conflict",
      `The key that stored secrets are sealed with is missing. Restore ${file} from a backup, or set DOCENT_SECRET_KEY. ` +
        "To go on without those secrets: `docent serve --adopt`.",
    );
  }
  const vault = createKeyVault(key ?? (await makeKeyFile(file)));
  if (adopt && check !== null && !opens(vault, check)) {
    await database.transaction(async (transaction) => {
      await forgetSecrets(transaction);
      await transaction.deleteFrom("instance_value").where("name", "=", CHECK).execute();
    });
    check = null;
  }
  if (check === null) {
    const sealed = await sealedTexts(database); // by an earlier version, which stored no check
    if (!adopt && sealed.length > 0 && !sealed.some((text) => vault.hasSealed(text))) throw wrongKey(file);
    check = await addInstanceValue(database, CHECK, vault.seal(new Secret("docent"), CHECK_PURPOSE));
  }
  if (!opens(vault, check)) throw wrongKey(file);
  await database.transaction((transaction) => sealClearSecrets(transaction, vault));
  await eraseClearSecrets(database, logger);
  return vault;
}

/** Whether the key opens what the database has, without changing either; `keyId`: of the key that does. */
export async function checkVaultKey({
  database,
  config,
}: Pick<VaultOptions, "database" | "config">): Promise<
  { state: "opens"; keyId: string } | { state: "wrong" | "missing" | "unused" }
> {
  const check = await readInstanceValue(database, CHECK);
  if (check === null) return { state: "unused" };
  const key = config.secretKey ?? (await readKeyFile(secretsFile(config.dataDirectory)));
  if (key === null) return { state: "missing" };
  const vault = createKeyVault(key);
  return opens(vault, check) ? { state: "opens", keyId: vault.keyId } : { state: "wrong" };
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
    `The database's secrets are sealed with another key than that of ${file} or DOCENT_SECRET_KEY. Restore the right key; ` +
      "all processes on one database need the same. To go on without those secrets: `docent serve --adopt`.",
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
 * Once for a store: takes what earlier versions stored in clear, and had deleted or replaced, out of the database's own
 * files, where it would lie in unused space for long. SQLite writes the file anew for that.
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
