import { getRequestListener } from "@hono/node-server";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEmbeddedCodeHost, type EmbeddedCodeHost } from "#hosts/embedded/embedded-code-host.ts";
import { createSmartHttp } from "#hosts/embedded/smart-http.ts";
import type { HostedRepository } from "#hosts/code-host.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { CommitInfo, RepoStore } from "#git/repo-store.ts";
import { DEFAULT_GIT_ENVIRONMENT, type GitEnvironment } from "#git/process/runner.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { createTalk, type HostNoticesState, type HostTalk } from "./host-talk.ts";
import { importFiles } from "#testing/imported-files.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import type { DescriptionCheck } from "./host-description.ts";
import { byName, type RepositoryName } from "./renamed-repository.ts";

/** Keeps the runtime's own Response: other tests share this process. */
const OWN_OBJECTS = { overrideGlobalObjects: false };

/** The parts of an imitated host: real repositories, real git transport, and the embedded host's pull requests. */
export interface HostParts {
  origin: string;
  /** `acme/docs`, until it is renamed. */
  readonly path: string;
  repository: HostedRepository;
  embedded: EmbeddedCodeHost;
  repoStore: RepoStore;
  state: HostState;
}

/** State that tests set. */
export interface HostState {
  name: RepositoryName;
  /** Tokens with all permissions; others get 401. */
  tokens: Set<string>;
  isArchived: boolean;
  /** Read-only tokens. */
  readers: Set<string>;
  /** Path endings that a token may not write to, by token. */
  lacks: Map<string, string[]>;
  /** Every request of the REST API, as `GET /path`. */
  requests: string[];
  /** Their responses, as `304 GET /path`. */
  answers: string[];
  /** Whether it sends ETags, and 304 to clients that have the response, as GitHub and GitLab do (2026). */
  hasEtags: boolean;
  /** The merge message of each merge request, as sent. */
  merges: string[];
  /** The merge method of each of them. */
  mergeMethods: string[];
  merging: MergingState;
  /**
   * What git may request in addition to whole branches, as real hosts allow: partial clones, and single objects by id.
   */
  git: { filter: boolean; objects: boolean };
  /** Comments that people write on pull requests. */
  talk: HostTalk;
  notices: HostNoticesState;
  /** Replaces the host's response; null lets a request through. For git the path is that of the transport. */
  fault: Fault;
}

/** The allowed ways of merging. */
interface MergingState {
  /** Allowed by the settings of the repository. */
  methods: MergeMethod[];
  /** The default style, on Gitea. */
  default: MergeMethod;
  /** Allowed by the rules of the base branch; null: no rule restricts them. */
  byRules: MergeMethod[] | null;
  /** How the merge queue of the base branch is configured. */
  queue: "none" | "by rule" | "by classic protection";
  /** Numbers of the queued pull requests. */
  queued: number[];
}
export type MergeMethod = "squash" | "merge" | "rebase";

/** `answer` lets the host carry out the request. `cut`: the connection ends without a response. */
export type Fault = (request: Request, answer: () => Promise<Response>) => MaybePromise<Response | "cut" | null>;
type MaybePromise<T> = Promise<T> | T;

export interface HostServer extends AsyncDisposable {
  /** Web address of the repository. */
  url: string;
  origin: string;
  state: HostState;
  parts: HostParts;
}

const UNDESCRIBED: DescriptionCheck = { request: () => null, answer: () => null };

export const HOST_TOKEN = "host-token-of-tests-0123456789";

/**
 * Starts a host with one repository, `acme/docs`, of these files. `rest` handles the requests that are not git's. When
 * `check` rejects a request or response, disposing the server throws, so the test that sent it fails.
 */
