import { Hono } from "hono";
import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import { createGithubApp, type GithubAppState } from "./github-app-server.ts";
import { descriptionCheck } from "./host-description.ts";
import { addGithubTalk } from "./github-talk.ts";
import { addNotices } from "./notices.ts";
import { type HostParts, type HostServer, startHostServer, tokenOf } from "./host-server.ts";

/** A server with GitHub's REST API (like an Enterprise server, below `/api/v3`) over real repositories. */
export async function startGithubServer(files: Record<string, string>): Promise<GithubServer> {
  const { state: app, routes } = createGithubApp();
  const check = descriptionCheck("github", "/api/v3");
  const server = await startHostServer(
    files,
    (parts) => {
      const forApps = routes(parts);
      const others = rest(parts, app);
      return async (request) => (await forApps(request)) ?? others(request);
    },
    check,
  );
  return { ...server, app };
}

export interface GithubServer extends HostServer {
  app: GithubAppState;
}

// The API description says which fields exist, and their types.
const Creation = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().max(65_536).default(""),
  draft: z.boolean().default(false),
});
const Change = z
  .object({ title: z.string(), body: z.string().max(65_536), state: z.enum(["open", "closed"]) })
  .partial();
const Merge = z.object({
  merge_method: z.enum(["squash", "merge", "rebase"]),
  sha: z.string(),
  commit_title: z.string().default(""),
  commit_message: z.string().default(""),
});

