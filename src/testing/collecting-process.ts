import { createAnalytics } from "#features/visitors/collect/analytics.ts";
import { type DatabaseLocation, openDatabase } from "#db/database.ts";
import { systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { userAgents } from "./views.ts";
import { testVault } from "./vault.ts";

// A process that collects views as fast as it can until it is killed, and prints each one that it acknowledged.
// Arguments: data directory, project, first number, age of a journal segment, PostgreSQL's address if that is the
// store.
const [dataDirectory = "", project = "", first = "0", segmentAgeMs = "30000", postgresUrl] = process.argv.slice(2);
const location: DatabaseLocation =
  postgresUrl === undefined
    ? { engine: "sqlite", path: `${dataDirectory}/docent.sqlite` }
    : { engine: "postgres", url: new Secret(postgresUrl) };
const database = await openDatabase({ location, logger: silentLogger, migrate: false });
const { collector } = await createAnalytics({
  database,
  location,
  dataDirectory,
  trustedProxies: [],
  clock: systemClock,
  vault: testVault,
  logger: silentLogger,
  foldIntervalMs: 10,
  segmentAgeMs: Number(segmentAgeMs),
  maxConfirmsPerMinute: Number.MAX_SAFE_INTEGER,
});

let number = Number(first);
const send = async (): Promise<void> => {
  for (;;) {
    const mine = number++;
    const response = await collector.confirm({
      projectId: project as ProjectId,
      request: new Request("http://docs.localhost/", { headers: { "user-agent": userAgents.chrome } }),
      peerAddress: `10.${(mine >> 16) & 255}.${(mine >> 8) & 255}.${mine & 255}`,
      read: () => ({ path: `/view/${mine}` }),
      pageOf: (path) => path,
    });
    if (response.status === 204) process.stdout.write(`${mine}\n`);
  }
};
await Promise.all(Array.from({ length: 64 }, send));
