import { type Context, Hono } from "hono";
import type { Database } from "#db/database.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import type { Doer } from "#features/keys/actor.ts";
import { AppError } from "#lib/app-error.ts";
import { positiveInteger } from "#lib/positive-integer.ts";
import type { Project } from "#features/projects/project.ts";
import { findLive, listDeployments, readReport, requireDeployment } from "./deployment.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { PreviewBranches } from "#features/sites/preview-branches.ts";
import type { PreviewLinks } from "#features/sites/preview-links.ts";
import { doorway } from "#kit/pages/doorway.ts";
import { readDeployedBy } from "./deployed-by.ts";
import { deploymentPage, deploymentsPage, type ShownBranch } from "./deployments-page.ts";

export interface DeploymentsRoutesDeps {
  access: ProjectAccess;
  database: Database;
  deployments: {
    /** Pins the site to a commit. `AppError invalid`. */
    pin(project: Project, wanted: { commit: string; by: Doer }): Promise<unknown>;
    unpin(project: Project): Promise<void>;
    branches: PreviewBranches;
  };
  repoStore: Pick<RepoStore, "recentBranches" | "resolve" | "log">;
  previewLinks: Pick<PreviewLinks, "link">;
}

const MAX_FORM_BYTES = 4_096;
const PAGE_SIZE = 30;
const SHOWN_BRANCHES = 30;
const NOTICES: Readonly<Record<string, string>> = {
  pin: "The site shows this commit now.",
  unpin: "The site shows the newest commit of its branch.",
};

/** `/{slug}/deployments`: the deployments of a site, for signed-in members of the project. */
export function createDeploymentsRoutes(deps: DeploymentsRoutesDeps): Hono {
  const { access, deployments } = deps;
  const routes = new Hono();

  async function branchesOf(project: Project): Promise<ShownBranch[]> {
    const recent = await deps.repoStore.recentBranches(project.id, SHOWN_BRANCHES + 1);
    const own = recent.filter(({ name }) => name !== project.branch).slice(0, SHOWN_BRANCHES);
    return own.map((branch) => ({ ...branch, href: linkTo(project, branch.name) }));
  }
  const linkTo = ({ id, slug }: Project, branch: string, path?: string) =>
    deps.previewLinks.link({ projectId: id, slug, branch }, path);
  /** Not a redirect, for the same reason as for the preview of a pull request. */
  const refreshTo = (c: Context, { place }: Member, href: string) => {
    c.header("Refresh", `0; url=${href}`);
    const page = doorway({ place, reader: "member", href, to: "The preview", section: "deployments" });
    return sendPage(c, page, { isSecret: true });
  };

  async function view(c: Context, { project, place, session }: Member, refused: string | null) {
    const before = positiveInteger(c.req.query("before"));
    const found = await listDeployments(deps, { projectId: project.id, limit: PAGE_SIZE + 1, before });
    const shown = found.slice(0, PAGE_SIZE);
    const [newest] =
      before === null ? shown : await listDeployments(deps, { projectId: project.id, limit: 1, before: null });
    return deploymentsPage({
      place,
      csrfToken: session.csrfToken,
      branch: project.branch,
      isPublishedElsewhere: project.settings.externalSite !== undefined,
      deployments: shown,
      people: await readDeployedBy(deps, project.id, shown[0]),
      newestId: newest?.id ?? null,
      liveId: (await findLive(deps, project))?.id ?? null,
      pin: project.pin,
      isAnyWaiting: newest !== undefined && newest.commit !== project.pin?.commit,
      olderHref: found.length > PAGE_SIZE ? `/${place.slug}/deployments?before=${shown.at(-1)?.number}` : null,
      notice: refused === null ? (NOTICES[c.req.query("done") ?? ""] ?? null) : null,
      refused,
      isFollowed: refused === null && before === null,
      branches: before === null ? await branchesOf(project) : [],
      isElsewhere: project.codeHost !== "embedded",
    });
  }

  routes.get("/:slug/deployments", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    return sendPage(c, await view(c, opened, null));
  });

  routes.get("/:slug/deployments/:number{[1-9][0-9]{0,8}}", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const { project, place, session } = opened;
    const name = { projectId: project.id, number: Number(c.req.param("number")) };
    const deployment = await requireDeployment(deps, name).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "not_found") return null;
      throw error;
    });
    if (!deployment) return sendNotFound(c);
    const page = deploymentPage({
      place,
      csrfToken: session.csrfToken,
      deployment,
      people: await readDeployedBy(deps, project.id, deployment),
      isNewest: (await listDeployments(deps, { projectId: project.id, limit: 1 }))[0]?.id === deployment.id,
      report: await readReport(deps, deployment.id),
      liveId: (await findLive(deps, project))?.id ?? null,
      pin: project.pin,
    });
    return sendPage(c, page);
  });

  // The target of a branch preview's address without its token.
  routes.get("/:slug/previews/:hash{[0-9a-f]{10}}", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const branch = await deployments.branches.find(opened.project, c.req.param("hash"));
    if (branch === null) return sendNotFound(c);
    return refreshTo(c, opened, linkTo(opened.project, branch, c.req.query("path") ?? "/"));
  });

  routes.post("/:slug/deployments/preview", limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await access.openForm(c, { signInTo: `/${c.req.param("slug")}/deployments`, needs: "agent" });
    if (opened.answer) return opened.answer;
    const branch = opened.field("branch").trim();
    try {
      await deployments.branches.require(opened.project, branch);
      return refreshTo(c, opened, linkTo(opened.project, branch));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      const status = error.code === "unavailable" ? 503 : 400;
      return sendPage(c, await view(c, opened, error.message), { status });
    }
  });

  routes.post("/:slug/deployments/:action{pin|unpin}", limitedForm(MAX_FORM_BYTES), async (c) => {
    const page = `/${c.req.param("slug")}/deployments`;
    const opened = await access.openForm(c, { signInTo: page, needs: "write" });
    if (opened.answer) return opened.answer;
    const { project, session } = opened;
    try {
      if (c.req.param("action") === "unpin") await deployments.unpin(project);
      else await deployments.pin(project, { commit: opened.field("commit"), by: session });
      return c.redirect(`${page}?done=${c.req.param("action")}`, 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      return sendPage(c, await view(c, opened, error.message), { status: 400 });
    }
  });
  return routes;
}