function rest(parts: HostParts, apps: GithubAppState): (request: Request) => Promise<Response> {
  const { embedded, repository, state } = parts;
  const app = new Hono();
  const refuse = (status: number, message: string, errors?: unknown[]) =>
    Response.json(
      { message, ...(errors && { errors }), documentation_url: "https://docs.github.com/rest" },
      { status },
    );
  const show = (pullRequest: PullRequest) => presented(parts, pullRequest);

  app.use("*", async (c, next) => {
    const token = tokenOf(c.req.raw);
    if (!state.tokens.has(token) && !state.readers.has(token)) return refuse(401, "Bad credentials");
    const ofApp = apps.tokens.get(token);
    if (ofApp && ofApp.expiresAt.getTime() <= Date.now()) return refuse(401, "Bad credentials");
    const needed = c.req.path.includes("/statuses/") ? "statuses" : "contents";
    if (c.req.method !== "GET" && ofApp && ofApp.permissions[needed] !== "write")
      return refuse(403, "Resource not accessible by integration");
    if (c.req.method !== "GET" && state.readers.has(token)) {
      return refuse(403, "Resource not accessible by personal access token");
    }
    if (c.req.method !== "GET" && state.lacks.get(token)?.some((place) => c.req.path.endsWith(place))) {
      return refuse(403, "Resource not accessible by personal access token");
    }
    if (c.req.method !== "GET" && state.isArchived) {
      return refuse(403, "Repository was archived so is read-only.");
    }
    return next();
  });
  const api = app.basePath("/api/v3/repos/acme/docs");
  api.get("/", async (c) => {
    const branches = await parts.repoStore.branches(repository.projectId);
    return c.json({
      id: 4711,
      full_name: parts.path,
      html_url: `${parts.origin}/${parts.path}`,
      default_branch: branches.length === 0 ? "" : "main",
      archived: state.isArchived,
      allow_squash_merge: state.merging.methods.includes("squash"),
      allow_merge_commit: state.merging.methods.includes("merge"),
      allow_rebase_merge: state.merging.methods.includes("rebase"),
      // For an app's token GitHub denies push. For a person's token it returns the person's permissions, whatever the
      // token's.
      permissions: { pull: true, push: !apps.tokens.has(tokenOf(c.req.raw)) },
    });
  });
  api.get("/rules/branches/:branch", (c) => {
    const { byRules, queue } = state.merging;
    const from = { ruleset_source_type: "Repository", ruleset_source: parts.path, ruleset_id: 7 };
    return c.json([
      ...(byRules ? [{ type: "pull_request", parameters: { allowed_merge_methods: byRules }, ...from }] : []),
      ...(queue === "by rule" ? [{ type: "merge_queue", parameters: { merge_method: "SQUASH" }, ...from }] : []),
    ]);
  });
  addGithubTalk(app, api, parts);
  addNotices(api, parts, "github");
  api.get("/pulls", async (c) => {
    const wanted = c.req.query("state") ?? "open";
    const head = c.req.query("head")?.replace(/^[^:]+:/, "");
    const all = await embedded.listPullRequests(repository, { state: "all", limit: 100, before: null });
    if (c.req.query("sort") === "updated") {
      return c.json(c.req.query("page") === "1" ? state.talk.changedFirst(all).map(show) : []);
    }
    const found = all
      .filter((one) => wanted === "all" || (one.state === "open") === (wanted === "open"))
      .filter((one) => head === undefined || one.head.branch === head);
    return c.json(found.map(show));
  });
  api.post("/pulls", async (c) => {
    const body = Creation.parse(await c.req.json());
    const head = body.head.replace(/^[^:]+:/, "");
    const known = await embedded.findPullRequest(repository, head).catch(() => null);
    const failed = (error: object) => refuse(422, "Validation Failed", [{ resource: "PullRequest", ...error }]);
    for (const [field, branch] of [
      ["head", head],
      ["base", body.base],
    ] as const) {
      if ((await embedded.fetchBranch(repository, branch)) === null) return failed({ field, code: "invalid" });
    }
    if (known?.state === "open") {
      return failed({ code: "custom", message: `A pull request already exists for ${body.head}.` });
    }
    const made = await embedded.ensurePullRequest(repository, { ...body, head });
    if (made.outcome === "empty") {
      return failed({ code: "custom", message: `No commits between ${body.base} and ${head}` });
    }
    if (made.outcome !== "created") {
      return failed({ code: "custom", message: `A pull request already exists for ${body.head}.` });
    }
    return c.json(show(made.pullRequest), 201);
  });
  api.get("/pulls/:number{[0-9]+}", async (c) => {
    const found = await embedded.getPullRequest(repository, Number(c.req.param("number")));
    return found ? c.json(show(found)) : refuse(404, "Not Found");
  });
  api.patch("/pulls/:number{[0-9]+}", async (c) => {
    const number = Number(c.req.param("number"));
    const change = Change.parse(await c.req.json());
    const found = await embedded.getPullRequest(repository, number);
    if (!found) return refuse(404, "Not Found");
    if (change.state === "closed") await embedded.closePullRequest(repository, number);
    const { title = found.title, body = found.body } = change;
    await embedded.updatePullRequest(repository, number, { title, body, draft: found.draft });
    return c.json(show((await embedded.getPullRequest(repository, number))!));
  });
  api.put("/pulls/:number{[0-9]+}/merge", async (c) => {
    const number = Number(c.req.param("number"));
    const { merge_method, sha, commit_title, commit_message } = Merge.parse(await c.req.json());
    const { methods, byRules, queue } = state.merging;
    if (queue !== "none") {
      return refuse(405, "Repository rule violations found\n\nChanges must be made through the merge queue");
    }
    const named = { squash: "Squash merges", merge: "Merge commits", rebase: "Rebase merges" }[merge_method];
    if (!methods.includes(merge_method)) return refuse(405, `${named} are not allowed on this repository.`);
    if (byRules?.includes(merge_method) === false) {
      return refuse(405, `Repository rule violations found\n\n${named} are not allowed for this branch.`);
    }
    const merged = await embedded.mergePullRequest(repository, number, { expectedHead: sha });
    if (merged.ok) {
      state.merges.push(`${commit_title}\n\n${commit_message}`.trim());
      state.mergeMethods.push(merge_method);
      return c.json({ sha: merged.commit, merged: true });
    }
    if (merged.reason === "head_moved") return refuse(409, "Head branch was modified. Review and try the merge again.");
    return refuse(405, "Pull Request is not mergeable");
  });
  api.post("/git/refs", () => refuse(422, "Object does not exist"));
  api.delete("/git/refs/heads/:branch{.+}", () => refuse(422, "Reference does not exist"));

  const Query = z.strictObject({
    query: z.string(),
    variables: z.strictObject({ id: z.string(), head: z.string().optional() }),
  });
  app.post("/api/graphql", async (c) => {
    const { query, variables } = Query.parse(await c.req.json());
    const number = Number(variables.id.replace("PR_", ""));
    const { title, body, head } = (await embedded.getPullRequest(repository, number))!;
    const { queued } = state.merging;
    if (query.includes("isInMergeQueue"))
      return c.json({ data: { node: { isInMergeQueue: queued.includes(number) } } });
    if (query.includes("enqueuePullRequest")) {
      const refusal =
        (state.merging.queue === "none" && "Merge queue is not enabled for this branch") ||
        (queued.includes(number) && "Pull request is already in the queue") ||
        (variables.head !== head.commit && "Head oid does not match");
      if (refusal) return c.json({ data: { enqueuePullRequest: null }, errors: [{ message: refusal }] });
      queued.push(number);
      return c.json({ data: { enqueuePullRequest: { mergeQueueEntry: { state: "QUEUED" } } } });
    }
    const draft = query.includes("convertPullRequestToDraft");
    await embedded.updatePullRequest(repository, number, { title, body, draft });
    return c.json({ data: {} });
  });
  app.notFound(() => refuse(404, "Not Found"));
  app.onError((error) =>
    error instanceof AppError && error.code === "not_found"
      ? refuse(404, "Not Found")
      : refuse(422, `Invalid request: ${error.message}`),
  );
  return async (request) => app.fetch(request);
}

function presented({ origin, path }: HostParts, pullRequest: PullRequest) {
  const repo = { full_name: path };
  return {
    number: pullRequest.number,
    node_id: `PR_${pullRequest.number}`,
    html_url: `${origin}/${path}/pull/${pullRequest.number}`,
    state: pullRequest.state === "open" ? "open" : "closed",
    draft: pullRequest.draft,
    title: pullRequest.title,
    body: pullRequest.body === "" ? null : pullRequest.body,
    head: { ref: pullRequest.head.branch, sha: pullRequest.head.commit, repo },
    base: { ref: pullRequest.base.branch, repo },
    merged_at: pullRequest.state === "merged" ? pullRequest.updatedAt.toISOString() : null,
    merge_commit_sha: pullRequest.mergedCommit,
    created_at: pullRequest.createdAt.toISOString(),
    updated_at: pullRequest.updatedAt.toISOString(),
  };
}
