import path from "node:path";
import { authenticate, createApiKey, isKeyAlive } from "#accounts/api-keys.ts";
import { createSessions } from "#accounts/sessions.ts";
import { createAnalytics } from "#analytics/analytics.ts";
import { createEmbeddedCodeHost } from "#code-hosts/embedded/embedded-code-host.ts";
import type { HostedRepository } from "#code-hosts/code-host.ts";
import { createInProcessParser } from "#content/in-process-parser.ts";
import { createDashboardRoutes } from "#dashboard/dashboard-routes.ts";
import type { Engine } from "#db/database.ts";
import { createRepoStore } from "#git/repo-store.ts";
import { createApp } from "#http/app.ts";
import { jobToJson } from "#http/job-json.ts";
import { ensurePullRequest, pushTurn, remembered } from "#jobs/publish.ts";
import { finishTurn } from "#jobs/finish-turn.ts";
import { jobError, type FailCode, type Job } from "#jobs/job.ts";
import { claimJob } from "#jobs/queue.ts";
import { recordProgress } from "#jobs/turns.ts";
import type { OutboxDeps } from "#jobs/webhook-worker.ts";
import { silentLogger } from "#lib/logger.ts";
import { openKeyVault } from "#lib/key-vault.ts";
import { createOutboundHttp } from "#lib/outbound-http.ts";
import { redact } from "#lib/secret-scan.ts";
import { createModels } from "#main.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import { readModelSettings } from "#models/settings.ts";
import type { Project } from "#projects/project.ts";
import { createProjectSecrets } from "#projects/project-secrets.ts";
import { createProject, findProject, findProjectBySlug } from "#projects/projects.ts";
import { openTestDatabase } from "./databases.ts";
import { createTestDirectory, createTestRepository } from "./repositories.ts";

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

/** What tests read of the bodies of all answers. */
export interface AnswerBody {
  id: string;
  status: string;
  error: string;
  code: string;
  source: { ref: string };
  jobs: AnswerBody[];
  nextCursor: string | null;
  hasMore: boolean;
  events: { seq: number; type: string; data: { text: string } }[];
  files: unknown[];
  secret: string;
  enabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  deliveries: DeliveryBody[];
  runs: { number: number; jobId: string | null; messageSeq: number | null }[];
  trigger: unknown;
  nextRunAt: string | null;
}

export interface DeliveryBody {
  id: string;
  status: string;
  nextAttemptAt: string | null;
  attempts: { status: number | null; error: string | null; response: string | null }[];
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body read as JSON; empty where it is something else. */
  json: AnswerBody;
}

/**
 * The interface on a real store and repository, with one project and its key, and no worker: jobs stay `active` until
 * `carryOut` ends them the way a worker does.
 */
