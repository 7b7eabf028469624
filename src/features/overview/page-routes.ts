import { Hono } from "hono";
import type { CountsCache } from "#features/visitors/reports/counts-cache.ts";
import { ingestSnippet } from "#features/visitors/collect/ingest-snippet.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { reportSeries } from "#features/visitors/reports/series.ts";
import { isInstanceAdmin, isOfProject, levelIn } from "#features/keys/holder.ts";
import { instancePlace } from "#features/keys/person-access.ts";
import type { Session } from "#features/keys/sessions.ts";
import type { ListedPullRequest } from "#hosts/hosted-pull-requests.ts";
import type { ConnectionState } from "#hosts/remote/connections.ts";
import type { SourceRepository } from "#hosts/sources/sources.ts";
import { listJobs } from "#features/jobs/list.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import type { QuotaUse } from "#features/projects/quotas.ts";
import { findLive } from "#features/sites/deployments/deployment.ts";
import { siteOf } from "#features/sites/site-project.ts";
import type { SiteVersions } from "#features/sites/site-versions.ts";
import { listedJobs, type ListedJobsDeps } from "#features/jobs/pages/job-list.ts";
import { type NewJobDeps, newJobFormOf } from "#features/jobs/pages/new-job.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { projectsPage } from "#features/projects/projects-page.ts";
import { dismissSteps, readSteps } from "./first-steps.ts";
import { overviewPage } from "./page.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import type { LocalModels } from "#models/local-servers.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";

export interface HomeRoutesDeps extends NewJobDeps, ListedJobsDeps {
  cache: CountsCache;
  repoStore: Pick<RepoStore, "resolve" | "exists">;
  access: ProjectAccess;
  session: { read(request: Request, from: string): Promise<Session | null> };
  /** All projects of the instance, by name. */
  listProjects(): Promise<Project[]>;
  findProjectById(id: ProjectId): Promise<Project | null>;
  repositoryUrl(project: Project): string;
  siteUrl(slug: string): string;
  baseUrl(): string;
  /** State of a project's host; null for the embedded host. */
  connectionState(project: Project): Promise<ConnectionState | null>;
  /** Repositories that its agent reads. */
  sources(project: Project): Promise<SourceRepository[]>;
  quotas: { hasAny(project: Project): boolean; useOf(project: Project): Promise<QuotaUse[]> };
  /** Model servers on this machine. */
  findLocalModels: LocalModels["look"];
  /** Whether others than owners of the server are members, or are invited. */
  hasTeam(project: Project): Promise<boolean>;
  /** The model of jobs if neither they nor their project set one. */
  defaultModel: string;
  deployments: { versions: Pick<SiteVersions, "trouble"> };
  /** Newest first. */
  openPullRequests(project: Project, limit: number): Promise<ListedPullRequest[]>;
}

const MAX_FORM_BYTES = 4_096;
const DAYS = 30;
const SHOWN_JOBS = 6;
const SHOWN_PULL_REQUESTS = 6;

/** Checks each project's folder once. */
const listed = (
  { repoStore, siteUrl }: Pick<HomeRoutesDeps, "repoStore" | "siteUrl">,
  projects: readonly Project[],
  session: Session,
) =>
  Promise.all(
    projects.map(async (project) => ({
      ...project,
      siteUrl: publishedUrl(project, siteUrl),
      level: levelIn(session, project.id) ?? "read",
      isLost: !(await repoStore.exists(project.id)),
    })),
  );

/** An external site; null where Docent publishes the site. */
function externalSiteOf({ siteUrl, baseUrl }: Pick<HomeRoutesDeps, "siteUrl" | "baseUrl">, project: Project) {
  const { id, slug, settings } = project;
  if (settings.externalSite === undefined) return null;
  return {
    address: settings.externalSite,
    ownUrl: siteUrl(slug),
    snippet: ingestSnippet({ endpoint: `${baseUrl()}/ingest/${id}` }),
    isCounting: settings.analytics?.collect !== false,
  };
}

/**
 * `/` for signed-in readers, and `/{slug}`, a project's overview. Strangers at `/`, and unknown names, are passed on to
 * the next route.
 */
