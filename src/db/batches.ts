/** Rows of one statement: it holds the only writer of SQLite for some milliseconds. */
const BATCH = 200;

/** Changes many rows a batch at a time, so that nobody waits for all of them. Answers with how many there were. */
export async function inBatches(changeSome: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let all = 0;
  for (;;) {
    const changed = await changeSome(BATCH);
    all += changed;
    if (changed < BATCH || signal.aborted) return all;
    await new Promise(setImmediate); // requests that came meanwhile go first
  }
}

/** How many rows a statement of Kysely deleted. */
export const deletedRows = async (statement: { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }) =>
  Number((await statement.executeTakeFirst()).numDeletedRows);
