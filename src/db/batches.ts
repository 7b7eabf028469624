/** Rows per statement, which blocks SQLite's only writer for some milliseconds. */
const BATCH = 200;

/** Changes many rows in batches, so that other writers do not wait for all of them. Returns the number of rows. */
export async function inBatches(changeSome: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let all = 0;
  for (;;) {
    const changed = await changeSome(BATCH);
    all += changed;
    if (changed < BATCH || signal.aborted) return all;
    await new Promise(setImmediate); // lets waiting requests run first
  }
}

/** The number of rows that a Kysely statement deleted. */
export const deletedRows = async (statement: { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }) =>
  Number((await statement.executeTakeFirst()).numDeletedRows);
