import type { DiscoveryDeps } from "#features/sites/mcp/discovery-routes.ts";
import { createPageContents, type PageRenderer } from "#features/sites/page-content.ts";
import { markdownOf, markdownOutside } from "#features/sites/markdown-page.ts";
import type { SiteSearch } from "#features/sites/search/site-search.ts";
import type { Context } from "./context.ts";
import type { Deployments } from "./deployments.ts";
import { createFindSite } from "./sites.ts";
import type { Store } from "./store.ts";

/** Search and pages of sites for programs with a key. */
export function composeDiscovery(
  context: Context,
  parts: {
    store: Pick<Store, "database">;
    content: PageRenderer;
    search: Pick<SiteSearch, "ask">;
    deployments: Pick<Deployments, "versions">;
  },
): DiscoveryDeps {
  const { clock, logger, address } = context;
  const { content, search, deployments } = parts;
  const contents = createPageContents({ contentProcess: content, logger, maxCharacters: 0 });
  return {
    database: parts.store.database,
    clock,
    search,
    siteUrl: address.siteUrl,
    findSite: createFindSite(context, parts.store),
    versionOf: deployments.versions.current,
    async markdown(project, version, page) {
      const text = await markdownOf(version, page, await contents.operationMarkdown(project.id, version, page));
      return markdownOutside(project, version, text);
    },
  };
}
