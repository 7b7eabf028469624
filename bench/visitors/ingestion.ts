import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createAnalytics } from "#features/visitors/collect/analytics.ts";
import { openDatabase } from "#db/database.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import type { PlainAnswer } from "#lib/network/plain-http.ts";
import { insertTestProject, userAgents } from "#testing/views.ts";
import { loadDocent } from "./docent.ts";
import { generateViews } from "./generate.ts";
import { testVault } from "#testing/vault.ts";

// Throughput of views through the collector, the journal and the folding thread into SQLite, and the cost of a served page for
// the thread that serves pages.
const { values } = parseArgs({
  options: { views: { type: "string", default: "300000" }, present: { type: "string", default: "0" } },
});
const views = Number(values.views);
const present = Number(values.present);
const say = (text: string) => process.stdout.write(`${text}\n`);

const folder = await mkdtemp(path.join(tmpdir(), "docent-ingestion-"));
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(folder, { recursive: true, force: true }));
const location = { engine: "sqlite" as const, path: path.join(folder, "docent.sqlite") };
const database = stack.use(await openDatabase({ location, logger: silentLogger, migrate: true }));
const earlier = generateViews({ views: present, days: 365, pages: 2_000, seed: 7 });
const projectId =
  present === 0
    ? await insertTestProject(database.kysely)
    : (await loadDocent(database, earlier, (done) => process.stderr.write(`${done} views are there\n`))).projectId;
const analytics = stack.use(
  await createAnalytics({
    database,
    location,
    dataDirectory: folder,
    trustedProxies: [],
    clock: systemClock,
    vault: testVault,
    logger: silentLogger,
    maxConfirmsPerMinute: Number.MAX_SAFE_INTEGER,
  }),
);

/** Bytes that this process wrote to the disk; null where the system does not report it. */
async function readWritten(): Promise<number | null> {
  const text = await readFile("/proc/self/io", "utf8").catch(() => "");
  const digits = /write_bytes: (\d+)/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

const WAITING = 4_000;
const request = new Request("http://docs.localhost/", { headers: { "user-agent": userAgents.chrome } });
let acknowledged = 0;
let servedMs = 0;
const writtenBefore = await readWritten();
const processorBefore = process.cpuUsage();
const started = performance.now();
let waiting: Promise<PlainAnswer>[] = [];
for (const { visitor, page, isAi } of generateViews({ views, days: 1, pages: 2_000, seed: 3 })) {
  const peerAddress = `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
  if (isAi) {
    const before = performance.now();
    analytics.collector.served({
      projectId,
      path: `/p/${page}`,
      surface: "markdown",
      found: true,
      request,
      peerAddress,
    });
    servedMs += performance.now() - before;
    continue;
  }
  const read = () => ({ path: `/p/${page}` });
  waiting.push(analytics.collector.confirm({ projectId, request, peerAddress, read, pageOf: (path) => path }));
  if (waiting.length < WAITING) continue;
  for (const { status } of await Promise.all(waiting)) if (status === 204) acknowledged++;
  waiting = [];
}
for (const { status } of await Promise.all(waiting)) if (status === 204) acknowledged++;
const takenMs = performance.now() - started;
await analytics.flush();
const foldedMs = performance.now() - started;
const { user, system } = process.cpuUsage(processorBefore);
const written = await readWritten();
const rate = (ms: number) => Math.round((views / ms) * 1_000).toLocaleString("en");
const { accepted, shed, lost } = analytics.stats();
say(`${views.toLocaleString("en")} views onto ${present.toLocaleString("en")}, one process with its folding thread`);
say(
  `safely on disk and acknowledged: ${rate(takenMs)} views/s (${acknowledged.toLocaleString("en")} confirmations answered 204)`,
);
say(`and folded into the counts:      ${rate(foldedMs)} views/s`);
say(`served(): ${((servedMs * 1_000) / (accepted - acknowledged)).toFixed(1)} µs a call on the page-serving thread`);
say(`accepted ${accepted.toLocaleString("en")}, shed ${shed}, lost ${lost}`);
say(`processor ${((user + system) / views).toFixed(1)} µs a view, with the sender's part of it`);
if (written !== null && writtenBefore !== null)
  say(`written ${Math.round((written - writtenBefore) / views)} bytes a view`);
