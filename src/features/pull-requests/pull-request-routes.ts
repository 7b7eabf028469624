import { type Context, Hono } from "hono";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import type { HostedPullRequests } from "#hosts/hosted-pull-requests.ts";
import { withoutPreviewLine } from "#hosts/preview-line.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import { isObjectId } from "#git/objects/objects.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { findJob } from "#features/jobs/jobs.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { positiveInteger } from "#lib/positive-integer.ts";
import type { PreviewLinks } from "#features/sites/preview-links.ts";
import { describe } from "#kit/pages/description.ts";
import { readerOf, type Viewer } from "./merge-box.ts";
import { doorway } from "#kit/pages/doorway.ts";
import { sendForbidden, sendNotFound } from "#kit/pages/problem-page.ts";
import {
  createPullRequestAccess,
  type PullRequestAccessDeps,
  type ReadableRepository as Repository,
} from "./pull-request-access.ts";
import { LIST_STATES, pullRequestListPage } from "./pull-request-list.ts";
import { jobOf, pullRequestPage, type Tab } from "./pull-request-page.ts";
import type { CommentGuards } from "./comment-limit.ts";
import { createLineFinder } from "./comment-lines.ts";
import { createCommentRoutes, readCommentId } from "./comment-routes.ts";
import { createTalkReader, type ShownPart } from "./read-talk.ts";
import { readReview } from "./review.ts";
import { type ChangeReader, createPullRequestViews } from "./pull-request-view.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";

export interface PullRequestRoutesDeps extends PullRequestAccessDeps, SubmitDeps {
  codeHost: CodeHost & HostedPullRequests;
  repoStore: RepoStore;
  readChanges: ChangeReader;
  /** The parser for a project. Projects share its capacity fairly. */
  parserFor(projectId: ProjectId): MarkdownParser;
  previewLinks: Pick<PreviewLinks, "link">;
  commentGuards: CommentGuards;
}

const bodyOf = ({ state, body }: PullRequest) => (state === "open" ? body : withoutPreviewLine(body));

const NUMBER = ":number{[1-9][0-9]{0,8}}";
const PAGE_SIZE = 50;
const MAX_FORM_BYTES = 4_096;

/**
 * The pages of pull requests, below `/{slug}/`. Members of the project can read them, and everyone if the repository is
 * public. Merging and closing need a session of the project, and the token that only its own pages have.
 */
