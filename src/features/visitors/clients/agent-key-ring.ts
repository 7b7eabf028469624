import type { KeyObject } from "node:crypto";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { type AgentKey, type KeyDirectory, parseJwks } from "./key-directory.ts";

/** The keys of all known operators, kept current where that is enabled. Disposing aborts fetches in progress. */
export interface AgentKeyRing extends AsyncDisposable {
  /**
   * Finds a key by its thumbprint: of the host that a request names, or of any host if it names none. `key` is null
   * when the host's directory was fetched just now and does not contain it. Never waits.
   */
  find(id: string, host: string | null): FoundKey | null;
}

export interface FoundKey {
  key: KeyObject | null;
  operator: string;
}

interface KeyRingDeps {
  directories: readonly KeyDirectory[];
  outboundHttp: Pick<OutboundHttp, "send">;
  clock: Clock;
  logger: Logger;
}

const WELL_KNOWN = "/.well-known/http-message-signatures-directory";
const REFRESH_MS = 6 * 3_600_000;
/**
 * A key that is missing from the directory may be new; requests must not be able to trigger fetches more often than
 * this.
 */
const RETRY_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 10_000;
const MAX_DIRECTORY_BYTES = 64 * 1024;

/** Fetches the directories of operators that allow it now, and again when they are old or lack a key. */
export function createAgentKeyRing({ directories, outboundHttp, clock, logger }: KeyRingDeps): AgentKeyRing {
  const closing = new AbortController();
  const entries = new Map(directories.map((directory) => [directory.host, { ...directory, triedAt: 0, fetchedAt: 0 }]));
  const fetching = new Map<string, Promise<void>>();
  type Entry = KeyDirectory & { triedAt: number; fetchedAt: number };

  const load = async (entry: Entry) => {
    const answer = await outboundHttp.send({
      url: `https://${entry.host}${WELL_KNOWN}`,
      method: "GET",
      headers: { Accept: "application/http-message-signatures-directory+json, application/json" },
      timeoutMs: FETCH_TIMEOUT_MS,
      maxResponseBytes: MAX_DIRECTORY_BYTES,
      signal: closing.signal,
    });
    const keys = answer.ok && answer.status === 200 && !answer.isCut ? parseJwks(answer.body.toString("utf8")) : null;
    if (keys !== null && keys.size > 0) {
      entry.keys = keys;
      entry.fetchedAt = clock.now().getTime();
      return;
    }
    const reason = answer.ok ? `answer ${answer.status} is no directory of Ed25519 keys` : answer.message;
    logger.warn({ host: entry.host, reason }, "the keys of an agent's operator could not be fetched");
  };

  // In both directions: a clock that is set back must not keep old keys for a day.
  const isWithin = (ms: number, time: number) => Math.abs(clock.now().getTime() - time) < ms;
  const refresh = (entry: Entry, afterMs: number) => {
    if (!entry.fetch || closing.signal.aborted || isWithin(afterMs, entry.triedAt) || fetching.has(entry.host)) return;
    entry.triedAt = clock.now().getTime();
    const running = load(entry)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) logger.error({ err: error, host: entry.host }, "the keys of an operator failed");
      })
      .finally(() => fetching.delete(entry.host));
    fetching.set(entry.host, running);
  };
  const isUsable = (key: AgentKey) => key.notAfter === null || clock.now().getTime() < key.notAfter;

  for (const entry of entries.values()) refresh(entry, 0);
  return {
    find(id, host) {
      const named = host === null ? [...entries.values()] : [entries.get(host)];
      for (const entry of named) {
        if (!entry) continue;
        const found = entry.keys.get(id);
        refresh(entry, found ? REFRESH_MS : RETRY_MS);
        if (found && isUsable(found)) return { key: found.key, operator: entry.operator };
        if (host !== null && isWithin(RETRY_MS, entry.fetchedAt)) return { key: null, operator: entry.operator };
      }
      return null;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(fetching.values());
    },
  };
}
