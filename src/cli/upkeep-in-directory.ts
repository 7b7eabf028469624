import path from "node:path";
import { addressPrefix } from "#features/visitors/client-address.ts";
import { foldLeftSlots } from "#features/visitors/collect/analytics.ts";
import { erasureOf } from "#features/visitors/collect/erasure.ts";
import { ingestSnippet } from "#features/visitors/collect/ingest-snippet.ts";
import { eraseAddress } from "#features/visitors/index/erase-address.ts";
import { removeDamageOf, waitForJournals } from "#features/visitors/journal/settle-journals.ts";
import { readAnalyticsSettings } from "#features/visitors/settings.ts";
import { requireProject } from "#features/projects/projects.ts";
import { agentsInUse, openInstance, openVault } from "./open-instance.ts";
import type { UpkeepActions } from "./places/upkeep.ts";

/** Upkeep of a project's counts in the store of a data directory. */
export async function upkeepInDirectory(
  options: { data?: string | undefined },
  named: string,
  signal: AbortSignal,
): Promise<UpkeepActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const { id: projectId, slug } = await requireProject(instance, named);
  const settings = () => readAnalyticsSettings(instance.database.kysely, projectId);
  const owned = stack.move();
  return {
    name: slug,
    async erase({ address, userAgents, cookies }) {
      const { dataDirectory } = instance.config;
      const vault = await openVault(instance);
      const journals = path.join(dataDirectory, "journal");
      await foldLeftSlots({ ...instance, dataDirectory, vault, location: null }, journals);
      const isSettled = await waitForJournals(journals, { signal });
      const damagedFiles = await removeDamageOf(journals, address);
      const hasUnnamedCookies = (await settings())?.identity === "cookie" && cookies.length === 0;
      const deps = { ...instance, vault, agents: agentsInUse(instance) };
      const erased = await eraseAddress(deps, { projectId, address, userAgents, cookies, signal });
      const whose = { address: addressPrefix(address), hasUnnamedCookies };
      return erasureOf({ ...erased, isSettled, damagedFiles }, whose);
    },
    async snippet() {
      const snippet = ingestSnippet({ endpoint: `${instance.baseUrl}/ingest/${projectId}` });
      return { snippet, allowedOrigins: (await settings())?.allowedOrigins ?? [] };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