export function createPullRequestRoutes(deps: PullRequestRoutesDeps): Hono {
  const { codeHost, repoStore } = deps;
  const views = createPullRequestViews(deps);
  const reviewOf = async ({ projectId }: Repository, id: JobId | null) => {
    const job = id && (await findJob(deps, { projectId, jobId: id }));
    return job ? readReview(deps, job) : null;
  };
  const access = createPullRequestAccess(deps);
  const findLines = createLineFinder(deps);
  const readTalk = createTalkReader({ ...deps, findLines });
  const routes = new Hono();

  /** For pages that another code host shows better: sends those who may read to that host. */
  const readHere = async (c: Context): ReturnType<typeof access.read> => {
    const opened = await access.read(c);
    const url = opened.repository?.url ?? null;
    if (opened.answer || url === null) return opened;
    const number = Number.parseInt(c.req.param("number") ?? c.req.param("file") ?? "", 10);
    const pullRequest = Number.isNaN(number) ? null : await codeHost.getPullRequest(opened.repository, number);
    const target = URL.parse(pullRequest?.url ?? url);
    const isWeb = target?.protocol === "https:" || target?.protocol === "http:";
    if (!isWeb) return { answer: sendNotFound(c) };
    return { answer: leadTo(c, { ...opened, href: target.href, to: pullRequest ? "The pull request" : "The host" }) };
  };
  /** Not a redirect: after a form, such as the sign-in, Chromium (140) blocks redirects to another host. */
  const leadTo = (c: Context, door: { repository: Repository; viewer: Viewer; href: string; to: string }) => {
    const { repository, viewer, href, to } = door;
    c.header("Refresh", `0; url=${href}`);
    const page = doorway({ place: placeOf(repository, viewer), reader: readerOf(viewer), href, to, section: "pulls" });
    return sendPage(c, page, { isSecret: true });
  };

  const placeOf = ({ slug, name, url, siteUrl, isArchived }: Repository, { level, personName }: Viewer) => ({
    slug,
    name,
    siteUrl,
    isArchived,
    hostUrl: url,
    ...(level && { level, personName: personName ?? null }),
  });
  const show = async (
    c: Context,
    options: { repository: Repository; viewer: Viewer; number: number; problem?: string },
    part: ShownPart,
  ) => {
    const { repository, viewer, number, problem = null } = options;
    const { tab, path } = part;
    const view = await views.read(repository, number, path);
    if (!view) return sendNotFound(c);
    const page = pullRequestPage({
      place: placeOf(repository, viewer),
      isPublishedElsewhere: repository.isPublishedElsewhere,
      view,
      tab,
      viewer,
      description:
        tab === "conversation" ? await describe(deps.parserFor(repository.projectId), bodyOf(view.pullRequest)) : null,
      repositoryUrl: codeHost.repositoryUrl(repository),
      previewUrl: view.pullRequest.state === "open" ? deps.previewLinks.link({ ...repository, number }) : null,
      review: await reviewOf(repository, viewer.isMember ? jobOf(view.commits) : null),
      path,
      talk: await readTalk({ repository, viewer, view }, part),
      problem,
    });
    const wait = part.draft?.retryAfterSeconds;
    if (wait !== undefined) c.header("Retry-After", String(wait));
    const status = wait !== undefined ? 429 : part.draft !== null ? 400 : problem !== null ? 409 : 200;
    return sendPage(c, page, { status, hasFrames: true });
  };
  const showTab = (tab: Tab) => async (c: Context) => {
    const { repository, viewer, answer } = await readHere(c);
    if (answer) return answer;
    const query = (name: string) => c.req.query(name) ?? null;
    const path = tab === "files" ? query("path") : null;
    const comments = readCommentId(query("comments"));
    const part = { tab, path, line: query("line"), comments, editing: readCommentId(query("edit")), draft: null };
    return show(c, { repository, viewer, number: Number(c.req.param("number")) }, part);
  };

  /** Carries out the action of a button, if the person may, and responds with the page of the button. */
  const act =
    (
      action: (
        repository: Repository,
        number: number,
        asked: { head: string | null; by: Viewer["person"] },
      ) => Promise<string | null>,
    ) =>
    async (c: Context) => {
      const { repository, viewer, answer } = await access.write(c, "write");
      if (answer) return answer;
      if (repository.url !== null) return sendNotFound(c);
      const number = Number(c.req.param("number"));
      if (!(await codeHost.getPullRequest(repository, number))) return sendNotFound(c);
      const fields = new URLSearchParams(await c.req.text());
      const csrf = fields.get("csrf") ?? "";
      const named = fields.get("head") ?? "";
      const head = isObjectId(named) ? named : null;
      if (viewer.csrfToken === null || !isSameSecret(csrf, viewer.csrfToken)) return sendForbidden(c);
      const problem = await action(repository, number, { head, by: viewer.person ?? null });
      if (problem === null) return c.redirect(`/${repository.slug}/pull/${number}`, 303);
      const part = { tab: "conversation", path: null, line: null, comments: null, editing: null, draft: null } as const;
      return show(c, { repository, viewer, number, problem }, part);
    };

  routes.get("/:slug/pulls", async (c) => {
    const { repository, viewer, answer } = await readHere(c);
    if (answer) return answer;
    const state = LIST_STATES.find((name) => name === c.req.query("state")) ?? "open";
    const before = positiveInteger(c.req.query("before"));
    const pullRequests = await codeHost.listPullRequests(repository, { state, limit: PAGE_SIZE, before });
    const last = pullRequests.length === PAGE_SIZE ? pullRequests.at(-1)?.number : undefined;
    const page = pullRequestListPage({
      place: placeOf(repository, viewer),
      reader: readerOf(viewer),
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
    const { repository, answer } = await readHere(c);
    if (answer) return answer;
    const number = Number.parseInt(c.req.param("file"), 10);
    const exists = await codeHost.getPullRequest(repository, number);
    const range = exists && (await codeHost.pullRequestRange(repository, number));
    if (!range) return sendNotFound(c);
    const patch = await repoStore.patch(repository.projectId, range);
    return c.body(patch, 200, {
      "Content-Type": "text/plain; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "private, no-cache",
    });
  });
  // The address of a preview without its token leads here: people who may read the pull request get the token.
  routes.get(`/:slug/pull/${NUMBER}/preview`, async (c) => {
    const { repository, viewer, answer } = await access.read(c);
    if (answer) return answer;
    const number = Number(c.req.param("number"));
    const pullRequest = await codeHost.getPullRequest(repository, number);
    if (!pullRequest) return sendNotFound(c);
    if (pullRequest.state !== "open") return c.redirect(`/${repository.slug}/pull/${number}`, 303);
    const href = deps.previewLinks.link({ ...repository, number }, c.req.query("path") ?? "/");
    return leadTo(c, { repository, viewer, href, to: "The preview" });
  });
  routes.post(
    `/:slug/pull/${NUMBER}/merge`,
    limitedForm(MAX_FORM_BYTES),
    act(async (repository, number, { head, by }) => {
      const outcome = await codeHost.mergePullRequest(repository, number, { expectedHead: head, by: by ?? null });
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
  routes.route(
    "/",
    createCommentRoutes({ ...deps, submit: deps, access, views, findLines, show: async (...page) => show(...page) }),
  );
  return routes;
}
