import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";

type Row = Record<string, unknown>;

/** Columns that name the project of a row, directly or by something of the project's. */
const OWNERS = ["project_id", "project", "job_id", "endpoint_id", "automation_id", "delivery_id", "event_id", "key_id"];
/** Counts calls and sign-ins of the test itself, and the numbering that all projects share. */
const NOT_COMPARED = new Set(["rate_limit", "journal_position", "kysely_migration", "kysely_migration_lock"]);
/** Says when a key was last seen, which the test's own calls change. */
const NOT_COMPARED_COLUMNS = new Set(["last_used_at"]);

/**
 * Every row of every table that belongs to a project, as sorted lines by table: what another project's work must leave
 * alone. Tables are asked of the database itself, so that a new one is not forgotten.
 */
export async function belongings(database: Database, projectId: ProjectId): Promise<Record<string, string[]>> {
  const tables = await database.kysely.introspection.getTables();
  const rows = new Map<string, Row[]>();
  for (const { name } of tables) {
    if (NOT_COMPARED.has(name)) continue;
    rows.set(
      name,
      (await database.kysely
        .selectFrom(name as "project")
        .selectAll()
        .execute()) as unknown as Row[],
    );
  }
  const numbers = new Set<unknown>();
  for (const row of rows.get("analytics_project") ?? []) {
    if (row["project_id"] === projectId)
      for (const key of ["number", "index_number", "next_index"]) numbers.add(row[key]);
  }
  numbers.delete(null);
  const ids = new Set<unknown>([projectId]);
  const isOwn = (row: Row): boolean => {
    if (ids.has(row["id"])) return true;
    return OWNERS.some((column) => (column === "project" ? numbers : ids).has(row[column]));
  };
  for (let size = 0; size !== ids.size;) {
    size = ids.size;
    for (const list of rows.values()) {
      for (const row of list) if (typeof row["id"] === "string" && isOwn(row)) ids.add(row["id"]);
    }
  }
  const own = [...rows].map(([name, list]) => [name, list.filter(isOwn).map(line).sort()] as const);
  return Object.fromEntries(own.filter(([, lines]) => lines.length > 0));
}

function line(row: Row): string {
  const cells = Object.entries(row).filter(([column]) => !NOT_COMPARED_COLUMNS.has(column));
  return JSON.stringify(Object.fromEntries(cells), (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
  );
}
