import path from "node:path";
import { addressNotAllowed } from "#features/keys/allowed-addresses.ts";
import { createAuthorFinder, type GivenFeedback } from "#features/visitors/feedback/feedback-book.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { toResponse, type WholeRequest } from "#lib/network/plain-http.ts";
import { createSearch } from "#search/search.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import { createLargeFiles } from "#features/sites/media/large-files.ts";
import { createTitlePictures } from "#features/sites/media/title-pictures.ts";
import { createSiteFeedback } from "#features/sites/feedback/site-feedback.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import { createSiteIndexer } from "#features/sites/search/site-indexer.ts";
import { createSiteSearch } from "#features/sites/search/site-search.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";
import { createSiteGuard, GUESSES_PER_MINUTE } from "#app/sites.ts";
import { createAccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { createEntrance } from "#features/sites/entrance/entrance.ts";
import { createGate } from "#features/sites/entrance/gate.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { siteTheme } from "#features/sites/theme/site-theme.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import type { ServedView } from "#features/sites/view-collector.ts";
import { sharedContent } from "./shared-content.ts";
import { importFiles } from "./imported-files.ts";
import { commitFiles, createTestDirectory, createTestRepository, git, type TestFile } from "./repositories.ts";

/**
 * A site with the given files: a real repository, a real render process (its own, or a shared one), and a clock that
 * the test sets.
 */
export async function createTestSite(
  files: Record<string, TestFile>,
  shared: {
    /** Other fields of the project. */
    project?: Pick<SiteProject, "hostedAt" | "dashboard" | "notice">;
    contentProcess?: ContentProcess;
    /** Enables the search, for clients that this admits. */
    search?: { admits(): boolean };
    /** Enables images of the page titles. */
    hasPictures?: boolean;
    /** How long readers wait for a page to be rendered, and the site for API descriptions. */
    readerPatienceMs?: number;
    apiPatienceMs?: number;
    /** Whether an agent may make one more call. */
    admitsCall?: () => boolean;
    /** Enables feedback, which is passed to `keep`; clients that `admits` refuses count as a flood. */
    feedback?: { admits(): boolean; keep(given: GivenFeedback): boolean };
  } = {},
) {
  await using disposables = new AsyncDisposableStack();
  const work = disposables.use(await createTestRepository(files));
  const root = disposables.use(await createTestDirectory());
  const repoStore = disposables.use(createRepoStore({ root: root.path, logger: silentLogger }));
  const contentProcess = shared.contentProcess ?? sharedContent();
  const project: SiteProject = {
    id: newProjectId(),
    slug: "harbor",
    name: "Harbor",
    branch: "main",
    ...shared.project,
  };
  if (Object.keys(files).length === 0) await repoStore.create(project.id, { branch: "main" });
  else await importFiles(repoStore, project.id, files);

  const rendered: string[] = [];
  const searched: object[] = [];
  const search = shared.search && startSearch(shared.search.admits);
  function startSearch(admits: () => boolean) {
    const index = disposables.use(createSqliteSearch({ directory: path.join(root.path, "search") }));
    const counting = {
      apiDocuments: contentProcess.apiDocuments,
      render(input: Parameters<ContentProcess["render"]>[0]) {
        rendered.push(input.path);
        return contentProcess.render(input);
      },
    };
    const contents = createPageContents({
      contentProcess: counting,
      logger: silentLogger,
      maxCharacters: 0,
      isColoured: false,
    });
    const indexer = disposables.use(createSiteIndexer({ index, contents, logger: silentLogger }));
    return createSiteSearch({
      search: createSearch({ index }),
      indexer,
      pageHeaders: PAGE_HEADERS,
      admits,
      count: (_, counted) => void searched.push(counted),
    });
  }

  const { feedback } = shared;
  const asked =
    feedback &&
    createSiteFeedback({
      admits: () => (feedback.admits() ? "192.0.2.1" : null),
      findAuthor: createAuthorFinder({}),
      keep: async (given) => feedback.keep(given),
      pageHeaders: PAGE_HEADERS,
    });
  let nowMs = Date.UTC(2026, 10, 20, 12);
  const served: Omit<ServedView, "request" | "peerAddress">[] = [];
  const confirmed: { body: unknown; page: string | null }[] = [];
  const clock = { now: () => new Date(nowMs) };
  const theme = siteTheme();
  const projects = async (label: string) => (label === project.slug || label.includes(".") ? project : null);
  const tokens = createAccessTokens({ key: Buffer.alloc(32, 7), clock });
  const keys = { own: "docent_own", others: "docent_others", alive: true, isElsewhere: false };
  const spent = new Set<string>();
  const gate = createGate({
    tokens,
    files: theme,
    authenticate: async (key) => {
      if (key !== keys.own && key !== keys.others) return null;
      if (keys.isElsewhere) throw addressNotAllowed();
      return { projectId: key === keys.own ? project.id : newProjectId(), keyId: "key_1", scope: "admin" };
    },
    isMemberSignedIn: async () => keys.alive && !keys.isElsewhere,
    addressOf: (_request, peer) => peer,
    spendEntry: async (_projectId, { subject }) => !spent.has(subject) && spent.add(subject) === spent,
    admitsGuess: createSiteGuard({ clock, isTrustedProxy: () => false }, GUESSES_PER_MINUTE),
    doorway: ({ path }) => `http://localhost:4000/open-site?path=${encodeURIComponent(path)}`,
    scheme: () => "http:",
  });
  const sites = createSites({
    projects,
    files: theme,
    repoStore,
    contentProcess,
    largeFiles: disposables.use(createLargeFiles({ repoStore, directory: root.path })),
    logger: silentLogger,
    clock,
    // Responses must not depend on how busy the machine is.
    patienceMs: 60_000,
    readerPatienceMs: shared.readerPatienceMs ?? 60_000,
    apiPatienceMs: shared.apiPatienceMs ?? null,
    ...(search && { search }),
    admitsCall: shared.admitsCall ?? (() => true),
    ...(asked && { feedback: asked }),
    ...(shared.hasPictures && { pictures: createTitlePictures(contentProcess) }),
    collectView: {
      served({ request: _, peerAddress: __, ...view }) {
        served.push(view);
      },
      async confirm({ read, pageOf }) {
        const body = read();
        const { path } = body as { path: string | null };
        confirmed.push({ body, page: path === null ? null : pageOf(path) });
        return { status: 204, headers: {}, body: null };
      },
    },
  });
  const entrance = createEntrance({ sites, projects, gate });
  const owned = disposables.move();
  return {
    /** Its address and access can be changed. */
    project,
    /** Creates the tokens that open it when it is private. */
    tokens,
    /** API keys of the project and of another one; whether that of a signed-in member is still valid. */
    keys,
    repoStore,
    served,
    confirmed,
    /** Paths of the pages that were rendered for the search. */
    rendered,
    /** Searches that were counted. */
    searched,
    /** A request as the server passes it on. */
    handle: (request: WholeRequest) => sites.handle(request, project.slug, { peerAddress: "192.0.2.1" }),
    /** A request as a browser sends it; redirects are not followed. */
    async request(path: string, init: RequestInit & { slug?: string; host?: string } = {}): Promise<Response> {
      const headers = new Headers({ accept: "text/html,*/*;q=0.8", ...(init.headers as Record<string, string>) });
      const request = new Request(`http://${init.host ?? "harbor.localhost:4000"}${path}`, { ...init, headers });
      const textUpTo = async (maxBytes: number) => {
        const bytes = Buffer.from(await request.arrayBuffer());
        return bytes.length > maxBytes ? null : bytes.toString("utf8");
      };
      const { method, url } = request;
      const plain = { method, url, location: new URL(url), headers, textUpTo };
      return toResponse(await entrance.handle(plain, init.slug ?? project.slug, { peerAddress: "192.0.2.1" }));
    },
    passTime(milliseconds: number): void {
      nowMs += milliseconds;
    },
    /** Commits to a clone and pushes that into the store, like an author. */
    async push(changes: Record<string, TestFile | null>): Promise<void> {
      await commitFiles(work.path, changes, "Change");
      await git(work.path, "push", "--quiet", repoStore.directory(project.id), "HEAD:refs/heads/main");
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export type TestSite = Awaited<ReturnType<typeof createTestSite>>;
