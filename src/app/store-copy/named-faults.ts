import { isOutOfReach, isStoreFull } from "#db/database.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import type { TableStore } from "./table-store.ts";

/** A store whose faults say which of the two databases had them, and what to do. Other errors are unchanged. */
export function withFaultsNamed(store: TableStore): TableStore {
  const named = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw faultOf(store, error);
    });
  return {
    ...store,
    tables: () => named(store.tables()),
    measure: (table) => named(store.measure(table)),
    async *read(table, rowsAtOnce) {
      try {
        yield* store.read(table, rowsAtOnce);
      } catch (error) {
        throw faultOf(store, error);
      }
    },
    insert: (table, rows) => named(store.insert(table, rows)),
    clear: (tables) => named(store.clear(tables)),
    settle: () => named(store.settle()),
  };
}

const AGAIN = "then run the same command again: it continues";

/** A full disk and a lost connection, as an error that names the database and says what to do; any other error as it is. */
export function faultOf({ name, isSource }: Pick<TableStore, "name" | "isSource">, error: unknown): unknown {
  const side = isSource ? "The database that is copied" : "The database that is copied to";
  if (isStoreFull(error) || isDiskFull(error)) {
    const words = `${side}, ${name}, has no space left on its disk. Free some space, ${AGAIN}.`;
    return new AppError("unavailable", words, { cause: error });
  }
  if (!isOutOfReach(error)) return error;
  const words = `${side}, ${name}, does not answer any more: ${errorText(error)}. Look after it, ${AGAIN}.`;
  return new AppError("unavailable", words, { cause: error });
}
