import path from "node:path";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { createLargeFiles, type LargeFiles } from "#features/sites/media/large-files.ts";
import { createCallGuard } from "#features/sites/mcp/call-guard.ts";
import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { listDomains, projectOfDomain } from "#features/projects/site/domains.ts";
import { findProject as findProjectById, findProjectBySlug } from "#features/projects/projects.ts";
import { arePullRequestsPublic, readSiteAccess } from "#features/projects/site-access.ts";
import { type AccessTokens, createAccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { spendEntry } from "#features/sites/entrance/entries.ts";
import { createEntrance } from "#features/sites/entrance/entrance.ts";
import { SITE_TOKENS } from "#features/sites/entrance/site-link.ts";
import type { RenderedCommitDeps } from "#features/sites/entrance/rendered-commit.ts";
import { createGate } from "#features/sites/entrance/gate.ts";
import { createPreviewLinks, isPreviewSlug, type PreviewLinks } from "#features/sites/preview-links.ts";
import { createPreviews } from "#features/sites/serving/previews.ts";
import type { KeptReports } from "#features/sites/report/kept-reports.ts";
import { rememberProjects } from "#features/sites/recent-projects.ts";
import type { SiteFeedback } from "#features/sites/feedback/site-feedback.ts";
import { createTitlePictures } from "#features/sites/media/title-pictures.ts";
import type { SiteSearch } from "#features/sites/search/site-search.ts";
import { createApiProxy } from "#features/sites/api-proxy/api-proxy.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import { siteAddressOf, siteOf, type SiteProject } from "#features/sites/site-project.ts";
import { siteTheme } from "#features/sites/theme/site-theme.ts";
import type { Access } from "./access.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Deployments } from "./deployments.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/** Published sites, and previews of open pull requests. */
export function composeSites(
  context: Context,
  parts: Pick<Store, "database" | "repoStore"> & {
    access: Access;
    siteTokens: AccessTokens;
    content: ContentProcess;
    analytics: Analytics;
    hosts: CodeHosts;
    previewLinks: PreviewLinks;
    search: SiteSearch;
    feedback: SiteFeedback;
    largeFiles: LargeFiles;
    reports: KeptReports;
    outboundHttp: OutboundHttp;
    deployments: Pick<Deployments, "versions" | "branches">;
  },
) {
  const { clock, logger, address } = context;
  const { database, repoStore, content, analytics, hosts, previewLinks, search, deployments } = parts;
  const findProject = (slug: string) => findProjectBySlug({ database }, slug);
  const projects = rememberProjects(createFindSite(context, { database }), clock);
  const files = siteTheme();
  const deps = {
    repoStore,
    largeFiles: parts.largeFiles,
    contentProcess: content,
    logger,
    clock,
    scheme: address.scheme,
    admitsCall: createCallGuard(context),
    files,
  };
  const sites = createSites({
    ...deps,
    versions: deployments.versions,
    collectView: analytics.collector,
    search,
    feedback: parts.feedback,
    pictures: createTitlePictures(content),
    apiProxy: createApiProxy({
      outboundHttp: parts.outboundHttp,
      admits: createSiteGuard(context, CALLS_PER_MINUTE),
      userAgent: `Docent/${context.version}`,
    }),
    projects,
  });
  const gate = createGate({
    ...parts.access,
    tokens: parts.siteTokens,
    files,
    scheme: address.scheme,
    admitsGuess: createSiteGuard(context, GUESSES_PER_MINUTE),
    spendEntry: (projectId, token) => spendEntry({ database, clock }, projectId, token),
    doorway: ({ project, label, path: to }) =>
      `${address.baseUrl()}/open-site?${new URLSearchParams({ project: project.id, host: label, path: to }).toString()}`,
  });
  const entrance = createEntrance({ sites, projects, gate });
  const previews = createPreviews({
    ...deps,
    author: { reports: parts.reports },
    pullRequest: hosts.recentPullRequest,
    links: previewLinks,
    findProject,
    branches: deployments.branches,
    arePublic: (project) => arePullRequestsPublic(database.kysely, project),
    pageUrl: (slug, number) => `${address.baseUrl()}/${slug}/pull/${number}`,
    doorUrl: (slug, name) =>
      `${address.baseUrl()}/${slug}/${"number" in name ? `pull/${name.number}/preview` : `previews/${name.branchHash}`}`,
    siteUrl: address.siteUrl,
  });
  return (request: WholeRequest, slug: string, peerAddress: string) =>
    (isPreviewSlug(slug) ? previews : entrance).handle(request, slug, { peerAddress });
}

/** Dependencies of the dashboard pages that show a commit. */
export const composeRenderedCommits = (
  { clock, logger, address, isTrustedProxy }: Context,
  {
    repoStore,
    content,
    largeFiles,
  }: {
    repoStore: Store["repoStore"];
    content: RenderedCommitDeps["contentProcess"] & Pick<RenderedCommitDeps, "parserFor">;
    largeFiles: LargeFiles;
  },
): Omit<RenderedCommitDeps, "access"> => ({
  repoStore,
  contentProcess: content,
  parserFor: content.parserFor,
  largeFiles,
  logger,
  clock,
  scheme: address.scheme,
  admitsCall: createCallGuard({ clock, isTrustedProxy }),
});

/** Finds a project by slug or domain, with everything that serving its site needs. */
export function createFindSite({ address }: Pick<Context, "address">, { database }: Pick<Store, "database">) {
  const { kysely } = database;
  return async (label: string): Promise<SiteProject | null> => {
    const id = label.includes(".") ? await projectOfDomain(kysely, label) : null;
    const project = label.includes(".")
      ? id && (await findProjectById({ database }, id))
      : await findProjectBySlug({ database }, label);
    if (!project) return null;
    const { settings, slug } = project;
    const domains = await listDomains(kysely, project.id);
    const known = siteAddressOf(settings, domains, address.hostUrl);
    // A former address redirects to the current one; a site that embeds this one may use any of its names.
    const isFormer =
      !label.includes(".") &&
      label !== slug &&
      settings.publicAddress === undefined &&
      settings.externalSite === undefined;
    return {
      ...siteOf(project),
      ...(project.codeHost === "embedded" && { dashboard: address.baseUrl() }),
      externalSite: settings.externalSite,
      address: isFormer
        ? { ...known, origin: known.origin ?? new URL(address.siteUrl(slug)).origin, mainLabel: slug }
        : known,
      access: await readSiteAccess(kysely, project.id),
    };
  };
}

/** Limits on guesses of a site's password: per client for typing errors, per site for many people at once. */
export const GUESSES_PER_MINUTE = { client: 10, site: 300 };
/** Limits on proxied requests of API pages: per client for one reader, per site for all readers. */
const CALLS_PER_MINUTE = { client: 30, site: 240 };

/** Limits requests of each client to a site, and of all clients together. */
export function createSiteGuard(
  { clock, isTrustedProxy }: Pick<Context, "clock" | "isTrustedProxy">,
  perMinute: { client: number; site: number },
) {
  const byClient = createRateGuard({ clock, perMinute: perMinute.client });
  const bySite = createRateGuard({ clock, perMinute: perMinute.site });
  return ({ id }: SiteProject, { headers }: PlainRequest, peer: string): boolean => {
    const forwardedFor = headers.get("x-forwarded-for");
    const client = addressPrefix(clientAddress({ peer, forwardedFor, isTrustedProxy }));
    return byClient.admits(`${id} ${client}`) && bySite.admits(id);
  };
}

/** Access to sites that are not public. Tokens are signed with a separate key. */
export const composeSiteTokens = ({ clock }: Pick<Context, "clock">, { vault }: Pick<Store, "vault">): AccessTokens =>
  createAccessTokens({ key: vault.keyFor(SITE_TOKENS), clock });

/** Signed links that open previews, with a separate key. */
export const composePreviewLinks = ({ address }: Context, { vault }: Pick<Store, "vault">): PreviewLinks =>
  createPreviewLinks({ key: vault.keyFor("previews"), siteUrl: address.siteUrl });

/** Site files that are too large for memory, stored in the data directory. */
export const composeLargeFiles = ({ config }: Context, { repoStore }: Pick<Store, "repoStore">): LargeFiles =>
  createLargeFiles({ repoStore, directory: path.join(config.dataDirectory, "large-files") });
