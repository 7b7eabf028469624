import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { readInstanceFile } from "#app/instance/instance-file.ts";
import { APPLICATION_NAME } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";

export const STOP_FIRST = "Stop the server first: what it takes meanwhile would be missing in the copy.";

/** `AppError conflict` where a server of this machine works on a data directory. */
export function refuseServerOn(dataDirectory: string): void {
  const running = readInstanceFile(dataDirectory);
  if (running === null) return;
  const { baseUrl, pid } = running;
  throw new AppError("conflict", `${dataDirectory} is served at ${baseUrl} (process ${pid}). ${STOP_FIRST}`);
}

const PATIENCE = { rounds: 15, everyMs: 200 }; // a connection that was closed is listed for a moment

/** `AppError conflict` where servers or commands of any machine are connected to a PostgreSQL database. */
export async function refuseConnections(client: pg.Client, what: string): Promise<void> {
  for (let round = 0; ; round++) {
    const { rows } = await client.query<{ count: bigint }>(
      "select count(*) as count from pg_stat_activity where datname = current_database() and application_name = $1",
      [APPLICATION_NAME],
    );
    const count = Number(rows[0]?.count);
    if (count === 0) return;
    if (round === PATIENCE.rounds) {
      const advice =
        "Stop all servers and commands that use it first: what they write meanwhile would be missing in the copy.";
      throw new AppError("conflict", `Docent has ${count} connections to ${what}. ${advice}`);
    }
    await sleep(PATIENCE.everyMs);
  }
}
