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
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import type { DescriptionCheck } from "./host-description.ts";
import { byName, type RepositoryName } from "./renamed-repository.ts";

/** The runtime's own Response stays what it is: other tests share this process. */
const OWN_OBJECTS = { overrideGlobalObjects: false };

/** What a host in the shape of another one is made of: real repositories, real git transport, pull requests of our own. */
export interface HostParts {
  origin: string;
  /** `acme/docs`, until it is renamed. */
  readonly path: string;
  repository: HostedRepository;
  embedded: EmbeddedCodeHost;
  repoStore: RepoStore;
  state: HostState;
}

/** What tests set. */
export interface HostState {
  name: RepositoryName;
  /** Tokens that may do everything; others get 401. */
  tokens: Set<string>;
  isArchived: boolean;
  /** Tokens that may read and not write. */
  readers: Set<string>;
  /** Of tokens that may write, the ends of paths where they may not. */
  lacks: Map<string, string[]>;
  /** Every request of the REST interface, as `GET /path`. */
  requests: string[];
  /** Their answers, as `304 GET /path`. */
  answers: string[];
  /** Whether it sends ETags, and 304 to whoever has an answer already, as GitHub and GitLab do (2026). */
  hasEtags: boolean;
  /** Messages that pull requests were merged with, as the request gave them. */
  merges: string[];
  /** The method of each of them. */
  mergeMethods: string[];
  merging: MergingState;
  /** What git may ask for beside whole branches, as real hosts let it: less than all of a branch, and single objects by id. */
  git: { filter: boolean; objects: boolean };
  /** What people write at pull requests. */
  talk: HostTalk;
  notices: HostNoticesState;
  /** Answers in place of the host; null lets a request through. For git the path is that of the transport. */
  fault: Fault;
}

/** How pull requests may be merged. */
interface MergingState {
  /** By the settings of the repository. */
  methods: MergeMethod[];
  /** Where the host names one: the style of Gitea. */
  default: MergeMethod;
  /** By the rules of the base branch; null: they say nothing. */
  byRules: MergeMethod[] | null;
  /** Where the base branch is said to have a merge queue. */
  queue: "none" | "by rule" | "by classic protection";
  /** Numbers in the queue. */
  queued: number[];
}
export type MergeMethod = "squash" | "merge" | "rebase";

/** `answer` has the host do what was asked. `cut`: the connection ends without an answer. */
export type Fault = (request: Request, answer: () => Promise<Response>) => MaybePromise<Response | "cut" | null>;
type MaybePromise<T> = Promise<T> | T;

export interface HostServer extends AsyncDisposable {
  /** Address of the repository for people. */
  url: string;
  origin: string;
  state: HostState;
  parts: HostParts;
}

const UNDESCRIBED: DescriptionCheck = { request: () => null, answer: () => null };

export const HOST_TOKEN = "host-token-of-tests-0123456789";

/**
 * Starts a host with one repository, `acme/docs`, of these files. `rest` answers what is not git's. A request or an answer
 * that `check` refuses makes the end of the server an error, and so fails the test that it was sent in.
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
  await using source = await createTestRepository(files);
  await repoStore.import(repository.projectId, { source: source.path, branch: null });
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
    const asked = new URL(`/git/docs.git/${gitPath}${url.search}`, origin);
    const passed = new Request(asked, request);
    // Single objects came with version 2 of the protocol, which a proxy in between may not let through.
    if (!state.git.objects) passed.headers.delete("git-protocol");
    return state.git.filter ? smartHttp(passed, "127.0.0.1") : withoutFilters(passed, "127.0.0.1");
  };
  const listener = getRequestListener(async (asked, { outgoing }) => {
    const request = byName(asked, state);
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

/** An answer with its ETag, or 304 for whoever has it already. */
async function unlessKnown(request: Request, answered: Response): Promise<Response> {
  if (answered.status !== 200) return answered;
  const body = await answered.text();
  const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
  const headers = new Headers(answered.headers);
  headers.set("etag", etag);
  const isKnown = request.headers.get("if-none-match") === etag;
  return new Response(isKnown ? null : body, { status: isKnown ? 304 : 200, headers });
}

/** The token of a request, however its host is told it. */
export function tokenOf(request: Request): string {
  const authorization = request.headers.get("authorization") ?? "";
  return request.headers.get("private-token") ?? authorization.replace(/^(bearer|token) /i, "");
}

/** Commits of a branch that another one does not have; null when one of them is not there. */
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
