import { ShuttingDown } from "#lib/app-error.ts";
import { createObjectReader, type ObjectReader } from "./object-reader.ts";
import type { GitEnvironment } from "#git/process/runner.ts";

/** Lends one reader per repository; the number of open processes is limited, and idle ones are closed. */
export interface ObjectReaderPool extends AsyncDisposable {
  use<T>(directory: string, work: (reader: ObjectReader) => Promise<T>): Promise<T>;
  /** Closes the reader of a repository that was replaced or removed. */
  forget(directory: string): Promise<void>;
}

interface Lease {
  reader: ObjectReader;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

export function createObjectReaderPool(options: {
  environment: GitEnvironment;
  maxOpen: number;
  idleMs: number;
}): ObjectReaderPool {
  // In order of last use, oldest first.
  const leases = new Map<string, Lease>();
  let isClosed = false;
  let released = Promise.withResolvers<void>();

  const close = async (directory: string, lease: Lease) => {
    clearTimeout(lease.idle);
    if (leases.get(directory) === lease) leases.delete(directory);
    await lease.reader.close();
  };

  const borrow = (directory: string, lease: Lease): Lease => {
    clearTimeout(lease.idle);
    leases.delete(directory);
    leases.set(directory, lease);
    lease.users += 1;
    return lease;
  };

  const acquire = async (directory: string): Promise<Lease> => {
    for (;;) {
      if (isClosed) throw new ShuttingDown();
      const known = leases.get(directory);
      if (known && !known.reader.closed) return borrow(directory, known);
      if (known) leases.delete(directory);
      if (leases.size < options.maxOpen) {
        const reader = createObjectReader({ directory, environment: options.environment });
        return borrow(directory, { reader, users: 0, idle: undefined });
      }
      const unused = [...leases].find(([, lease]) => lease.users === 0);
      if (unused) void close(...unused);
      else await released.promise;
    }
  };

  const release = (directory: string, lease: Lease) => {
    lease.users -= 1;
    if (lease.users > 0) return;
    lease.idle = setTimeout(() => void close(directory, lease), options.idleMs).unref();
    released.resolve();
    released = Promise.withResolvers();
  };

  return {
    async use(directory, work) {
      const lease = await acquire(directory);
      try {
        return await work(lease.reader);
      } finally {
        release(directory, lease);
      }
    },
    async forget(directory) {
      const lease = leases.get(directory);
      if (lease) await close(directory, lease);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      released.resolve();
      await Promise.all([...leases].map(([directory, lease]) => close(directory, lease)));
    },
  };
}
