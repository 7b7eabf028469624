import { Hono } from "hono";
import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import { descriptionCheck } from "./host-description.ts";
import { addGiteaTalk } from "./gitea-talk.ts";
import { addNotices } from "./notices.ts";
import { commitsAhead, type HostParts, type HostServer, startHostServer, tokenOf } from "./host-server.ts";

/** A server with the REST API of Gitea over real repositories. */
export const startGiteaServer = (files: Record<string, string>): Promise<HostServer> =>
  startHostServer(files, rest, descriptionCheck("gitea", "/api/v1"));

/** The same with Forgejo's API description. */
export const startForgejoServer = (files: Record<string, string>): Promise<HostServer> =>
  startHostServer(files, rest, descriptionCheck("forgejo", "/api/v1"));

// The API description says which fields exist, and their types.
const Creation = z.object({
  head: z.string(),
  base: z.string(),
  title: z.string().max(255),
  body: z.string().max(65_535).default(""),
});
const Change = z.object({ title: z.string().max(255), body: z.string(), state: z.literal("closed") }).partial();
const Merge = z.object({
  Do: z.enum(["squash", "merge", "rebase"]),
  head_commit_id: z.string(),
  MergeTitleField: z.string().default(""),
  MergeMessageField: z.string().default(""),
});
const DRAFT = /^(?:wip:|\[wip\])\s*/i;

function rest(parts: HostParts): (request: Request) => Promise<Response> {
  const { embedded, repository, state } = parts;
  const refuse = (status: number, message: string) => Response.json({ message, url: "/api/swagger" }, { status });
  const show = (pullRequest: PullRequest) => presented(parts, pullRequest);
  const app = new Hono();
  app.use("*", async (c, next) => {
    const token = tokenOf(c.req.raw);
    if (!state.tokens.has(token) && !state.readers.has(token)) return refuse(401, "user does not exist [uid: 0]");
    if (c.req.method !== "GET" && state.readers.has(token)) return refuse(403, "token does not have write:repository");
    if (c.req.method !== "GET" && state.isArchived) return refuse(423, "Repo is archived");
    return next();
  });
  const api = app.basePath("/api/v1/repos/acme/docs");
  api.get("/", async (c) => {
    const branches = await parts.repoStore.branches(repository.projectId);
    return c.json({
      id: 4711,
      html_url: `${parts.origin}/${parts.path}`,
      default_branch: "main",
      empty: branches.length === 0,
      archived: state.isArchived,
      allow_squash_merge: state.merging.methods.includes("squash"),
      allow_merge_commits: state.merging.methods.includes("merge"),
      allow_rebase: state.merging.methods.includes("rebase"),
      allow_rebase_explicit: false,
      allow_fast_forward_only_merge: false,
      default_merge_style: state.merging.default,
      permissions: { admin: false, push: true, pull: true },
    });
  });
  api.get("/compare/:range", async (c) => {
    const [base = "", head = ""] = c.req.param("range").split("...").map(decodeURIComponent);
    const ahead = await commitsAhead(parts, base, head);
    return ahead === null
      ? refuse(404, "The target couldn't be found.")
      : c.json({ total_commits: ahead.length, commits: ahead.map(({ id }) => ({ sha: id })) });
  });
  addGiteaTalk(api, parts);
  addNotices(api, parts, "gitea");
  api.get("/pulls", async (c) => {
    const page = Number(c.req.query("page") ?? 1);
    const wanted = c.req.query("state") ?? "open";
    const newest = await embedded.listPullRequests(repository, { state: "all", limit: 500, before: null });
    const all = c.req.query("sort") === "recentupdate" ? state.talk.changedFirst(newest) : newest;
    const found = all.map(show).filter((one) => wanted === "all" || one.state === wanted);
    return c.json(found.slice((page - 1) * 50, page * 50));
  });
  api.post("/pulls", async (c) => {
    const body = Creation.parse(await c.req.json());
    const known = await embedded.findPullRequest(repository, body.head);
    const duplicate = () => refuse(409, `pull request already exists for these targets [id: ${known?.number ?? 1}]`);
    if (known?.state === "open") return duplicate();
    const made = await embedded.ensurePullRequest(repository, {
      ...body,
      title: body.title.replace(DRAFT, ""),
      draft: DRAFT.test(body.title),
    });
    return made.outcome === "created" ? c.json(show(made.pullRequest), 201) : duplicate();
  });
  api.get("/pulls/:number{[0-9]+}", async (c) => {
    const found = await embedded.getPullRequest(repository, Number(c.req.param("number")));
    return found ? c.json(show(found)) : refuse(404, "The target couldn't be found.");
  });
  api.patch("/pulls/:number{[0-9]+}", async (c) => {
    const number = Number(c.req.param("number"));
    const change = Change.parse(await c.req.json());
    const found = await embedded.getPullRequest(repository, number);
    if (!found) return refuse(404, "The target couldn't be found.");
    if (change.state === "closed") await embedded.closePullRequest(repository, number);
    const { title = show(found).title, body = found.body } = change;
    await embedded.updatePullRequest(repository, number, {
      title: title.replace(DRAFT, ""),
      body,
      draft: DRAFT.test(title),
    });
    return c.json(show((await embedded.getPullRequest(repository, number))!), 201);
  });
  api.post("/pulls/:number{[0-9]+}/merge", async (c) => {
    const number = Number(c.req.param("number"));
    const { Do, head_commit_id, MergeTitleField, MergeMessageField } = Merge.parse(await c.req.json());
    const current = await embedded.getPullRequest(repository, number);
    if (current?.state === "closed") return refuse(404, "The target couldn't be found.");
    if (current?.state === "merged") return refuse(405, "");
    if (!state.merging.methods.includes(Do)) {
      return refuse(405, `${Do} is not allowed an allowed merge style for this repository`);
    }
    const merged = await embedded.mergePullRequest(repository, number, { expectedHead: head_commit_id });
    if (!merged.ok) {
      return merged.reason === "head_moved" ? refuse(409, "head out of date") : refuse(405, "Please try again later");
    }
    state.merges.push(`${MergeTitleField}\n\n${MergeMessageField}`.trim());
    state.mergeMethods.push(Do);
    return c.body(null, 200);
  });
  app.notFound(() => refuse(404, "Not Found"));
  app.onError((error) => refuse(422, `Invalid request: ${error.message}`));
  return async (request) => app.fetch(request);
}

function presented({ origin, path }: HostParts, pullRequest: PullRequest) {
  const { number, title, draft, state } = pullRequest;
  const repo = { full_name: path };
  return {
    number,
    html_url: `${origin}/${path}/pulls/${number}`,
    state: state === "open" ? "open" : "closed",
    draft,
    title: draft ? `WIP: ${title}`.slice(0, 255) : title,
    body: pullRequest.body,
    head: { ref: pullRequest.head.branch, sha: pullRequest.head.commit, repo },
    base: { ref: pullRequest.base.branch, sha: pullRequest.head.commit, repo },
    merged: state === "merged",
    merge_commit_sha: pullRequest.mergedCommit,
    created_at: pullRequest.createdAt.toISOString(),
    updated_at: pullRequest.updatedAt.toISOString(),
  };
}
