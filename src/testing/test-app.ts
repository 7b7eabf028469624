import path from "node:path";
import { createApiKey } from "#features/keys/api-keys.ts";
import { createAnalytics } from "#features/visitors/collect/analytics.ts";
import { composeAccess } from "#app/access.ts";
import { composeCodeHosts } from "#app/code-hosts.ts";
import { createContext } from "#app/context.ts";
import { composeDeployments } from "#app/deployments.ts";
import { composeHttp } from "#app/http.ts";
import { composeApiAddresses } from "#app/api-addresses.ts";
import { composeJobs } from "#app/jobs.ts";
import { composeTurns } from "#app/job-workers.ts";
import { composeSearch } from "#app/search.ts";
import { composeLargeFiles, composePreviewLinks, composeSiteTokens } from "#app/sites.ts";
import { loadConfig } from "#app/instance/config.ts";
import { type ApiReader, createApiDescriptions } from "#docs/api/api-documents.ts";
import { readApi } from "#docs/api/reading/read-document.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import type { Engine } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { createLocalModels, type LocalPorts } from "#models/local-servers.ts";
import { openKeyVault } from "#lib/secrets/key-vault.ts";
import { type Logger, silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { createCarryOut } from "./carry-out.ts";
import { openTestDatabase } from "./databases.ts";
import { sharedContent } from "./shared-content.ts";
import { importingFiles } from "./imported-files.ts";
import { createTestDirectory, createTestRepository } from "./repositories.ts";

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

/** The fields of response bodies that tests read. */
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
  /** The body parsed as JSON; empty when it is not JSON. */
  json: AnswerBody;
}

/**
 * The API on a real store and repository, with one project and its key, and no worker: jobs stay `active` until
 * `carryOut` finishes them the way a worker does.
 */
