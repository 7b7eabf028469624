import type { ContentProcess } from "#docs/render/process/content-process.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { startAddressReader } from "#features/sites/api-addresses/address-reader.ts";
import { createKeptAddresses } from "#features/sites/api-addresses/kept-addresses.ts";
import type { KeptAddresses } from "#features/sites/site-versions.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/** API descriptions that sites reference by URL: the stored copies, and the worker that refreshes them. */
export function composeApiAddresses(
  { clock, logger, version }: Context,
  parts: Pick<Store, "database"> & { content: Pick<ContentProcess, "readApi">; outboundHttp: OutboundHttp },
): KeptAddresses & { start(onChange: (project: ProjectId) => Promise<void>): AsyncDisposable } {
  const { database, outboundHttp } = parts;
  const deps = { database, clock, logger };
  let ring = () => {};
  return {
    ...createKeptAddresses({ ...deps, onWanted: () => ring() }),
    start(onChange) {
      const { readApi } = parts.content;
      const reader = startAddressReader({ ...deps, outboundHttp, readApi, userAgent: `Docent/${version}`, onChange });
      ring = reader.ring;
      return reader;
    },
  };
}
