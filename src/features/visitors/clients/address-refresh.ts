import { dayOf, dayText } from "#features/visitors/day.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { errorText } from "#lib/app-error.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { failedFetchWords, keepFailedFetches, readFailedFetches } from "./failed-fetches.ts";
import {
  keepPublishedAddresses,
  MAX_LIST_BYTES,
  type PublishedAddresses,
  PUBLICATIONS,
  publishedRanges,
  readPublishedAddresses,
} from "./published-addresses.ts";

const FETCH_TIMEOUT_MS = 20_000;
/** The delay before a failed fetch is retried; a successful one is repeated on the next day. */
const LOOK_EVERY_MS = 3_600_000;

interface RefreshDeps {
  dataDirectory: string;
  outboundHttp: Pick<OutboundHttp, "send">;
  clock: Clock;
  logger: Logger;
  publications?: typeof PUBLICATIONS;
}

/** Keeps the published addresses of agents current. Disposing aborts fetches in progress. */
export interface AddressRefresh extends AsyncDisposable {
  /** Fetches the lists that were not fetched today. Runs automatically once an hour. */
  refresh(): Promise<void>;
}

/**
 * Fetches the addresses that operators publish once a day, each list from its one known URL. A list that is
 * unavailable, malformed, empty or less than half as long as the one before is rejected: the last good one stays.
 */
export function createAddressRefresh(deps: RefreshDeps): AddressRefresh {
  const { dataDirectory, outboundHttp, clock, logger, publications = PUBLICATIONS } = deps;
  const closing = new AbortController();

  const fetchRanges = async (url: string, sizeBefore: number): Promise<string[]> => {
    const answer = await outboundHttp.send({
      url,
      method: "GET",
      headers: { Accept: "application/json" },
      timeoutMs: FETCH_TIMEOUT_MS,
      maxResponseBytes: MAX_LIST_BYTES,
      signal: closing.signal,
    });
    if (!answer.ok) throw new Error(answer.message);
    if (answer.status !== 200 || answer.isCut) throw new Error(`answer ${answer.status} is no list of addresses`);
    const ranges = publishedRanges(JSON.parse(answer.body.toString("utf8")));
    if (ranges.length < sizeBefore / 2) throw new Error(`${ranges.length} ranges in place of ${sizeBefore}`);
    return ranges;
  };

  const refreshOnce = async () => {
    const today = dayText(dayOf(clock.now().getTime()));
    const kept = await readPublishedAddresses(dataDirectory);
    const fetched = new Map<string, PublishedAddresses>();
    const failedBefore = await readFailedFetches(dataDirectory);
    const failing = new Map(failedBefore.map((failed) => [failed.url, failed]));
    for (const { url, agents } of publications) {
      const before = kept.get(agents[0]!);
      if (closing.signal.aborted) continue;
      if (agents.every((agent) => kept.get(agent)?.date === today)) {
        failing.delete(url); // somebody passed today's file
        continue;
      }
      try {
        const ranges = await fetchRanges(url, before?.ranges.length ?? 0);
        for (const agent of agents) fetched.set(agent, { date: today, ranges });
        failing.delete(url);
      } catch (error) {
        if (closing.signal.aborted) continue;
        const known = failing.get(url);
        const since = known?.since ?? clock.now().toISOString();
        failing.set(url, { url, agents: [...agents], since, reason: errorText(error) });
        if (known !== undefined) continue;
        const { advice } = failedFetchWords(failing.get(url)!);
        logger.warn({ err: error, url, kept: before?.date, advice }, "the addresses of an agent could not be fetched");
      }
    }
    if (fetched.size > 0) await keepPublishedAddresses(dataDirectory, fetched);
    const failed = [...failing.values()].filter(({ url }) => publications.some((each) => each.url === url));
    if (JSON.stringify(failed) !== JSON.stringify(failedBefore)) await keepFailedFetches(dataDirectory, failed);
  };

  let running: Promise<void> = Promise.resolve();
  const refresh = () => {
    running = running.then(refreshOnce).catch((error: unknown) => {
      logger.error({ err: error }, "the addresses of agents could not be kept");
    });
    return running;
  };
  const timer = setInterval(() => void refresh(), LOOK_EVERY_MS).unref();
  void refresh();
  return {
    refresh,
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(timer);
      await running;
    },
  };
}
