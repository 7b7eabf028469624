import type { ExpandedMergeRequestSchema } from "@gitbeaker/rest";
import { Hono } from "hono";
import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import { gitlabCheck, type PartOf } from "./gitlab-description.ts";
import { addGitlabTalk, addGitlabUsers } from "./gitlab-talk.ts";
import { addNotices } from "./notices.ts";
import { commitsAhead, type HostParts, type HostServer, startHostServer, tokenOf } from "./host-server.ts";

/** A server with GitLab's REST API over real repositories. */
export const startGitlabServer = (files: Record<string, string>): Promise<HostServer> =>
  startHostServer(files, rest, gitlabCheck);

const Creation = z.object({
  source_branch: z.string(),
  target_branch: z.string(),
  title: z.string().max(255),
  description: z.string().max(1_048_576).default(""),
});
const Change = z
  .strictObject({ title: z.string().max(255), description: z.string(), state_event: z.literal("close") })
  .partial();
const Merge = z.object({
  sha: z.string(),
  squash: z.boolean(),
  squash_commit_message: z.string().default(""),
  merge_commit_message: z.string().default(""),
});
const DRAFT = /^(?:draft:|\[draft\]|\(draft\))\s*/i;

function rest(parts: HostParts): (request: Request) => Promise<Response> {
  const { embedded, repository, state } = parts;
  const refuse = (status: number, message: unknown) => Response.json({ message }, { status });
  const show = (pullRequest: PullRequest) => presented(parts, pullRequest);
  const squashOption = () => {
    const { methods } = state.merging;
    if (!methods.includes("squash")) return "never";
    return methods.length === 1 ? "always" : "default_off";
  };
  const app = new Hono();
  app.use("*", async (c, next) => {
    const token = tokenOf(c.req.raw);
    if (!state.tokens.has(token) && !state.readers.has(token)) return refuse(401, "401 Unauthorized");
    if (c.req.method !== "GET" && (state.readers.has(token) || state.isArchived)) return refuse(403, "403 Forbidden");
    return next();
  });
  app.get("/api/v4/personal_access_tokens/self", (c) => {
    const mayWrite = state.tokens.has(tokenOf(c.req.raw));
    return c.json({ id: 7, active: true, scopes: mayWrite ? ["api", "write_repository"] : ["read_api"] });
  });
  const api = app.basePath("/api/v4/projects/acme%2Fdocs");
  api.get("/", async (c) => {
    const branches = await parts.repoStore.branches(repository.projectId);
    return c.json({
      id: 4711,
      web_url: `${parts.origin}/${parts.path}`,
      default_branch: branches.length === 0 ? null : "main",
      archived: state.isArchived,
      squash_option: squashOption(),
      permissions: { project_access: { access_level: 40 }, group_access: null },
    });
  });
  api.get("/repository/compare", async (c) => {
    const ahead = await commitsAhead(parts, c.req.query("from")!, c.req.query("to")!);
    return ahead === null ? refuse(404, "404 Ref Not Found") : c.json({ commits: ahead.map(({ id }) => ({ id })) });
  });
  addGitlabTalk(api, parts);
  addNotices(api, parts, "gitlab");
  addGitlabUsers(app, parts);
  api.get("/merge_requests", async (c) => {
    const all = await embedded.listPullRequests(repository, { state: "all", limit: 100, before: null });
    if (c.req.query("order_by") === "updated_at") {
      return c.json(c.req.query("page") === "1" ? state.talk.changedFirst(all).map(show) : []);
    }
    const { source_branch: head, state: wanted = "all" } = c.req.query();
    const found = all.map(show).filter((one) => head === undefined || one.source_branch === head);
    return c.json(found.filter((one) => wanted === "all" || one.state === wanted));
  });
  api.post("/merge_requests", async (c) => {
    const body = Creation.parse(await c.req.json());
    const known = await embedded.findPullRequest(repository, body.source_branch);
    const duplicate = () =>
      refuse(409, [`Another open merge request already exists for this source branch: !${known?.number ?? 1}`]);
    if (known?.state === "open") return duplicate();
    const made = await embedded.ensurePullRequest(repository, {
      head: body.source_branch,
      base: body.target_branch,
      title: body.title.replace(DRAFT, ""),
      body: body.description,
      draft: DRAFT.test(body.title),
    });
    return made.outcome === "created" ? c.json(show(made.pullRequest), 201) : duplicate();
  });
  api.get("/merge_requests/:number{[0-9]+}", async (c) => {
    const found = await embedded.getPullRequest(repository, Number(c.req.param("number")));
    return found ? c.json(show(found)) : refuse(404, "404 Not found");
  });
  api.put("/merge_requests/:number{[0-9]+}", async (c) => {
    const number = Number(c.req.param("number"));
    const change = Change.parse(await c.req.json());
    const found = await embedded.getPullRequest(repository, number);
    if (!found) return refuse(404, "404 Not found");
    if (change.state_event === "close") await embedded.closePullRequest(repository, number);
    const { title = show(found).title, description = found.body } = change;
    await embedded.updatePullRequest(repository, number, {
      title: title.replace(DRAFT, ""),
      body: description,
      draft: DRAFT.test(title),
    });
    return c.json(show((await embedded.getPullRequest(repository, number))!));
  });
  api.put("/merge_requests/:number{[0-9]+}/merge", async (c) => {
    const number = Number(c.req.param("number"));
    const { sha, squash, squash_commit_message, merge_commit_message } = Merge.parse(await c.req.json());
    if (squash ? squashOption() === "never" : squashOption() === "always") return refuse(405, "405 Method Not Allowed");
    const merged = await embedded.mergePullRequest(repository, number, { expectedHead: sha });
    if (!merged.ok) {
      return merged.reason === "head_moved"
        ? refuse(409, "SHA does not match HEAD of source branch")
        : refuse(422, "Branch cannot be merged");
    }
    state.merges.push(squash ? squash_commit_message : merge_commit_message);
    state.mergeMethods.push(squash ? "squash" : "merge");
    return c.json(show((await embedded.getPullRequest(repository, number))!));
  });
  app.notFound(() => refuse(404, "404 Not Found"));
  app.onError((error) => refuse(400, `Invalid request: ${error.message}`));
  return async (request) => app.fetch(request);
}

function presented({ origin, path }: HostParts, pullRequest: PullRequest) {
  const { number, title, draft, state } = pullRequest;
  return {
    iid: number,
    web_url: `${origin}/${path}/-/merge_requests/${number}`,
    state: state === "open" ? "opened" : state,
    draft,
    title: draft ? `Draft: ${title}`.slice(0, 255) : title,
    description: pullRequest.body === "" ? null : pullRequest.body,
    source_branch: pullRequest.head.branch,
    source_project_id: 4711,
    target_project_id: 4711,
    target_branch: pullRequest.base.branch,
    sha: pullRequest.head.commit,
    merge_commit_sha: null,
    squash_commit_sha: pullRequest.mergedCommit,
    squash: true,
    detailed_merge_status: "mergeable",
    created_at: pullRequest.createdAt.toISOString(),
    updated_at: pullRequest.updatedAt.toISOString(),
  } satisfies PartOf<ExpandedMergeRequestSchema>;
}
