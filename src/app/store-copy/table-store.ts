import { UNFINISHED_COPY } from "#db/unfinished-copy.ts";

/** What a column holds. Flags and instants are numbers and JSON is text on both engines, so there is nothing else. */
export type ColumnType = "text" | "integer" | "bigint" | "bytes";

/** A value as it is read from either engine; `number` is a fraction, which no column is meant to hold. */
export type StoredValue = null | string | bigint | number | Uint8Array;
/** Values in the order of the columns. */
export type StoredRow = readonly StoredValue[];

export interface StoredTable {
  name: string;
  /** By name: engines that were migrated in other ways have them in another order. */
  columns: readonly { name: string; type: ColumnType }[];
  primaryKey: readonly string[];
  /** The tables that its foreign keys refer to. */
  parents: readonly string[];
}

export interface TableSize {
  rows: number;
  /** Of all values, a number as 8. */
  bytes: number;
  /** Of the largest row. */
  widestBytes: number;
}

/** The tables of a database as they are copied: in bulk, whatever is in them. */
export interface TableStore {
  /** The file or the address, without a password, and whether it is copied from or to: for messages. */
  name: string;
  isSource: boolean;
  /** Without those of `NOT_COPIED`. */
  tables(): Promise<StoredTable[]>;
  measure(table: StoredTable): Promise<TableSize>;
  /** Each row once, `rowsAtOnce` together, in no order. */
  read(table: StoredTable, rowsAtOnce: number): AsyncIterable<readonly StoredRow[]>;
  insert(table: StoredTable, rows: readonly StoredRow[]): Promise<void>;
  /** Empties tables, which come after those that they refer to. */
  clear(tables: readonly StoredTable[]): Promise<void>;
  /** What keeps a value out of a column, as the end of a sentence; null for what can be stored. */
  objection(value: StoredValue, type: ColumnType): string | null;
  /** After the last row. */
  settle(): Promise<void>;
}

/** What migrations make by themselves, and what PostgreSQL has for the search: it is made again from the repositories. */
export const NOT_COPIED: ReadonlySet<string> = new Set([
  "kysely_migration",
  "kysely_migration_lock",
  "search_page",
  "search_section",
  "search_lease",
  UNFINISHED_COPY,
]);

/** A name in SQL; both engines write it so. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnList = ({ columns }: StoredTable): string => columns.map(({ name }) => quoted(name)).join(", ");

/** The statement for `measure`. Of large values both engines read the length alone. */
export function measuring({ name, columns }: StoredTable): string {
  const sizes = columns.map((column) =>
    column.type === "integer" || column.type === "bigint" ? "8" : `coalesce(octet_length(${quoted(column.name)}), 0)`,
  );
  return `select count(*) as "rows", coalesce(sum(bytes), 0) as "bytes", coalesce(max(bytes), 0) as "widestBytes"
    from (select ${sizes.join(" + ")} as bytes from ${quoted(name)}) as sizes`;
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

/** A table as an engine describes it, with its own names of types. */
export interface DescribedTable {
  name: string;
  columns: readonly { name: string; type: string }[];
  primaryKey: readonly string[];
  parents: readonly string[];
}

export function asStored(
  described: readonly DescribedTable[],
  types: Readonly<Record<string, ColumnType>>,
): StoredTable[] {
  return described
    .filter(({ name }) => !NOT_COPIED.has(name))
    .map(({ name, columns, primaryKey, parents }) => ({
      name,
      primaryKey,
      parents: [...new Set(parents)].filter((parent) => parent !== name),
      columns: columns
        .map((column) => {
          const type = Object.hasOwn(types, column.type) ? types[column.type] : undefined;
          if (type === undefined)
            throw new Error(`${name}.${column.name} has the type ${column.type}, which is not copied.`);
          return { name: column.name, type };
        })
        .sort(byName),
    }))
    .sort(byName);
}
