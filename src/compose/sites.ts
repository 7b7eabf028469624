import path from "node:path";
import type { Analytics } from "#analytics/collect/analytics.ts";
import type { ContentProcess } from "#content/render/process/content-process.ts";
import { memoize } from "#lib/memoize.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import type { WholeRequest } from "#lib/network/plain-http.ts";
import { findProjectBySlug } from "#projects/projects.ts";
import { createLargeFiles, type LargeFiles } from "#sites/media/large-files.ts";
import { createCallGuard } from "#sites/mcp/call-guard.ts";
import { createPreviewLinks, isPreviewSlug, type PreviewLinks } from "#sites/preview-links.ts";
import { createPreviews } from "#sites/serving/previews.ts";
import type { KeptReports } from "#sites/report/kept-reports.ts";
import { rememberProjects } from "#sites/recent-projects.ts";
import { siteOf } from "#sites/site-project.ts";
import type { SiteFeedback } from "#sites/feedback/site-feedback.ts";
import type { SiteSearch } from "#sites/search/site-search.ts";
import { createSites } from "#sites/serving/sites.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Deployments } from "./deployments.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/** The published sites, and those of open pull requests. */
export function composeSites(
  { config, clock, logger, address }: Context,
  parts: Pick<Store, "database" | "repoStore"> & {
    content: ContentProcess;
    analytics: Analytics;
    hosts: CodeHosts;
    previewLinks: PreviewLinks;
    search: SiteSearch;
    feedback: SiteFeedback;
    largeFiles: LargeFiles;
    reports: KeptReports;
    deployments: Pick<Deployments, "versions" | "branches">;
  },
) {
  const { database, repoStore, content, analytics, hosts, previewLinks, search, deployments } = parts;
  const findProject = (slug: string) => findProjectBySlug({ database }, slug);
  const findSite = async (slug: string) => {
    const project = await findProject(slug);
    return project && siteOf(project);
  };
  const isTrustedProxy = memoize(parseAddressRanges(config.trustedProxies));
  const deps = {
    repoStore,
    largeFiles: parts.largeFiles,
    contentProcess: content,
    logger,
    clock,
    scheme: address.scheme,
    admitsCall: createCallGuard({ clock, isTrustedProxy }),
  };
  const sites = createSites({
    ...deps,
    versions: deployments.versions,
    collectView: analytics.collector,
    search,
    feedback: parts.feedback,
    projects: rememberProjects(findSite, clock),
  });
  const previews = createPreviews({
    ...deps,
    author: { reports: parts.reports },
    pullRequest: hosts.recentPullRequest,
    links: previewLinks,
    findProject,
    branches: deployments.branches,
    pageUrl: (slug, number) => `${address.baseUrl()}/${slug}/pull/${number}`,
    doorUrl: (slug, name) =>
      `${address.baseUrl()}/${slug}/${"number" in name ? `pull/${name.number}/preview` : `previews/${name.branchHash}`}`,
    siteUrl: address.siteUrl,
  });
  return (request: WholeRequest, slug: string, peerAddress: string) =>
    (isPreviewSlug(slug) ? previews : sites).handle(request, slug, { peerAddress });
}

/** The links that open previews. They are signed with a key of their own. */
export const composePreviewLinks = ({ address }: Context, { vault }: Pick<Store, "vault">): PreviewLinks =>
  createPreviewLinks({ key: vault.keyFor("previews"), siteUrl: address.siteUrl });

/** Files of sites that are too large for memory, beside the other files of the data directory. */
export const composeLargeFiles = ({ config }: Context, { repoStore }: Pick<Store, "repoStore">): LargeFiles =>
  createLargeFiles({ repoStore, directory: path.join(config.dataDirectory, "large-files") });
