import type pg from "pg";
import { APPLICATION_NAME } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import {
  asStored,
  type ColumnType,
  columnList,
  type DescribedTable,
  measuring,
  quoted,
  type StoredRow,
  type TableStore,
  type StoredValue,
} from "./table-store.ts";

const TYPES: Readonly<Record<string, ColumnType>> = {
  text: "text",
  integer: "integer",
  bigint: "bigint",
  bytea: "bytes",
};
const ARRAYS: Record<ColumnType, string> = {
  text: "text[]",
  integer: "integer[]",
  bigint: "bigint[]",
  bytes: "bytea[]",
};
const BITS = { integer: 32, bigint: 64 };

const DESCRIPTION = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)))
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary), '[]') as "primaryKey",
    coalesce((select json_agg(p.relname)
      from pg_constraint k join pg_class p on p.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f'), '[]') as parents
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname = current_schema()`;

/** A source is read in the transaction that is open. */
export function createPostgresTables(client: pg.Client, { isSource }: { isSource: boolean }): TableStore {
  return {
    name: `postgres://${client.host}:${client.port}/${client.database ?? ""}`,
    isSource,
    tables: async () => asStored((await client.query<DescribedTable>(DESCRIPTION)).rows, TYPES),
    async measure(table) {
      const { rows } = await client.query<Record<"rows" | "bytes" | "widestBytes", unknown>>(measuring(table));
      const { rows: count, bytes, widestBytes } = rows[0]!;
      return { rows: Number(count), bytes: Number(bytes), widestBytes: Number(widestBytes) };
    },
    async *read(table, rowsAtOnce) {
      if (!isSource) await client.query("begin read only");
      try {
        await client.query(
          `declare copied no scroll cursor for select ${columnList(table)} from ${quoted(table.name)}`,
        );
        for (;;) {
          const { rows } = await client.query<StoredValue[]>({
            text: `fetch ${rowsAtOnce} from copied`,
            rowMode: "array",
          });
          if (rows.length === 0) break;
          yield rows as readonly StoredRow[];
        }
      } finally {
        await client.query(isSource ? "close copied" : "rollback").catch(() => undefined);
      }
    },
    async insert(table, rows) {
      const places = table.columns.map(({ type }, index) => `$${index + 1}::${ARRAYS[type]}`).join(", ");
      await client.query({
        name: `insert ${table.name}`,
        text: `insert into ${quoted(table.name)} (${columnList(table)}) select * from unnest(${places})`,
        values: table.columns.map((_, index) => rows.map((row) => row[index])),
      });
    },
    async clear(tables) {
      const names = tables.map(({ name }) => quoted(name)).join(", ");
      await client.query(`truncate ${names} cascade`); // and what is searched, which refers to projects
    },
    objection: postgresObjection,
    async settle() {
      await client.query("analyze");
    },
  };
}

/** See `TableStore.objection`. */
export function postgresObjection(value: StoredValue, type: ColumnType): string | null {
  if (value === null) return null;
  if (type === "text") {
    if (typeof value !== "string") return "is not a text";
    return value.includes("\0") ? "contains a NUL character, which PostgreSQL does not store" : null;
  }
  if (type === "bytes") return value instanceof Uint8Array ? null : "is not a sequence of bytes";
  if (typeof value !== "bigint") return "is not a whole number";
  return BigInt.asIntN(BITS[type], value) === value ? null : `is larger than ${BITS[type]} bits`;
}

// Beyond 2^53 a number would be another one.
const wholeNumbers = ({ types }: typeof pg): pg.CustomTypesConfig => ({
  getTypeParser(oid: number, format?: "text" | "binary"): unknown {
    const isWhole = oid === types.builtins.INT8 || oid === types.builtins.INT4;
    return isWhole ? BigInt : types.getTypeParser(oid, format);
  },
});

const CONNECT_MS = 10_000;

/** One connection for a copy, without time limits. `AppError` names the database, without its password. */
export async function connectForCopy(url: Secret): Promise<pg.Client & AsyncDisposable> {
  const { default: driver } = await import("pg");
  const client = new driver.Client({
    connectionString: url.reveal(),
    application_name: `${APPLICATION_NAME} store copy`,
    connectionTimeoutMillis: CONNECT_MS,
    types: wholeNumbers(driver),
  });
  client.on("error", () => undefined); // the next statement tells
  try {
    await client.connect();
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
  } catch (error) {
    await client.end().catch(() => undefined);
    const message = error instanceof Error && error.message !== "" ? error.message : "no connection";
    const words = message.includes("password must be a string")
      ? "it asks for a password, and none was given. Put it into the address, PGPASSWORD or ~/.pgpass"
      : message;
    throw new AppError("unavailable", `${withoutPassword(url)} cannot be used: ${words}.`, { cause: error });
  }
}

/** A connection string as it may be shown. */
export function withoutPassword(url: Secret): string {
  const shown = new URL(url.reveal());
  shown.password = "";
  shown.searchParams.delete("password");
  return shown.href;
}
