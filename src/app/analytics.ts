import { createAddressRefresh } from "#features/visitors/clients/address-refresh.ts";
import { keepFailedFetches } from "#features/visitors/clients/failed-fetches.ts";
import { createAgentKeyRing } from "#features/visitors/clients/agent-key-ring.ts";
import { type Analytics, createAnalytics } from "#features/visitors/collect/analytics.ts";
import { readKeyDirectories } from "#features/visitors/clients/key-directory.ts";
import { createSignatureCheck } from "#features/visitors/clients/web-bot-auth.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/**
 * Starts to collect views, and folds those that earlier runs left in the journal. With `isOneThread` they are folded in this
 * thread: one of their own loads modules for a second.
 */
export async function composeAnalytics(
  { config, logger, keptLog, clock, address, own }: Context,
  {
    database,
    vault,
    outboundHttp,
    isOneThread = false,
  }: Pick<Store, "database" | "vault"> & { outboundHttp: OutboundHttp; isOneThread?: boolean | undefined },
): Promise<Analytics> {
  await using stack = new AsyncDisposableStack();
  const directories = await readKeyDirectories(config.agentKeysFile);
  const keys = own(stack, "keys of agents", createAgentKeyRing({ directories, outboundHttp, clock, logger }));
  if (config.fetchAgentAddresses) {
    const { dataDirectory } = config;
    own(stack, "addresses of agents", createAddressRefresh({ dataDirectory, outboundHttp, clock, logger }));
  } else await keepFailedFetches(config.dataDirectory, []);
  const analytics = own(
    stack,
    "analytics",
    await createAnalytics({
      database,
      location: isOneThread ? null : config.database,
      dataDirectory: config.dataDirectory,
      segmentAgeMs: config.journalFileMs,
      trustedProxies: config.trustedProxies,
      checkSignature: createSignatureCheck({ keys, clock, scheme: address.scheme }),
      clock,
      vault,
      logger,
      keptLog,
    }),
  );
  const opened = stack.move();
  return { ...analytics, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