export async function createTestApp(
  engine: Engine,
  options: {
    files?: Record<string, string>;
    agentCallsPerHour?: number;
    maxStreams?: number;
    now?: Date;
    baseUrl?: string;
    /** As in `DOCENT_TRUSTED_PROXIES`. */
    trustedProxies?: string;
    /** As in `DOCENT_MODELS`. */
    models?: object;
    /** Where local models are looked for; nowhere when left out. */
    localPorts?: LocalPorts;
    /** As in `DOCENT_OIDC`. */
    oidc?: object;
    /** As in `DOCENT_SMTP`. */
    smtp?: string;
    /** As in `DOCENT_LOG_REQUESTS`, for `logger`. */
    logRequests?: string;
    logger?: Logger;
    /** Tries chores as a server does; without it they answer 503. */
    canTryChores?: boolean;
    /** What DNS says. */
    resolveTxt?: (name: string) => Promise<string[][]>;
  } = {},
) {
  await using made = new AsyncDisposableStack();
  const directory = made.use(await createTestDirectory()).path;
  const config = loadConfig(
    { data: directory },
    {
      DOCENT_BASE_URL: options.baseUrl ?? "http://localhost:4000",
      DOCENT_AGENT_CALLS_PER_HOUR: String(options.agentCallsPerHour ?? 1_000),
      DOCENT_ANALYTICS_CALLS_PER_HOUR: "1000",
      DOCENT_TRUSTED_PROXIES: options.trustedProxies ?? "",
      DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32",
      DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32",
      DOCENT_MODELS: JSON.stringify(options.models ?? {}),
      ...(options.logRequests && { DOCENT_LOG_REQUESTS: options.logRequests }),
      ...(options.smtp && { DOCENT_SMTP: options.smtp, DOCENT_MAIL_FROM: "Docent <docs@example.com>" }),
      ...(options.oidc && { DOCENT_OIDC: JSON.stringify(options.oidc) }),
    },
  );
  const time = { now: options.now ?? null };
  const clock = { now: () => time.now ?? new Date() };
  const context = { ...createContext(config, { logger: options.logger ?? silentLogger, clock }), version: "test" };
  const { database } = made.use(await openTestDatabase(engine));
  const repoStore = made.use(createRepoStore({ root: path.join(directory, "repositories"), logger: silentLogger }));
  const vault = await openKeyVault(path.join(directory, "secrets.key"));
  const store = { database, places: null, vault, repoStore, time: { now: async () => clock.now() } };
  const hosts = composeCodeHosts(context, store);
  made.use(hosts.connecting);
  made.use(hosts.making);
  const codeHost = hosts.embedded;
  const analytics = made.use(
    await createAnalytics({
      database,
      location: null, // folds here
      dataDirectory: directory,
      trustedProxies: [],
      clock,
      vault,
      logger: silentLogger,
    }),
  );
  const files = options.files ?? { "index.md": "# Welcome\n" };
  const source = made.use(await createTestRepository(files));
  const project = await createProject(
    { database, repoStore: importingFiles(repoStore, files), clock },
    { name: "Harbor docs", source: source.path, branch: null },
  );
  const repository = hostedRepository(project);
  const makeKey = async (of: Project) =>
    (await createApiKey({ database, clock, keysPerHour: 100 }, { projectId: of.id, name: "test", expiresInDays: null }))
      .key;
  let instanceKey: Promise<string> | undefined;
  /** A key for all projects, with the scope `admin`; the same one for each app. */
  const keyOfInstance = async () => {
    const newKey = { projectId: null, name: "test", expiresInDays: null };
    return (await createApiKey({ database, clock, keysPerHour: 100 }, newKey)).key;
  };
  const makeProject = (name: string) =>
    createProject({ database, repoStore, clock }, { name, source: null, branch: null });
  const key = await makeKey(project);
  const closing = new AbortController();
  const access = made.use(composeAccess(context, store));
  const previewLinks = composePreviewLinks(context, store);
  const parser = createInProcessParser();
  const pages = sharedContent();
  const reader: ApiReader = { readApi: ({ path: file, read }) => readApi(file, read) };
  const content = {
    ...parser,
    ...reader,
    render: pages.render,
    canRender: pages.canRender,
    inBackground: pages.inBackground,
    parserFor: () => parser,
    apiDocuments: createApiDescriptions(reader),
  };
  const outboundHttp = createOutboundHttp(config.webhooks);
  const jobs = composeJobs(context, { store, hosts, outboundHttp });
  const search = made.use(composeSearch(context, { database, content: pages, isOneThread: true }));
  const makeDeployments = () =>
    composeDeployments(context, {
      store,
      codeHost: hosts.codeHost,
      previewLinks,
      search,
      content: {
        apiDocuments: {
          read: () => Promise.reject(new Error("APIs are described by the content process alone")),
        },
      },
    });
  const deployments = makeDeployments();
  const turnParts = { jobs, store, hosts, content, previewLinks, outboundHttp };
  const trials = options.canTryChores
    ? composeTurns(context, {
        ...turnParts,
        addresses: composeApiAddresses(context, { ...store, content, outboundHttp }),
      })
    : null;
  const app = composeHttp(context, {
    store,
    hosts,
    content,
    analytics,
    jobs,
    localModels: made.use(createLocalModels({ fetch: globalThis.fetch, clock }, options.localPorts ?? {})),
    access,
    previewLinks,
    deployments,
    search,
    siteTokens: composeSiteTokens(context, store),
    largeFiles: made.use(composeLargeFiles(context, store)),
    ...(trials && { tryChores: trials.tryChores }),
    ...(options.resolveTxt && { resolveTxt: options.resolveTxt }),
    site: async () => ({ status: 404, headers: {}, body: null }),
    closing: closing.signal,
    streams: {
      streamTimes: { heartbeatMs: 300, pollMs: 1_000, accessMs: 300 },
      ...(options.maxStreams !== undefined && { maxStreams: options.maxStreams }),
    },
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

  /** A person's commit on a branch, as a push over HTTP would create it. */
  async function pushCommit(
    branch: string,
    files: Record<string, string | null>,
    message = "Edit by hand\n",
  ): Promise<string> {
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
      message,
      author,
      at: new Date(),
    });
    await repoStore.updateRef(project.id, { ref: `refs/heads/${branch}`, to: after, expected: before });
    await codeHost.recordPush(repository, { branch, before, after });
    return after;
  }

  const owned = made.move();
  return {
    database,
    repoStore,
    codeHost,
    vault,
    siteTokens: composeSiteTokens(context, store),
    hostApps: hosts.remote.hostApps,
    project,
    repository,
    key,
    makeKey,
    instanceKey: () => (instanceKey ??= keyOfInstance()),
    makeProject,
    /** The time is fixed while `time.now` is set. */
    time,
    clock,
    closing,
    deps: jobs.automations,
    lifecycle: jobs.requests.submit,
    automations: { ...jobs.automations, logger: silentLogger },
    authenticate: access.authenticate,
    signIn: access.sessions.create,
    deployments,
    /** The parts that another process on the same store has for itself. */
    makeNode: async () => ({ deployments: makeDeployments() }),
    outbox: { ...jobs.outbox, random: () => 0.5 },
    analytics,
    open,
    app,
    /** A call without a key to any address of the server. */
    openPath: (at: string) => app.fetch(new Request(`http://localhost:4000${at}`), { peerAddress: "127.0.0.1" }),
    call,
    carryOut: createCarryOut({ database, clock, repoStore, codeHost, repository, redact: jobs.requests.submit.redact }),
    pushCommit,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
