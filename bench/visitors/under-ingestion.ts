import { createAnalytics } from "#features/visitors/collect/analytics.ts";
import { openDatabase } from "#db/database.ts";
import { DAY_MS, type Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { userAgents } from "#testing/views.ts";
import { docentEngines, lastRanges } from "./engines.ts";
import { type DataShape, FIRST_TIME, generateViews } from "./generate.ts";
import { type Timing, timing } from "./measure.ts";
import { testVault } from "#testing/vault.ts";

interface UnderIngestion {
  /** Views per second that came in meanwhile, and how many of them were not acknowledged. */
  viewsPerSecond: number;
  refused: number;
  queries: Timing;
}

const TURN_MS = 50;

/**
 * Queries the last 30 days repeatedly while views of the last day come in through the collector, the journal and the folding
 * thread, as in a server: each query finds new counts and packs since the previous one.
 */
export async function queryUnderIngestion(
  { file, folder, projectId, shape }: { file: string; folder: string; projectId: ProjectId; shape: DataShape },
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<UnderIngestion> {
  const location = { engine: "sqlite" as const, path: file };
  await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
  const started = Date.now();
  const lastDay = FIRST_TIME + (shape.days - 1) * DAY_MS;
  const clock: Clock = { now: () => new Date(lastDay + DAY_MS / 2 + Date.now() - started) };
  await using analytics = await createAnalytics({
    database,
    location,
    dataDirectory: folder,
    trustedProxies: [],
    clock,
    vault: testVault,
    logger: silentLogger,
    maxConfirmsPerMinute: Number.MAX_SAFE_INTEGER,
  });
  const request = new Request("http://docs.localhost/", { headers: { "user-agent": userAgents.chrome } });
  const views = generateViews({ ...shape, views: Number.MAX_SAFE_INTEGER, seed: 11 });
  let sent = 0;
  let refused = 0;
  const answers: Promise<void>[] = [];
  const sender = setInterval(() => {
    const due = ((Date.now() - started) * perSecond) / 1_000;
    for (; sent < due; sent++) {
      const next = views.next();
      if (next.done === true) break;
      const { visitor, page } = next.value;
      const peerAddress = `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
      const read = () => ({ path: `/docs/page-${page}` });
      const answer = analytics.collector.confirm({ projectId, request, peerAddress, read, pageOf: (path) => path });
      answers.push(answer.then(({ status }) => void (refused += status === 204 ? 0 : 1)));
    }
  }, TURN_MS);
  try {
    const [engine] = docentEngines("Docent", database, projectId);
    const month = lastRanges(shape)[1];
    const times: number[] = [];
    while (engine && month && Date.now() - started < seconds * 1_000) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const asked = performance.now();
      await engine[1](month);
      times.push(performance.now() - asked);
    }
    const tookMs = Date.now() - started;
    clearInterval(sender);
    await Promise.all(answers);
    return { viewsPerSecond: (sent * 1_000) / tookMs, refused, queries: timing(times) };
  } finally {
    clearInterval(sender);
  }
}
