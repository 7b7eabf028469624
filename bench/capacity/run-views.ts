import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { loadDocent } from "#bench/visitors/docent.ts";
import { generateViews } from "#bench/visitors/generate.ts";
import { openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import type { Costs } from "./costs.ts";

/** Counts views of a month of one project, and reports what they take in a database. */
export async function runViews(views: number): Promise<Partial<Costs>> {
  const folder = await mkdtemp(path.join(tmpdir(), "docent-capacity-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "docent.sqlite");
  const location = { engine: "sqlite" as const, path: file };
  const database = stack.use(await openDatabase({ location, logger: silentLogger, migrate: true }));
  const size = async () => {
    const sizes = await Promise.all([file, `${file}-wal`].map((one) => stat(one).catch(() => ({ size: 0 }))));
    return sizes.reduce((total, one) => total + one.size, 0);
  };
  const before = await size();
  await loadDocent(database, generateViews({ views, days: 30, pages: 200, seed: 5 }), (done) =>
    process.stderr.write(`${done.toLocaleString("en")} views\n`),
  );
  await sql`pragma wal_checkpoint(truncate)`.execute(database.kysely);
  const source = `${views.toLocaleString("en")} views of one project in 30 days, SQLite`;
  return { viewBytes: { value: ((await size()) - before) / views, unit: "bytes in the database", source } };
}
