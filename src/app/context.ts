import type { Config } from "./instance/config.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { createClosing } from "#lib/closing.ts";
import type { Logger } from "#lib/logger.ts";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { readVersion } from "#lib/version.ts";
import { createAddress, type ServerAddress } from "./instance/public-address.ts";

/** What every part of the server is built with. */
export interface Context {
  config: Config;
  logger: Logger;
  /** Where the log is kept besides standard error; null: nowhere. */
  keptLog: LogFolder | null;
  clock: Clock;
  address: ServerAddress;
  /** Of Docent, as its package says. */
  version: string;
  /** Has a part closed with what holds it, within the time that all parts share; `name` is for the log. */
  own<Part extends AsyncDisposable>(holder: AsyncDisposableStack, name: string, part: Part): Part;
}

/** Below what supervisors give a process that they stop; the part that hangs takes most of it, the others an instant. */
const CLOSING = { limitMs: 6_000, leastMs: 100 };

export function createContext(config: Config, given: { logger: Logger; clock?: Clock; keptLog?: LogFolder }): Context {
  const close = createClosing({ logger: given.logger, ...CLOSING });
  return {
    config,
    logger: given.logger,
    keptLog: given.keptLog ?? null,
    clock: given.clock ?? systemClock,
    address: createAddress(config),
    version: readVersion(),
    own(holder, name, part) {
      holder.defer(() => close(name, part));
      return part;
    },
  };
}
