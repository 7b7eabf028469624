import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { apiAddress, type ApiAddresses, noAddresses } from "#docs/api/api-addresses.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { isApiHost } from "#features/projects/site/api-hosts.ts";
import type { KeptAddresses } from "#features/sites/site-versions.ts";
import { type AddressRow, readAddresses, readCopy, wantAddresses } from "./address-rows.ts";
import { MAX_DESCRIPTION_BYTES } from "./ask-address.ts";

const unpack = promisify(gunzip);

const NOT_YET = "It was not read yet. Its pages are here as soon as it was.";

/**
 * The stored copies of API descriptions that sites name by address. `onWanted` is called when some may have to be
 * fetched.
 */
export function createKeptAddresses(deps: {
  database: Database;
  clock: Clock;
  logger: Logger;
  onWanted?(): void;
}): KeptAddresses {
  const { database } = deps;
  const trouble = createLastingTrouble(deps.logger, "addresses of descriptions are not written down");

  async function want(project: ProjectId, asked: readonly string[], how: { isLive: boolean; isNewCommit: boolean }) {
    const known = await readAddresses({ database }, project);
    if (known === null) return;
    const addresses = asked.filter((address) => isAllowed(known.hosts, address));
    if (addresses.length === 0 && known.rows.length === 0) return;
    await wantAddresses(deps, project, { addresses, ...how });
    deps.onWanted?.();
  }

  return {
    async of(project) {
      const known = await readAddresses({ database }, project);
      if (known === null) return noAddresses;
      const rows = new Map(known.rows.map((row) => [row.address, row]));
      return {
        find: (address) => found(known.hosts, rows, address),
        async read(address, version) {
          const packed = await readCopy({ database }, project, { address, version });
          if (packed === null) {
            throw new AppError("unavailable", "The description has just changed.", { retryAfterSeconds: 1 });
          }
          const bytes = await unpack(packed, { maxOutputLength: MAX_DESCRIPTION_BYTES });
          return new TextDecoder("utf-8").decode(bytes);
        },
      } satisfies ApiAddresses;
    },
    want(project, asked, how) {
      want(project, asked, how).then(trouble.worked, trouble.failed);
    },
  };
}

function isAllowed(hosts: readonly string[], address: string): boolean {
  const url = URL.parse(address);
  return url !== null && apiAddress(address) !== null && isApiHost(hosts, url);
}

function found(
  hosts: readonly string[],
  rows: ReadonlyMap<string, AddressRow>,
  address: string,
): { version: string | null; trouble: string | null } {
  if (!isAllowed(hosts, address)) {
    const host = URL.parse(address)?.host ?? "";
    const trouble = `It is not read: ${host.slice(0, 200)} is not among \`apiHosts\` of the project.`;
    return { version: null, trouble };
  }
  const row = rows.get(address);
  if (row === undefined || (row.version === null && row.trouble === null)) return { version: null, trouble: NOT_YET };
  const { version } = row;
  if (row.trouble === null) return { version, trouble: null };
  if (version === null) return { version, trouble: `It could not be read. ${row.trouble}` };
  return { version, trouble: `It could not be read again; the last good copy is shown. ${row.trouble}` };
}
