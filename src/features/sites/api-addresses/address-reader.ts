import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ApiReader } from "#docs/api/api-documents.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { createBell } from "#lib/waiting/bell.ts";
import { isApiHost } from "#features/projects/api-hosts.ts";
import {
  type AddressClaim,
  type AddressOutcome,
  claimAddresses,
  dropAddress,
  releaseAddress,
  readAddresses,
  recordOutcome,
} from "./address-rows.ts";
import { askAddress } from "./ask-address.ts";

export interface AddressReaderDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  outboundHttp: Pick<OutboundHttp, "send">;
  /** In a process that can be killed: what others serve is not trusted. */
  readApi: ApiReader["readApi"];
  userAgent: string;
  /** What a project's site is made of changed. Rejects never. */
  onChange(project: ProjectId): Promise<void>;
}

const TICK_MS = 1_000;
/** Each holds up to 10 MB. */
const AT_ONCE = 8;
/** One project's slow hosts leave places for the others. */
const AT_ONCE_PER_PROJECT = 2;

const pack = promisify(gzip);

/** Asks the addresses that sites name, in the background; any number of processes may do it on one store. */
export function createAddressReader(deps: AddressReaderDeps): { ring(): void; start(): AsyncDisposable } {
  const stopping = new AbortController();
  const bell = createBell();
  const trouble = createLastingTrouble(deps.logger, "addresses of descriptions are not asked");
  const running = new Map<string, { project: ProjectId; end: Promise<void> }>();

  const busy = () => {
    const counts = new Map<ProjectId, number>();
    for (const { project } of running.values()) counts.set(project, (counts.get(project) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= AT_ONCE_PER_PROJECT).map(([project]) => project);
  };
  const begin = (claim: AddressClaim) => {
    const { project, row } = claim;
    const key = `${project} ${row.address}`;
    const end = readAddress(deps, claim, stopping.signal)
      .catch(async (error: unknown) => {
        // The next server asks again, at once where the store still answers.
        if (stopping.signal.aborted) await releaseAddress(deps, claim).catch(() => undefined);
        else deps.logger.error({ err: error, projectId: project }, "description at an address not read");
      })
      .finally(() => {
        running.delete(key);
        bell.ring();
      });
    running.set(key, { project, end });
  };

  return {
    ring: () => bell.ring(),
    start() {
      const loop = (async () => {
        while (!stopping.signal.aborted) {
          let isFull = true;
          try {
            // One at a time: a project gets no more than its places.
            const [claim] = await claimAddresses(deps, { limit: Math.min(1, AT_ONCE - running.size), busy: busy() });
            isFull = claim === undefined;
            if (claim) begin(claim);
            trouble.worked();
          } catch (error) {
            trouble.failed(error);
          }
          if (isFull) await bell.wait(TICK_MS, stopping.signal);
        }
      })();
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort(new Error("The server is stopping."));
          await loop;
          await Promise.all([...running.values()].map(({ end }) => end));
        },
      };
    },
  };
}

async function readAddress(deps: AddressReaderDeps, claim: AddressClaim, signal: AbortSignal): Promise<void> {
  const { project, row } = claim;
  const known = await readAddresses(deps, project);
  const isAllowed = (url: URL) => known !== null && isApiHost(known.hosts, url);
  if (!isAllowed(new URL(row.address))) return dropAddress(deps, claim);
  const outcome = await outcomeOf(deps, claim, { isAllowed, signal });
  const hasChanged = await recordOutcome(deps, claim, outcome);
  if (outcome.kind === "failed") {
    deps.logger.info({ projectId: project, reason: outcome.trouble }, "description at an address not read");
  }
  if (hasChanged && !signal.aborted) await deps.onChange(project);
}

async function outcomeOf(
  deps: AddressReaderDeps,
  { project, row }: AddressClaim,
  { isAllowed, signal }: { isAllowed(url: URL): boolean; signal: AbortSignal },
): Promise<AddressOutcome> {
  const { address, version } = row;
  // Without a copy there is nothing that "not modified" could be said of.
  const known =
    version === null ? { etag: null, lastModified: null } : { etag: row.etag, lastModified: row.last_modified };
  const answer = await askAddress(deps, { address, ...known, isAllowed, signal });
  if (answer.kind !== "content") return answer;
  const { bytes, etag, lastModified } = answer;
  const hash = createHash("sha256").update(bytes).digest("base64url");
  if (hash === version) return { kind: "same" };
  const flaw = await flawOf(deps, { project, address, text: new TextDecoder("utf-8").decode(bytes) });
  if (flaw !== null) return flaw;
  const copy = { version: hash, sizeBytes: bytes.length, content: await pack(bytes) };
  return { kind: "read", ...copy, etag, lastModified };
}

/** Why a text is no description, so that a page for signing in never takes the place of a good copy; null when it is one. */
async function flawOf(
  { readApi }: Pick<AddressReaderDeps, "readApi">,
  { project, address, text }: { project: ProjectId; address: string; text: string },
): Promise<AddressOutcome | null> {
  try {
    const read = (path: string) => Promise.resolve(path === address ? text : null);
    const { document, problems } = await readApi({ path: address, owner: project, read });
    if (document !== null) return null;
    return {
      kind: "failed",
      trouble: `What it answers cannot be used: ${problems[0]?.message ?? "it describes no API."}`,
    };
  } catch (error) {
    if (error instanceof AppError) return { kind: "busy" };
    throw error;
  }
}
