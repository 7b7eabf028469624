import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ApiReader } from "#docs/api/api-documents.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { startDueRows } from "#kit/tasks/due-rows.ts";
import type { Logger } from "#lib/logger.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { isApiHost } from "#features/projects/site/api-hosts.ts";
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
  /** Runs in a process that can be killed: the content of other servers is not trusted. */
  readApi: ApiReader["readApi"];
  userAgent: string;
  /** The sources of a project's site have changed. Never rejects. */
  onChange(project: ProjectId): Promise<void>;
}

/** Each response may be up to 10 MB. */
const AT_ONCE = 8;
/** Slow hosts of one project leave places for the others. */
const AT_ONCE_PER_PROJECT = 2;

const pack = promisify(gzip);

/**
 * Fetches the addresses that sites name, in the background, until disposed; any number of processes may share one
 * store.
 */
export function startAddressReader(deps: AddressReaderDeps): AsyncDisposable & { ring(): void } {
  return startDueRows<AddressClaim>(deps.logger, {
    claim: async (busy) => (await claimAddresses(deps, { limit: 1, busy: busy as ProjectId[] }))[0] ?? null,
    ownerOf: ({ project }) => project,
    async run(claim, signal) {
      try {
        await readAddress(deps, claim, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        // The next server fetches it again, immediately where the store still responds.
        await releaseAddress(deps, claim).catch(() => undefined);
      }
    },
    describe: ({ project }) => ({ projectId: project }),
    messages: { all: "addresses of descriptions are not asked", one: "description at an address not read" },
    atOnce: AT_ONCE,
    atOncePerOwner: AT_ONCE_PER_PROJECT,
  });
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
  // Without a copy, "not modified" would be useless.
  const known =
    version === null ? { etag: null, lastModified: null } : { etag: row.etag, lastModified: row.last_modified };
  const answer = await askAddress(deps, { address, ...known, isAllowed, signal });
  if (answer.kind !== "content") return answer;
  const { bytes, etag, lastModified } = answer;
  const hash = createHash("sha256").update(bytes).digest("base64url");
  if (hash === version) return { kind: "same" };
  const problem = await findProblem(deps, { project, address, text: new TextDecoder("utf-8").decode(bytes) });
  if (problem !== null) return problem;
  const copy = { version: hash, sizeBytes: bytes.length, content: await pack(bytes) };
  return { kind: "read", ...copy, etag, lastModified };
}

/** Why a text is not an API description, so that a login page never replaces a good copy; null when it is one. */
async function findProblem(
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
