import { type Context, Hono } from "hono";
import { isEqual } from "#accounts/sessions.ts";
import type { CodeHost, HostedRepository } from "#code-hosts/code-host.ts";
import type { HostedPullRequests } from "#code-hosts/hosted-pull-requests.ts";
import type { MarkdownParser } from "#content/parser.ts";
import { isObjectId } from "#git/objects.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { previewSlug } from "#sites/previews.ts";
import { describe } from "./description.ts";
import { readerOf, type Viewer } from "./merge-box.ts";
import { sendForbidden, sendNotFound } from "./problem-page.ts";
import { LIST_STATES, pullRequestListPage } from "./pull-request-list.ts";
import { pullRequestPage, type Tab } from "./pull-request-page.ts";
import { createPullRequestViews } from "./pull-request-view.ts";
import { limitedForm, sendPage } from "./send-page.ts";
import { DASHBOARD_CSS, DASHBOARD_CSS_HREF } from "./theme.css.ts";

export interface PullRequestRoutesDeps {
  codeHost: CodeHost & HostedPullRequests;
  repoStore: RepoStore;
  parser: MarkdownParser;
  findRepository(slug: string): Promise<(HostedRepository & { name: string }) | null>;
  session: { read(request: Request): Promise<{ projectId: ProjectId; csrfToken: string } | null> };
  /** Address of a site by its label: a project's slug, or that of a preview. */
  siteUrl(label: string): string;
}

type Repository = HostedRepository & { name: string };

const NUMBER = ":number{[1-9][0-9]{0,8}}";
const PAGE_SIZE = 50;
const MAX_FORM_BYTES = 4_096;

/**
 * The pages of pull requests, below `/{slug}/`. Whoever reaches the server reads them; merging and closing need a
 * session of the project, and the token that only its own pages know.
 */
export function createPullRequestRoutes(deps: PullRequestRoutesDeps): Hono {
  const { codeHost, repoStore } = deps;
  const views = createPullRequestViews(deps);
  const routes = new Hono();

  const placeOf = ({ slug, name }: Repository) => ({ slug, name, siteUrl: deps.siteUrl(slug) });
  const viewerOf = async (c: Context, repository: Repository): Promise<Viewer> => {
    const session = await deps.session.read(c.req.raw);
    return {
      canWrite: session?.projectId === repository.projectId,
      csrfToken: session?.csrfToken ?? null,
      signInUrl: `/sign-in?to=${encodeURIComponent(new URL(c.req.url).pathname.replace(/\/(merge|close|ready)$/, ""))}`,
    };
  };
  const show = async (
    c: Context,
    options: { repository: Repository; number: number; tab: Tab; problem: string | null },
  ) => {
    const { repository, number, tab, problem } = options;
    const path = tab === "files" ? (c.req.query("path") ?? null) : null;
    const view = await views.read(repository, number, path);
    if (!view) return sendNotFound(c);
    const page = pullRequestPage({
      place: placeOf(repository),
      view,
      tab,
      viewer: await viewerOf(c, repository),
      description: tab === "conversation" ? await describe(deps.parser, view.pullRequest.body) : null,
      repositoryUrl: codeHost.repositoryUrl(repository),
      previewUrl: view.pullRequest.state === "open" ? deps.siteUrl(previewSlug(repository.slug, number)) : null,
      path,
      problem,
    });
    return sendPage(c, page, { status: problem === null ? 200 : 409 });
  };
  const showTab = (tab: Tab) => async (c: Context) => {
    const repository = await deps.findRepository(c.req.param("slug") ?? "");
    if (!repository) return sendNotFound(c);
    return show(c, { repository, number: Number(c.req.param("number")), tab, problem: null });
  };

  /** Runs what a button asks for, if the person may; answers with the page it was pressed on. */
  const act =
    (action: (repository: Repository, number: number, head: string | null) => Promise<string | null>) =>
    async (c: Context) => {
      const repository = await deps.findRepository(c.req.param("slug") ?? "");
      const number = Number(c.req.param("number"));
      if (!repository || !(await codeHost.getPullRequest(repository, number))) return sendNotFound(c);
      const viewer = await viewerOf(c, repository);
      if (viewer.csrfToken === null) return c.redirect(viewer.signInUrl, 303);
      const fields = new URLSearchParams(await c.req.text());
      const csrf = fields.get("csrf") ?? "";
      const named = fields.get("head") ?? "";
      const head = isObjectId(named) ? named : null;
      if (!viewer.canWrite || !isEqual(csrf, viewer.csrfToken)) return sendForbidden(c);
      const problem = await action(repository, number, head);
      if (problem === null) return c.redirect(`/${repository.slug}/pull/${number}`, 303);
      return show(c, { repository, number, tab: "conversation", problem });
    };

  routes.get(DASHBOARD_CSS_HREF.replace(/\?.*/, ""), (c) => {
    // The address changes with the content.
    c.header("Cache-Control", "public, max-age=31536000, immutable");
    return c.body(DASHBOARD_CSS, 200, { "Content-Type": "text/css; charset=utf-8" });
  });
  routes.get("/:slug/pulls", async (c) => {
    const repository = await deps.findRepository(c.req.param("slug"));
    if (!repository) return sendNotFound(c);
    const state = LIST_STATES.find((name) => name === c.req.query("state")) ?? "open";
    const before = Number(c.req.query("before") ?? Number.NaN);
    const pullRequests = await codeHost.listPullRequests(repository, {
      state,
      limit: PAGE_SIZE,
      before: Number.isSafeInteger(before) && before > 0 ? before : null,
    });
    const last = pullRequests.length === PAGE_SIZE ? pullRequests.at(-1)?.number : undefined;
    const page = pullRequestListPage({
      place: placeOf(repository),
      reader: readerOf(await viewerOf(c, repository)),
      state,
      pullRequests,
      nextHref: last === undefined ? null : `/${repository.slug}/pulls?state=${state}&before=${last}`,
    });
    return sendPage(c, page);
  });
  routes.get(`/:slug/pull/${NUMBER}`, showTab("conversation"));
  routes.get(`/:slug/pull/${NUMBER}/commits`, showTab("commits"));
  routes.get(`/:slug/pull/${NUMBER}/files`, showTab("files"));
  routes.get("/:slug/pull/:file{[1-9][0-9]{0,8}\\.diff}", async (c) => {
    const repository = await deps.findRepository(c.req.param("slug"));
    const number = Number.parseInt(c.req.param("file"), 10);
    const exists = repository && (await codeHost.getPullRequest(repository, number));
    const range = exists && (await codeHost.pullRequestRange(repository, number));
    if (!range) return sendNotFound(c);
    const patch = await repoStore.patch(repository.projectId, range);
    return c.body(patch, 200, { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" });
  });
  routes.post(
    `/:slug/pull/${NUMBER}/merge`,
    limitedForm(MAX_FORM_BYTES),
    act(async (repository, number, head) => {
      const outcome = await codeHost.mergePullRequest(repository, number, { expectedHead: head });
      return outcome.ok ? null : `It was not merged. ${outcome.detail}`;
    }),
  );
  routes.post(
    `/:slug/pull/${NUMBER}/close`,
    limitedForm(MAX_FORM_BYTES),
    act(async (repository, number) => {
      await codeHost.closePullRequest(repository, number);
      return null;
    }),
  );
  routes.post(
    `/:slug/pull/${NUMBER}/ready`,
    limitedForm(MAX_FORM_BYTES),
    act(async (repository, number) => {
      await codeHost.markReady(repository, number);
      return null;
    }),
  );
  return routes;
}