export async function startHostServer(
  files: Record<string, string>,
  rest: (parts: HostParts) => (request: Request) => Promise<Response>,
  check: DescriptionCheck = UNDESCRIBED,
): Promise<HostServer> {
  await using made = new AsyncDisposableStack();
  const directory = made.use(await createTestDirectory());
  const { database } = made.use(await openTestDatabase("sqlite"));
  const repoStore = made.use(createRepoStore({ root: directory.path, logger: silentLogger }));
  const repository: HostedRepository = {
    projectId: await insertTestProject(database, "docs"),
    codeHost: "embedded",
    slug: "docs",
    url: null,
    branch: "main",
  };
  await importFiles(repoStore, repository.projectId, files);
  const state: HostState = {
    name: { path: "acme/docs", former: [], squatter: null, isDeleted: false },
    tokens: new Set([HOST_TOKEN]),
    readers: new Set(),
    lacks: new Map(),
    isArchived: false,
    requests: [],
    answers: [],
    hasEtags: false,
    merges: [],
    mergeMethods: [],
    merging: { methods: ["squash", "merge", "rebase"], default: "squash", byRules: null, queue: "none", queued: [] },
    git: { filter: true, objects: true },
    talk: createTalk(),
    notices: { webhooks: [], statuses: [] },
    fault: () => null,
  };
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const embedded = createEmbeddedCodeHost({
    database,
    repoStore,
    clock: systemClock,
    logger: silentLogger,
    baseUrl: () => origin,
  });
  const serveGit = (environment: GitEnvironment) =>
    createSmartHttp({
      repoStore,
      environment,
      logger: silentLogger,
      authorize: async (_slug, { key }, access) =>
        state.tokens.has(key) || (access === "read" && state.readers.has(key)) ? repository : null,
      onPush: (hosted, push) => embedded.recordPush(hosted, push),
      publishFrom: async () => undefined,
    });
  const smartHttp = serveGit(DEFAULT_GIT_ENVIRONMENT);
  const withoutFilters = serveGit({
    ...DEFAULT_GIT_ENVIRONMENT,
    GIT_CONFIG_PARAMETERS: "'uploadpack.allowfilter'='false'",
  });
  const parts: HostParts = {
    origin,
    get path() {
      return state.name.path;
    },
    repository,
    embedded,
    repoStore,
    state,
  };
  const answer = rest(parts);
  const violations: string[] = [];
  const findViolation = async (request: Request): Promise<string | null> => {
    const body = request.method === "GET" ? "" : await request.clone().text();
    return check.request({ method: request.method, url: new URL(request.url), body });
  };
  const respond = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const gitPath = /^\/acme\/docs\.git\/(.*)$/.exec(url.pathname)?.[1];
    if (gitPath === undefined) {
      state.requests.push(`${request.method} ${url.pathname}`);
      const { method } = request;
      const answered = await answer(request);
      const violation = check.answer({ method, url }, { status: answered.status, body: await answered.clone().text() });
      if (violation !== null) violations.push(violation);
      const told = state.hasEtags && method === "GET" ? await unlessKnown(request, answered) : answered;
      state.answers.push(`${told.status} ${method} ${url.pathname}`);
      return told;
    }
    const target = new URL(`/git/docs.git/${gitPath}${url.search}`, origin);
    const passed = new Request(target, request);
    // Fetching single objects needs version 2 of the protocol, which some proxies do not pass on.
    if (!state.git.objects) passed.headers.delete("git-protocol");
    return state.git.filter ? smartHttp(passed, "127.0.0.1") : withoutFilters(passed, "127.0.0.1");
  };
  const listener = getRequestListener(async (incoming, { outgoing }) => {
    const request = byName(incoming, state);
    if (request instanceof Response) return request;
    const violation = await findViolation(request);
    if (violation !== null) {
      violations.push(violation);
      return Response.json({ message: violation }, { status: 599 });
    }
    const fault = await state.fault(request, () => respond(request));
    if (fault === "cut") outgoing.destroy();
    return fault === "cut" ? new Response() : (fault ?? respond(request));
  }, OWN_OBJECTS);
  server.on("request", (request, response) => void listener(request, response));
  made.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    if (violations.length > 0) throw new Error(`Not in the host's own description:\n${violations.join("\n")}`);
  });
  const owned = made.move();
  return { url: `${origin}/acme/docs`, origin, state, parts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A response with its ETag, or 304 for a client that has it. */
async function unlessKnown(request: Request, answered: Response): Promise<Response> {
  if (answered.status !== 200) return answered;
  const body = await answered.text();
  const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
  const headers = new Headers(answered.headers);
  headers.set("etag", etag);
  const isKnown = request.headers.get("if-none-match") === etag;
  return new Response(isKnown ? null : body, { status: isKnown ? 304 : 200, headers });
}

/** The token of a request, in any form that a host accepts. */
export function tokenOf(request: Request): string {
  const authorization = request.headers.get("authorization") ?? "";
  return request.headers.get("private-token") ?? authorization.replace(/^(bearer|token) /i, "");
}

/** Commits of a branch that another one does not have; null when one of them does not exist. */
export async function commitsAhead(
  { embedded, repository, repoStore }: HostParts,
  base: string,
  head: string,
): Promise<CommitInfo[] | null> {
  const from = await embedded.fetchBranch(repository, base);
  const to = await embedded.fetchBranch(repository, head);
  if (from === null || to === null) return null;
  return repoStore.log(repository.projectId, { base: from, head: to, limit: 250 });
}