export function createHomeRoutes(deps: HomeRoutesDeps): Hono {
  const { database, clock } = deps.submit;
  const analytics = { database, cache: deps.cache, clock };
  const routes = new Hono();

  routes.get("/", async (c, next) => {
    const session = await deps.session.read(c.req.raw, clientOf(c));
    if (session === null) return next();
    if ("person" in session || session.projectId === null) {
      const visible = (await deps.listProjects()).filter(({ id }) => isOfProject(session, id));
      const search = (c.req.query("search") ?? "").trim().slice(0, 200);
      const isArchive = c.req.query("archived") !== undefined;
      const matching = visible.filter(({ name, slug }) =>
        `${name}\n${slug}`.toLowerCase().includes(search.toLowerCase()),
      );
      const found = matching.filter(({ archivedAt }) => (archivedAt !== null) === isArchive);
      const others = matching.length - found.length;
      const projects = await listed(deps, found, session);
      const instance = instancePlace(session, "projects");
      return sendPage(c, projectsPage({ instance, projects, search, isAny: visible.length > 0, isArchive, others }));
    }
    const project = await deps.findProjectById(session.projectId);
    if (!project) return next();
    return c.redirect(`/${project.slug}`, 303);
  });

  routes.get("/:slug{[a-z0-9-]+}", async (c) => {
    const opened = await deps.access.open(c);
    if (opened.answer) return opened.answer;
    const { project, place } = opened;
    const today = dayOf(clock.now().getTime());
    const range = { projectId: project.id, from: (today + 1 - DAYS) as Day, to: (today + 1) as Day };
    const { items } = await listJobs(deps.submit, {
      projectId: project.id,
      statuses: [],
      limit: SHOWN_JOBS,
      cursor: null,
    });
    const wantsModel = ({ session }: Member) =>
      isInstanceAdmin(session) &&
      project.archivedAt === null &&
      (project.settings.model ?? deps.defaultModel) === BUILTIN_RULES;
    const connection = await deps.connectionState(project);
    const isLost = !(await deps.repoStore.exists(project.id));
    // Side by side: each of them may start git.
    const [live, form, pullRequests, trouble] = await Promise.all([
      findLive({ database, repoStore: deps.repoStore }, project),
      newJobFormOf(deps, opened),
      deps.openPullRequests(project, SHOWN_PULL_REQUESTS),
      deps.deployments.versions.trouble(siteOf(project)),
    ]);
    const mayBeEmpty = connection === null && !isLost && live === null;
    const isEmpty = mayBeEmpty && (await deps.listBranches(project)).length === 0;
    const page = overviewPage({
      place,
      progress: {
        ...(await readSteps(database, project)),
        isLive: live !== null && !trouble.isDown,
        isEmpty,
        audit: form.offered,
        hasModel: (project.settings.model ?? deps.defaultModel) !== BUILTIN_RULES,
        hasTeam: await deps.hasTeam(project),
      },
      projectId: project.id,
      repositoryUrl: deps.repositoryUrl(project),
      branch: project.branch,
      connection,
      isLost,
      trouble,
      isEmpty,
      sources: await deps.sources(project),
      form,
      found:
        items.length === 0 && wantsModel(opened)
          ? (await deps.findLocalModels()).filter(({ models }) => models.length > 0)
          : [],
      jobs: await listedJobs(deps, project, items),
      pullRequests,
      live,
      isPinned: project.pin !== null,
      quotas: deps.quotas.hasAny(project)
        ? (await deps.quotas.useOf(project)).filter(({ limit }) => limit !== null)
        : [],
      external: externalSiteOf(deps, project),
      days: DAYS,
      totals: (await queryVisitors(analytics, { ...range, limit: 1, offset: 0 })).totals,
      series: await reportSeries(analytics, range),
    });
    return sendPage(c, page);
  });

  routes.post("/:slug/first-steps/dismiss", limitedForm(MAX_FORM_BYTES), async (c) => {
    const slug = c.req.param("slug");
    const opened = await deps.access.openForm(c, { signInTo: `/${slug}`, needs: "admin" });
    if (opened.answer) return opened.answer;
    await dismissSteps(database, opened.project, clock.now());
    return c.redirect(`/${slug}`, 303);
  });
  return routes;
}
