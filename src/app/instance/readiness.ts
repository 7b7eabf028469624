import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rmdir, statfs } from "node:fs/promises";
import path from "node:path";
import type { Database } from "#db/database.ts";
import { readSchemaState } from "#db/migrations.ts";
import { createRenderCheck, RENDERING_FAILED, RENDERING_SILENT } from "./render-check.ts";

/** Three seconds, in event loop rounds: a process without processor time sees the response only after its timers. */
const DATABASE_PATIENCE = { rounds: 10, everyMs: 300 };
/** `/ready` is public, so results are cached for this time. */
const FRESH_MS = 500;
/** Checks that write are cached for longer. */
const STORE_FRESH_MS = 5_000;
/** Below this, a push or a batch of views may fail. `docent doctor` applies it, too. */
export const MIN_FREE_BYTES = 32 * 1024 * 1024;

const OUT_OF_REACH = "The database is out of reach.";
const DAMAGED = "The database is damaged.";
const MIGRATED = "A newer version of Docent has migrated the database: replace this process with it.";
const DISK_FULL = "The disk of the data directory is full.";
const NOT_MOUNTED = "The data directory is not there: its volume is not mounted.";
const NOT_WRITABLE = "The folder of the repositories cannot be written.";

/** What an operator does about a reason. The log says it; `/ready` is public and does not. */
export const READINESS_ADVICE: Readonly<Record<string, string>> = {
  [OUT_OF_REACH]:
    "Check that the database runs and can be written: PostgreSQL at DATABASE_URL, or the disk of the data directory with SQLite. docent doctor says more.",
  [DAMAGED]:
    "Run docent doctor, which says what is damaged, and check the disk. With SQLite stop the server, restore the newest backup with docent restore, and start it; with PostgreSQL rebuild the index or restore the database.",
  [MIGRATED]: "Stop this process, and start the version that migrated the database.",
  [DISK_FULL]: "Free at least 32 MB, or enlarge the disk. docent doctor shows what uses it.",
  [NOT_MOUNTED]: "Mount the volume of the data directory (DOCENT_DATA). The server continues by itself.",
  [NOT_WRITABLE]: "Make the folder repositories in the data directory writable for the server's user.",
  [RENDERING_FAILED]: "The error that the render process ended with is in this log, above.",
  [RENDERING_SILENT]: "Give the machine more processor time or memory, or restart the server.",
};

/**
 * Returns the reasons why this process is not ready, a sentence each; empty when it is ready. Never waits for long. A
 * missing repository is not a reason, because it affects one project, and a load balancer would take all sites offline.
 */
export function createReadiness({
  database,
  dataDirectory,
  canRender,
  patience = DATABASE_PATIENCE,
}: {
  database: Database;
  dataDirectory: string;
  canRender(): Promise<boolean>;
  patience?: typeof DATABASE_PATIENCE;
}) {
  const renderProblem = createRenderCheck(canRender);
  const root = path.join(dataDirectory, "repositories");
  const isOutdated = keepFor(STORE_FRESH_MS, () => isMigratedFurther(database));
  const repositories = keepFor(STORE_FRESH_MS, () => canMakeFolder(root));
  const identity = path.join(dataDirectory, "instance-id");
  const hadIdentity = existsSync(identity);
  return keepFor(FRESH_MS, async (): Promise<string[]> => {
    const [isReachable, isRoomy, pages] = await Promise.all([
      withinTimeout(canWrite(database), patience),
      hasRoom(dataDirectory),
      renderProblem(),
    ]);
    return [
      ...(database.sawDamage() ? [DAMAGED] : isReachable ? [] : [OUT_OF_REACH]),
      ...(isReachable && (await isOutdated()) ? [MIGRATED] : []),
      ...(isRoomy ? [] : [DISK_FULL]),
      ...(hadIdentity && !existsSync(identity) ? [NOT_MOUNTED] : []),
      ...(isReachable && isRoomy && !(await repositories()) ? [NOT_WRITABLE] : []),
      ...(pages === null ? [] : [pages]),
    ];
  });
}

function keepFor<T>(freshMs: number, find: () => Promise<T>): () => Promise<T> {
  let known: { at: number; found: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (known === null || now - known.at > freshMs) known = { at: now, found: find() };
    return known.found;
  };
}

/**
 * During a rolling upgrade, this version may write rows that the newer one does not expect, or miss columns that it
 * needs.
 */
const isMigratedFurther = ({ kysely }: Database): Promise<boolean> =>
  readSchemaState(kysely).then(
    (state) => state === "newer",
    () => false,
  );

/** Creates and removes a folder. After a crash, a remaining one does no harm: nothing else uses its name. */
async function canMakeFolder(root: string): Promise<boolean> {
  const probe = path.join(root, `.probe-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(root, { mode: 0o700 }).catch(() => undefined);
    await mkdir(probe, { mode: 0o700 });
    await rmdir(probe);
    return true;
  } catch {
    return false;
  }
}

/** Takes the write lock of the database without writing. */
const canWrite = (database: Database): Promise<boolean> =>
  database
    .transaction(async (transaction) => transaction.selectFrom("project").select("id").limit(1).execute())
    .then(
      () => true,
      () => false,
    );

async function withinTimeout(asked: Promise<boolean>, patience: typeof DATABASE_PATIENCE): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let rounds = 0;
  const late = new Promise<boolean>((resolve) => {
    timer = setInterval(() => {
      rounds += 1;
      if (rounds === patience.rounds) resolve(false);
    }, patience.everyMs).unref();
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearInterval(timer);
  }
}

async function hasRoom(directory: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
