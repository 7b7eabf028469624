import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  asStored,
  type ColumnType,
  columnList,
  type DescribedTable,
  measuring,
  quoted,
  type StoredRow,
  type TableSize,
  type TableStore,
} from "./table-store.ts";

const TYPES: Readonly<Record<string, ColumnType>> = {
  text: "text",
  integer: "integer",
  bigint: "bigint",
  blob: "bytes",
};

/** One read transaction is open from the first read of a source to its end. */
export function openSqliteTables(file: string, { isSource }: { isSource: boolean }): TableStore & Disposable {
  const database = new DatabaseSync(file, { readOnly: isSource, enableForeignKeyConstraints: true });
  // What a power cut takes away of a copy is copied again; `settle` waits for the disk.
  database.exec(isSource ? "begin" : "pragma journal_mode = wal; pragma synchronous = normal");
  return {
    name: file,
    isSource,
    tables: async () => asStored(describe(database), TYPES),
    measure: async (table) => ({ ...(database.prepare(measuring(table)).get() as unknown as TableSize) }),
    async *read(table, rowsAtOnce) {
      const statement = database.prepare(`select ${columnList(table)} from ${quoted(table.name)}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      let batch: StoredRow[] = [];
      for (const row of statement.iterate()) {
        batch.push(row as unknown as StoredRow);
        if (batch.length < rowsAtOnce) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    async insert(table, rows) {
      const places = table.columns.map(() => "?").join(", ");
      const statement = database.prepare(`insert into ${quoted(table.name)} (${columnList(table)}) values (${places})`);
      inTransaction(database, () => {
        for (const row of rows) statement.run(...(row as readonly SQLInputValue[]));
      });
    },
    async clear(tables) {
      inTransaction(database, () => {
        for (const { name } of tables.toReversed()) database.exec(`delete from ${quoted(name)}`);
      });
    },
    objection: () => null,
    async settle() {
      database.exec("pragma synchronous = full; pragma wal_checkpoint(truncate)");
    },
    [Symbol.dispose]() {
      database.close();
    },
  };
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("begin immediate");
  try {
    work();
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function describe(database: DatabaseSync): DescribedTable[] {
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
    .all() as { name: string }[];
  return names.map(({ name }) => {
    const columns = database.prepare("select name, lower(type) as type, pk from pragma_table_info(?)").all(name) as {
      name: string;
      type: string;
      pk: number;
    }[];
    const parents = database.prepare(`select "table" as parent from pragma_foreign_key_list(?)`).all(name) as {
      parent: string;
    }[];
    return {
      name,
      columns,
      primaryKey: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      parents: parents.map(({ parent }) => parent),
    };
  });
}
