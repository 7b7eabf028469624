import type { Config } from "./instance/config.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { createClosing } from "#lib/closing.ts";
import type { Logger } from "#lib/logger.ts";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { memoize } from "#lib/memoize.ts";
import { type AddressRanges, parseAddressRanges } from "#lib/network/network-address.ts";
import { readVersion } from "#lib/version.ts";
import { createAddress, type ServerAddress } from "./instance/public-address.ts";

/** Dependencies of every part of the server. */
export interface Context {
  config: Config;
  logger: Logger;
  /** Folder of the log files, in addition to standard error; null: none. */
  keptLog: LogFolder | null;
  clock: Clock;
  address: ServerAddress;
  /** Whether an address is that of a proxy in front of the server, whose `X-Forwarded-For` counts. */
  isTrustedProxy: AddressRanges;
  /** Version of Docent, from its package.json. */
  version: string;
  /** Closes a part together with its holder, within the time limit that all parts share; `name` is for the log. */
  own<Part extends AsyncDisposable>(holder: AsyncDisposableStack, name: string, part: Part): Part;
}

/**
 * A process that was told to stop ends itself after 7.5 s. If the database does not answer, a dozen parts hang: the first uses
 * most of the time, and the others little.
 */
const CLOSING = { limitMs: 5_000, leastMs: 100 };

export function createContext(config: Config, given: { logger: Logger; clock?: Clock; keptLog?: LogFolder }): Context {
  const close = createClosing({ logger: given.logger, ...CLOSING });
  return {
    config,
    logger: given.logger,
    keptLog: given.keptLog ?? null,
    clock: given.clock ?? systemClock,
    address: createAddress(config),
    isTrustedProxy: memoize(parseAddressRanges(config.trustedProxies)),
    version: readVersion(),
    own(holder, name, part) {
      holder.defer(() => close(name, part));
      return part;
    },
  };
}