export async function createTestApp(
  engine: Engine,
  options: {
    files?: Record<string, string>;
    agentCallsPerHour?: number;
    now?: Date;
    baseUrl?: string;
    /** As in `DOCENT_MODELS`. */
    models?: object;
  } = {},
) {
  await using made = new AsyncDisposableStack();
  const directory = made.use(await createTestDirectory()).path;
  const { database } = made.use(await openTestDatabase(engine));
  const repoStore = made.use(createRepoStore({ root: path.join(directory, "repositories"), logger: silentLogger }));
  const source = made.use(await createTestRepository(options.files ?? { "index.md": "# Welcome\n" }));
  const time = { now: options.now ?? null };
  const clock = { now: () => time.now ?? new Date() };
  const baseUrl = () => options.baseUrl ?? "http://localhost:4000";
  const analytics = made.use(
    await createAnalytics({
      database,
      location: null,
      dataDirectory: directory,
      trustedProxies: [],
      clock,
      logger: silentLogger,
    }),
  );
  const codeHost = createEmbeddedCodeHost({ database, repoStore, clock, logger: silentLogger, baseUrl });
  const vault = await openKeyVault(path.join(directory, "secrets.key"));
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const project = await createProject(
    { database, repoStore, clock },
    { name: "Harbor docs", source: source.path, branch: null },
  );
  const makeKey = async (of: Project) =>
    (await createApiKey({ database, clock, keysPerHour: 100 }, { projectId: of.id, name: "test", expiresInDays: null }))
      .key;
  const makeProject = (name: string) =>
    createProject({ database, repoStore, clock }, { name, source: null, branch: null });
  const key = await makeKey(project);
  const repository: HostedRepository = { projectId: project.id, slug: project.slug, branch: project.branch };
  const closing = new AbortController();
  const { redactFor } = createProjectSecrets(vault, []);
  const submit = { database, clock, redact, redactFor, agentCallsPerHour: options.agentCallsPerHour ?? 1_000 };
  const models = createModels({ models: readModelSettings(JSON.stringify(options.models ?? {}), {}) });
  const shared = {
    submit,
    codeHost,
    repoStore,
    findProject: (id: Project["id"]) => findProject({ database }, id),
    repositoryUrl: () => codeHost.repositoryUrl(repository),
    chooseModel: (of: Project, asked: string | null) =>
      models.resolve(asked ?? of.settings.model ?? BUILTIN_RULES).name,
    listModels: () => models.list(),
    listBranches: async (of: Project) => (await repoStore.branches(of.id)).map(({ name }) => name),
    isMissingBranch: async (_of: Project, branch: string) => (await codeHost.fetchBranch(repository, branch)) === null,
  };
  const currentPullRequest = (_project: Project, number: number) => codeHost.getPullRequest(repository, number);
  const sessions = await createSessions({ database, clock });
  const pages = createDashboardRoutes({
    ...shared,
    currentPullRequest,
    database,
    clock,
    parser: createInProcessParser(),
    cache: analytics.cache,
    keysPerHour: 10,
    findProject: (slug) => findProjectBySlug({ database }, slug),
    findProjectById: shared.findProject,
    openPullRequests: (_project, limit) =>
      codeHost.listPullRequests(repository, { state: "open", limit, before: null }),
    session: { read: (request) => sessions.read(request.headers.get("cookie")) },
    closing: closing.signal,
    baseUrl,
    siteUrl: (slug) => `http://${slug}.localhost:4000/`,
  });
  const app = createApp({
    logger: silentLogger,
    siteDomain: "localhost",
    version: "0.0.0",
    baseUrl,
    isDraining: () => false,
    isHealthy: async () => true,
    authenticate: (given) => authenticate({ database, clock }, given),
    sessions,
    agentJobs: {
      ...shared,
      currentPullRequest,
    },
    jobEvents: {
      ...shared,
      database,
      pullRequestRange: (of, number) => codeHost.pullRequestRange(of, number),
      isKeyAlive: (keyId) => isKeyAlive({ database, clock }, keyId),
      closing: closing.signal,
      streamTimes: { heartbeatMs: 300, pollMs: 1_000, accessMs: 300 },
    },
    webhooks: { database, clock, vault, outboundHttp },
    automations: shared,
    analytics: { database, clock, analyticsCallsPerHour: 1_000, ...analytics },
    site: async () => ({ status: 404, headers: {}, body: null }),
    git: async () => new Response(null, { status: 404 }),
    pages,
    hasProject: async (slug) => (await findProjectBySlug({ database }, slug)) !== null,
  });

  /** One call with the project's key; `path` without its `/v2/agent/{projectId}`. */
  function open(
    method: string,
    at: string,
    call: { body?: unknown; headers?: Record<string, string>; key?: string; project?: string } = {},
  ) {
    const request = new Request(`http://localhost:4000/v2/agent/${call.project ?? project.id}${at}`, {
      method,
      headers: {
        Authorization: `Bearer ${call.key ?? key}`,
        ...(call.body !== undefined && { "Content-Type": "application/json" }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    return app.fetch(request, { peerAddress: "127.0.0.1" });
  }

  async function call(...given: Parameters<typeof open>): Promise<TestAnswer> {
    const response = await open(...given);
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: JSON.parse(isJson ? text : "{}") as AnswerBody,
    };
  }

  /** Ends the next message of the longest waiting job: files written and a pull request, or a failure. */
  async function carryOut(
    work: { files?: Record<string, string>; fail?: FailCode; summary?: string } = {},
  ): Promise<Job["id"]> {
    const claim = await claimJob({ database, clock }, { owner: "test", leaseMs: 60_000 });
    if (!claim) throw new Error("no job waits");
    const turn = claim.job.handledCount + 1;
    const deps = { database, clock, redact };
    if (work.fail) {
      const error = jobError(work.fail, "It did not work.");
      await finishTurn(deps, { claim, turn, outcome: { ok: false, error, handledSeq: turn } });
      return claim.jobId;
    }
    const summary = work.summary ?? "Done.";
    if (!work.files) {
      await finishTurn(deps, {
        claim,
        turn,
        outcome: {
          ok: true,
          title: "Nothing",
          summary,
          pullRequest: claim.job.pullRequest,
          handledSeq: turn,
        },
      });
      return claim.jobId;
    }
    const branch = claim.job.branch ?? `docent/work-${claim.jobId.slice(-8)}`;
    const started = await codeHost.fetchBranch(repository, claim.job.branch ?? claim.job.baseRef);
    const startedAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
    const start = { turn, baseCommit: started!, branch, startedAt, commitId: null };
    await recordProgress(deps, claim, {
      turn,
      phase: "running",
      start,
      events: [{ type: "turn.started", messages: [turn], baseCommit: started!, branch }],
    });
    const edits = Object.entries(work.files).map(([file, text]) => ({ path: file, content: Buffer.from(text) }));
    const tree = await repoStore.snapshot(project.id, { base: started!, edits });
    const pushed = await pushTurn(
      { repoStore, codeHost, judge: () => Promise.reject(new Error("Somebody pushed meanwhile.")) },
      {
        repository,
        jobId: claim.jobId,
        turn,
        branch,
        base: claim.job.baseRef,
        isContinued: claim.job.branch !== null,
        baseCommit: started!,
        tree,
        startedAt,
        commit: { title: "Edit pages", summary },
      },
    );
    if (!pushed.ok) throw new Error(pushed.error.message);
    const ensured = await ensurePullRequest(
      { codeHost },
      {
        repository,
        known: claim.job.pullRequest?.number ?? null,
        head: branch,
        base: claim.job.baseRef,
        title: "Edit pages",
        body: summary,
        draft: false,
      },
    );
    if (!ensured.ok || !ensured.pullRequest) throw new Error("no pull request");
    const pullRequest = remembered(ensured.pullRequest, null);
    const { number, url } = pullRequest;
    const isKnown = claim.job.pullRequest?.number === number;
    await recordProgress(deps, claim, {
      turn,
      commitId: pushed.commit,
      pullRequest,
      events: [
        { type: "commit.pushed", commit: pushed.commit, branch },
        { type: isKnown ? "pull_request.updated" : "pull_request.opened", number, url, commit: pushed.commit },
      ],
    });
    await finishTurn(deps, {
      claim,
      turn,
      outcome: {
        ok: true,
        title: "Edit pages",
        summary,
        pullRequest,
        handledSeq: turn,
      },
    });
    return claim.jobId;
  }

  /** A commit of a person on a branch, as a push over HTTP would make it. */
  async function pushCommit(branch: string, files: Record<string, string | null>): Promise<string> {
    const before = await repoStore.resolve(project.id, `refs/heads/${branch}`);
    const edits = Object.entries(files).map(([file, text]) => ({
      path: file,
      content: text === null ? null : Buffer.from(text),
    }));
    const tree = await repoStore.snapshot(project.id, { base: before!, edits });
    const author = { name: "Ada Writer", email: "ada@example.com" };
    const after = await repoStore.commit(project.id, {
      tree,
      parents: [before!],
      message: "Edit by hand\n",
      author,
      at: new Date(),
    });
    await repoStore.updateRef(project.id, { ref: `refs/heads/${branch}`, to: after, expected: before });
    await codeHost.recordPush(repository, { branch, before, after });
    return after;
  }

  const outbox: OutboxDeps = {
    database,
    clock,
    logger: silentLogger,
    vault,
    outboundHttp,
    random: () => 0.5,
    presentJob: async (job) => jobToJson(job, codeHost.repositoryUrl(repository)),
    userAgent: "Docent/test",
  };
  const owned = made.move();
  return {
    database,
    repoStore,
    codeHost,
    vault,
    project,
    repository,
    key,
    makeKey,
    makeProject,
    /** Fixed while `time.now` is set. */
    time,
    clock,
    closing,
    deps: shared,
    lifecycle: submit,
    automations: { ...shared, logger: silentLogger },
    outbox,
    analytics,
    open,
    app,
    /** A call without a key to any address of the server. */
    openPath: (at: string) => app.fetch(new Request(`http://localhost:4000${at}`), { peerAddress: "127.0.0.1" }),
    call,
    carryOut,
    pushCommit,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
