import { AppError, errorText } from "#lib/app-error.ts";
import { createRowChecksum } from "./row-checksum.ts";
import type { StoredRow, StoredTable, TableSize, TableStore } from "./table-store.ts";

export interface CopiedTable extends Pick<TableSize, "rows" | "bytes"> {
  name: string;
  checksum: string;
}

export interface CopyWork {
  source: TableStore;
  target: TableStore;
  signal: AbortSignal;
  progress(words: string): void;
}

const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** As many rows as fit into some megabytes, were each as large as the largest. */
export const rowsAtOnce = ({ widestBytes }: TableSize): number =>
  Math.max(1, Math.min(MAX_BATCH_ROWS, Math.floor(MAX_BATCH_BYTES / Math.max(1, widestBytes))));

/** The tables of a store with their sizes, each after those that it refers to. */
export async function sizedTables(store: TableStore, { signal, progress }: Pick<CopyWork, "signal" | "progress">) {
  const sized: { table: StoredTable; size: TableSize }[] = [];
  for (const table of inOrder(await store.tables())) {
    signal.throwIfAborted();
    progress(`Measuring ${table.name}`);
    sized.push({ table, size: await store.measure(table) });
  }
  return sized;
}

function inOrder(tables: readonly StoredTable[]): StoredTable[] {
  const ordered: StoredTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ parents }) => !parents.some((parent) => left.has(parent)));
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${[...left.keys()].join(", ")}`);
    for (const table of ready) left.delete(table.name);
    ordered.push(...ready);
  }
  return ordered;
}

/** `AppError` where a target does not have the tables of the source. */
function requireSameTables(source: readonly StoredTable[], target: readonly StoredTable[]): void {
  const shapes = (tables: readonly StoredTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.map((column) => column.name).join(", ")})`);
  const [here, there] = [shapes(source), shapes(target)];
  const differing = [
    ...here.filter((shape) => !there.includes(shape)),
    ...there.filter((shape) => !here.includes(shape)),
  ];
  if (differing.length === 0) return;
  throw new AppError("conflict", `The two databases do not have the same tables: ${differing.join("; ")}`);
}

/**
 * Copies all rows, one table after another, and reads each back: `AppError conflict` names a table whose copy is another, or a row
 * that cannot be stored. Tables of an earlier attempt that are the same stay.
 */
export async function copyTables(work: CopyWork, { isContinued }: { isContinued: boolean }): Promise<CopiedTable[]> {
  const { source, target } = work;
  const sized = await sizedTables(source, work);
  requireSameTables(
    sized.map(({ table }) => table),
    await target.tables(),
  );
  const copied: CopiedTable[] = [];
  let mayBeThere = isContinued;
  for (const [index, { table, size }] of sized.entries()) {
    const read = (store: TableStore, part: Part, use?: (rows: readonly StoredRow[]) => Promise<void>) =>
      readThrough({ ...work, sized, index, store, part, use });
    const keep = (checksum: string) => copied.push({ name: table.name, rows: size.rows, bytes: size.bytes, checksum });
    if (mayBeThere) {
      const isWhole = (await target.measure(table)).rows === size.rows;
      const [original, copy] = isWhole
        ? [await read(source, "Comparing"), await read(target, "Verifying")]
        : ["", null];
      if (original === copy) {
        keep(original);
        continue;
      }
      mayBeThere = false;
      await target.clear(sized.slice(index).map((each) => each.table)); // also what refers to its rows
    }
    const original = await read(source, "Copying", async (rows) => {
      refuseUnstorable(rows, table, target);
      await target.insert(table, rows).catch((error: unknown) => {
        throw notStored(table, error);
      });
    });
    if ((await read(target, "Verifying")) !== original) {
      throw new AppError(
        "conflict",
        `The copy of ${table.name} is not the same as the original. Run the command again.`,
      );
    }
    keep(original);
  }
  return copied;
}

type Part = "Copying" | "Comparing" | "Verifying";

interface Reading extends CopyWork {
  sized: readonly { table: StoredTable; size: TableSize }[];
  index: number;
  store: TableStore;
  part: Part;
  use: ((rows: readonly StoredRow[]) => Promise<void>) | undefined;
}

/** Reads a table, tells how far everything is, and answers with the checksum of its rows. */
async function readThrough({ sized, index, store, part, use, signal, progress }: Reading): Promise<string> {
  const { table, size } = sized[index]!;
  const all = 2 * bytesOf(sized);
  const before = 2 * bytesOf(sized.slice(0, index)) + (part === "Verifying" ? size.bytes : 0);
  const checksum = createRowChecksum();
  let done = 0;
  for await (const rows of store.read(table, rowsAtOnce(size))) {
    signal.throwIfAborted();
    await use?.(rows);
    for (const row of rows) checksum.add(row);
    done += rows.length;
    const percent = Math.floor((100 * (before + (size.bytes * done) / Math.max(size.rows, done))) / all);
    progress(`${part} ${table.name}: ${inThousands(done)} of ${inThousands(size.rows)} rows (${percent} % of all)`);
  }
  return checksum.text();
}

const bytesOf = (sized: Reading["sized"]) => sized.reduce((sum, { size }) => sum + size.bytes, 0);

export const inThousands = (count: number): string => count.toLocaleString("en");

/** What keeps rows out of a target, with the key of the row and the column. */
export function* objectionsTo(
  rows: readonly StoredRow[],
  table: StoredTable,
  { objection }: Pick<TableStore, "objection">,
): Generator<string> {
  for (const row of rows) {
    for (const [index, column] of table.columns.entries()) {
      const words = objection(row[index]!, column.type);
      if (words !== null) yield `${table.name} (${keyOf(row, table)}), column ${column.name}: ${words}`;
    }
  }
}

const MAX_KEY_CHARACTERS = 80;

const keyOf = (row: StoredRow, { columns, primaryKey }: StoredTable): string =>
  primaryKey
    .map((key) => `${key} = ${String(row[columns.findIndex(({ name }) => name === key)]).slice(0, MAX_KEY_CHARACTERS)}`)
    .join(", ");

function refuseUnstorable(rows: readonly StoredRow[], table: StoredTable, target: TableStore): void {
  const [problem] = objectionsTo(rows, table, target);
  if (problem === undefined) return;
  throw new AppError(
    "conflict",
    `This row cannot be copied: ${problem}. Change or delete it, then run the command again; --dry-run lists all such rows.`,
  );
}

function notStored({ name }: StoredTable, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { detail } = error as { detail?: string };
  const words = [errorText(error), ...(detail === undefined ? [] : [detail])].join(": ");
  return new AppError("conflict", `The rows of ${name} cannot be stored: ${words}`, { cause: error });
}
