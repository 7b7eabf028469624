import { wasDeployed } from "#features/sites/deployments/deployment-rows.ts";
import { actorOf, type Doer } from "#features/keys/actor.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject } from "#features/projects/projects.ts";
import { createDeploymentWatch, type DeploymentWatch } from "#features/sites/deployments/deployment-watch.ts";
import { type PinCheck, pinSite, unpinSite, type WantedPin } from "#features/sites/deployments/pins.ts";
import { createSiteUpdates } from "#features/sites/deployments/site-updates.ts";
import { createPreviewBranches } from "#features/sites/preview-branches.ts";
import type { PreviewLinks } from "#features/sites/preview-links.ts";
import type { KeptReports } from "#features/sites/report/kept-reports.ts";
import { createPullRequestReports } from "#features/sites/report/pull-request-reports.ts";
import { REPORT_PATH } from "#features/sites/serving/author-view.ts";
import type { SiteSearch } from "#features/sites/search/site-search.ts";
import { siteOf } from "#features/sites/site-project.ts";
import { createSiteVersions, type KeptAddresses, type SiteVersions } from "#features/sites/site-versions.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

export type Deployments = ReturnType<typeof composeDeployments>;

/** Composes the published versions of all sites, and the records of their deployments. */
export function composeDeployments(
  { clock, logger, config }: Context,
  parts: {
    store: Pick<Store, "database" | "repoStore">;
    content: Pick<ContentProcess, "apiDocuments">;
    search?: Pick<SiteSearch, "follow">;
    reports?: Pick<KeptReports, "look" | "settled">;
    codeHost: CodeHost;
    previewLinks: PreviewLinks;
    addresses?: KeptAddresses;
  },
) {
  const { search, reports } = parts;
  const deps = { ...parts.store, clock, logger };
  const versions: SiteVersions = createSiteVersions({
    ...deps,
    apiDocuments: parts.content.apiDocuments,
    ...(parts.addresses && { addresses: parts.addresses }),
    onNewVersion: (project) => watch.onNewVersion(project),
    wasDeployed: (project) => wasDeployed(parts.store.database.kysely, project),
    onRead: ({ id, notice }) => void (notice === undefined && watch.refresh(id)),
  });
  const watchHere = createDeploymentWatch({
    ...deps,
    versions,
    ...(search && { onLive: search.follow }),
    ...(reports && { reports }),
  });
  const watch = config.role === "web" ? leftToWorkers(watchHere, deps) : watchHere;
  const branches = createPreviewBranches({ ...deps, codeHost: parts.codeHost, links: parts.previewLinks });
  const compare = reports && createPullRequestReports({ ...parts.store, versions, reports });
  return {
    /** Problems that a pull request would add; null if they are not known yet. */
    async reportPullRequest(projectId: ProjectId, pullRequest: Pick<PullRequest, "number" | "head" | "base">) {
      const project = await findProject(deps, projectId);
      const found = project && compare ? await compare(siteOf(project), pullRequest) : null;
      if (!project || !found) return null;
      const { slug } = project;
      const href = parts.previewLinks.link({ projectId, slug, number: pullRequest.number }, REPORT_PATH);
      return { ...found, href };
    },
    versions,
    watch,
    branches,
    updates: createSiteUpdates({ ...deps, versions, watch, codeHost: parts.codeHost }),
    /** See `pinSite`. Resolves after readers of this process see the change. */
    async pin(project: Project, { by: doer, ...wanted }: WantedPin & { by: Doer }) {
      const { name: by } = await actorOf(deps.database, doer);
      const canShow = (commit: string) => versions.load(siteOf(project), commit);
      const pin = await pinSite(deps, project, { ...wanted, by, canShow });
      await versions.newest(siteOf({ ...project, pin }));
      return pin;
    },
    /** See `unpinSite`. */
    async unpin(project: Project, check?: PinCheck) {
      await unpinSite(deps, project.id, check);
      await versions.newest(siteOf({ ...project, pin: null })).catch(() => undefined); // its deployment records the error
    },
  };
}

/** Workers record deployments. What a request of this node changed about a site is still loaded here. */
const leftToWorkers = (watch: DeploymentWatch, { database }: Pick<Store, "database">): DeploymentWatch => ({
  ...watch,
  look: async (projectId) => database.wakeUp.notify("repository", projectId),
  onNewVersion: () => undefined, // the push has notified the workers
});
