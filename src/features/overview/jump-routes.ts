import { type Context, Hono } from "hono";
import { isOfProject, levelIn } from "#features/keys/holder.ts";
import { instancePlace } from "#features/keys/person-access.ts";
import type { Session } from "#features/keys/sessions.ts";
import { searchJobs } from "#features/jobs/list.ts";
import { AUDIT_PATH } from "#features/jobs/pages/job-list.ts";
import { jobName } from "#features/jobs/job.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import type { SiteSearch } from "#features/sites/search/site-search.ts";
import { AppError } from "#lib/app-error.ts";
import { allowsScope } from "#kit/levels.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { instanceSections, projectSections } from "#kit/pages/document.ts";
import { askToSignIn } from "#kit/pages/problem-page.ts";

export interface JumpRoutesDeps {
  submit: SubmitDeps;
  session: { read(request: Request, from: string): Promise<Session | null> };
  /** All projects of the instance, by name. */
  listProjects(): Promise<Project[]>;
  siteUrl(slug: string): string;
  /** Pages of the project's site by words of their titles. */
  search: Pick<SiteSearch, "pagesByTitle">;
}

interface Entry {
  label: string;
  href: string;
  /** Distinguishes entries with the same label. */
  note?: string;
}

const MAX_PROJECTS = 8;
const MAX_JOBS = 5;
const MAX_PAGES = 6;
const MAX_QUERY = 100;

/**
 * `GET /-/jump?search=…&project=slug` → `{ groups: [{ title, entries: [{ label, href, note? }] }] }`: targets for the
 * command menu. Only projects and pages of the instance if no project is given, or if the reader cannot see it.
 */
export function createJumpRoutes(deps: JumpRoutesDeps): Hono {
  const routes = new Hono();
  routes.get("/-/jump", async (c: Context) => {
    const session = await deps.session.read(c.req.raw, clientOf(c));
    if (session === null) return askToSignIn(c, "/");
    const search = (c.req.query("search") ?? "").trim().slice(0, MAX_QUERY);
    const matches = ({ label, note = "" }: Entry) => `${label}\n${note}`.toLowerCase().includes(search.toLowerCase());
    const projects = (await deps.listProjects()).filter(({ id }) => isOfProject(session, id));
    const here = projects.find(({ slug }) => slug === c.req.query("project"));
    const entryOf = (project: Project) => ({
      ...projectEntry(project),
      ...(!isViewer(session, project) && { href: publishedUrl(project, deps.siteUrl) }),
    });
    const groups = [
      ...(here
        ? [{ title: here.name, entries: placesIn(here, session, publishedUrl(here, deps.siteUrl)).filter(matches) }]
        : []),
      { title: "Projects", entries: shortened(projects.map(entryOf).filter(matches), search) },
      ...(here && search !== "" && isViewer(session, here)
        ? [
            { title: "Pages of the docs", entries: await docsPagesIn(deps, here, search) },
            { title: "Jobs", entries: await jobsIn(deps, here, search) },
          ]
        : []),
      { title: "Server", entries: serverEntries(session).filter(matches) },
    ];
    c.header("Cache-Control", "no-store");
    return c.json({ groups: groups.filter(({ entries }) => entries.length > 0) });
  });
  return routes;
}

/** The first few; the search finds the others. */
function shortened(entries: readonly Entry[], search: string): Entry[] {
  const more = entries.length - MAX_PROJECTS;
  if (more <= 0) return [...entries];
  const href = `/?${new URLSearchParams({ search }).toString()}`;
  return [...entries.slice(0, MAX_PROJECTS), { label: `${more} more projects`, href }];
}

const projectEntry = ({ name, slug, archivedAt }: Project): Entry => ({
  label: name,
  href: `/${slug}`,
  note: archivedAt === null ? slug : `${slug}, archived`,
});

/** Readers of the site alone see no page of the dashboard. */
function isViewer(session: Session, { id }: Project): boolean {
  const level = levelIn(session, id);
  return level !== null && allowsScope(level, "read");
}

function placesIn(project: Project, session: Session, siteUrl: string): Entry[] {
  const { slug, id, archivedAt } = project;
  const site = { label: "Open the site", href: siteUrl };
  if (!isViewer(session, project)) return [site];
  const level = levelIn(session, id) ?? "read";
  const actions = [
    { label: "New job", href: `/${slug}/jobs`, needs: "agent" },
    { label: "New page", href: `/${slug}/pages/new`, needs: "write" },
    { label: "Audit the docs", href: `/${slug}/${AUDIT_PATH}`, needs: "agent" },
    { label: "Run a chore", href: `/${slug}/jobs/chores`, needs: "agent" },
  ] as const;
  return [
    ...projectSections({ slug, level, hostUrl: hostedRepository(project).url }).map(({ label, path }) => ({
      label,
      href: `/${slug}${path}`,
    })),
    ...actions
      .filter(({ needs }) => archivedAt === null && allowsScope(level, needs))
      .map(({ label, href }) => ({ label, href })),
    site,
  ];
}

const jobsIn = async ({ submit }: JumpRoutesDeps, { id, slug }: Project, search: string): Promise<Entry[]> =>
  (await searchJobs(submit, { projectId: id, search, limit: MAX_JOBS })).map(({ job, prompt }) => ({
    label: jobName(job, prompt),
    href: `/${slug}/jobs/${job.id}`,
    note: job.status,
  }));

/** Opens the page on the site, where it is published. */
async function docsPagesIn(deps: JumpRoutesDeps, project: Project, words: string): Promise<Entry[]> {
  const site = publishedUrl(project, deps.siteUrl).replace(/\/$/, "");
  const found = await deps.search.pagesByTitle(project.id, words, MAX_PAGES).catch((error: unknown) => {
    // Too many searches wait: the other entries are still of use.
    if (error instanceof AppError && error.code === "unavailable") return [];
    throw error;
  });
  return found.map(({ title, route }) => ({ label: title, href: site + route, note: route }));
}

function serverEntries(session: Session): Entry[] {
  const place = instancePlace(session, "projects");
  return [
    ...instanceSections(place).map(({ label, path }) => ({ label, href: path })),
    ...(place.isOwner ? [{ label: "New project", href: "/-/new" }] : []),
  ];
}
