import { createReadStream, watch } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError, errorText } from "#lib/app-error.ts";
import { systemClock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { plainRequest, sendPlain } from "./http/site-listener.ts";
import { createSearch } from "#search/search.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import type { LargeFiles } from "#features/sites/media/large-files.ts";
import { createKeptReports } from "#features/sites/report/kept-reports.ts";
import type { Report } from "#features/sites/report/report.ts";
import { createSiteIndexer } from "#features/sites/search/site-indexer.ts";
import { createSiteSearch, type SiteSearch } from "#features/sites/search/site-search.ts";
import { CHANGES_PATH } from "#features/sites/serving/author-view.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import { composeDirectorySite } from "./directory-site.ts";

const HOST = "127.0.0.1";
const MAX_LISTENERS = 100;
/** Editors save a file in several steps, and a checkout writes many files. */
const SETTLE_MS = 120;
const KEEP_ALIVE_MS = 15_000;
/** Accepts local names only. Others reach this server through DNS rebinding, on behalf of a malicious page. */
const OWN_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Serves the site of a directory on disk, on loopback only. Open pages reload when a file changes.
 *
 * @throws AppError `unavailable` if the port is in use.
 */
export async function serveDirectory(
  { logger }: { logger: Logger },
  options: {
    directory: string;
    contentRoot: string | null;
    port: number;
    /** Receives each report, and errors that prevent reading the docs. */
    onReport(report: Report): void;
    onTrouble(message: string): void;
  },
) {
  await using stack = new AsyncDisposableStack();
  const { directory } = options;
  const site = stack.use(composeDirectorySite({ logger }, { ...options, isServed: true }));
  const reports = stack.use(createKeptReports({ makeReport: site.makeReport, logger }));
  const search = await composeSearch({ logger, contents: site.contents }, stack);
  const project: SiteProject = { id: site.project, slug: "dev", name: "Documentation", branch: "" };
  const named = { name: project.slug, project: project.id };
  const listeners = new Set<ServerResponse>();
  const tell = (event: "change" | "report", to: Iterable<ServerResponse> = listeners) => {
    for (const each of to) each.write(`event: ${event}\ndata: {}\n\n`);
  };
  let version: SiteVersion = await site.load();
  let loading: Promise<void> | null = null;
  let isStale = false;

  const report = (of: SiteVersion) => {
    reports.look(named, of);
    void reports.settled(of).then(() => {
      const state = reports.look(named, of);
      if (version !== of || state.kind !== "ready") return;
      options.onReport(state.report);
      tell("report");
    });
  };
  const reload = async () => {
    while (isStale) {
      isStale = false;
      const next = await site.load().catch((error: unknown) => options.onTrouble(errorText(error)));
      if (!next || sameFiles(version, next)) continue;
      version = next;
      tell("change");
      report(next);
    }
    loading = null;
  };
  const changed = () => {
    isStale = true;
    loading ??= reload();
  };

  const sites = createSites({
    projects: () => Promise.resolve(project),
    versions: { current: () => Promise.resolve(version) },
    repoStore: null,
    largeFiles: filesOnDisk(directory, () => version),
    contentProcess: site.content,
    collectView: uncounted, // authors who preview their docs are not visitors
    logger,
    clock: systemClock,
    admitsCall: () => true,
    search,
    author: { reports, reloads: true },
  });
  const server = createServer((incoming, outgoing) => {
    if (!OWN_HOST.test(incoming.headers.host ?? "")) {
      outgoing.writeHead(403, { "Content-Type": "text/plain" }).end("This server answers to localhost.\n");
      return;
    }
    if (incoming.url === CHANGES_PATH) {
      if (listeners.size >= MAX_LISTENERS) return void outgoing.writeHead(503).end();
      outgoing.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" }).write(": \n\n");
      listeners.add(outgoing);
      // Sends a report that was ready before this connection.
      if (reports.look(named, version).kind === "ready") tell("report", [outgoing]);
      outgoing.on("close", () => listeners.delete(outgoing));
      return;
    }
    void (async () => {
      try {
        const answer = await sites.handle(plainRequest(incoming), project.slug, { peerAddress: HOST });
        sendPlain(outgoing, { ...answer, headers: { ...answer.headers, "Cache-Control": "no-store" } });
      } catch (error) {
        const status = error instanceof AppError && error.code === "invalid" ? 400 : 500;
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(status, { "Content-Type": "text/plain" }).end(`${errorText(error)}\n`);
      }
    })();
  });
  await listenOn(server, options.port);
  stack.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  stack.use(watchDirectory(directory, changed, options.onTrouble));
  const beat = setInterval(() => {
    for (const each of listeners) each.write(": \n\n");
  }, KEEP_ALIVE_MS);
  stack.defer(() => clearInterval(beat));
  report(version);
  const opened = stack.move();
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Search of the site, indexed on the first query, in a temporary folder. */
async function composeSearch(
  { logger, contents }: Pick<Parameters<typeof createSiteIndexer>[0], "logger" | "contents">,
  stack: AsyncDisposableStack,
): Promise<SiteSearch> {
  const directory = await mkdtemp(path.join(tmpdir(), "docent-dev-"));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const index = stack.use(createSqliteSearch({ directory }));
  const indexer = stack.use(createSiteIndexer({ index, contents, logger }));
  const search = createSiteSearch({
    search: createSearch({ index }),
    indexer,
    pageHeaders: PAGE_HEADERS,
    admits: () => true,
    count: () => undefined,
  });
  return { ...search, follow: () => undefined };
}

/** Streams large files from disk. */
function filesOnDisk(directory: string, current: () => SiteVersion): LargeFiles {
  const pathOf = (wanted: string) => {
    for (const [file, version] of current().files) if (version === wanted) return path.join(directory, file);
    throw new AppError("not_found", "The file has changed.");
  };
  return {
    bring: async ({ version }) => (await stat(pathOf(version))).size,
    read: ({ version }, { first, last }) => createReadStream(pathOf(version), { start: first, end: last }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function sameFiles(a: SiteVersion, b: SiteVersion): boolean {
  return a.files.size === b.files.size && [...b.files].every(([path, each]) => a.files.get(path) === each);
}

async function listenOn(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === "EADDRINUSE" ? "another program listens there; choose another --port" : cause.message;
      reject(new AppError("unavailable", `Cannot listen on ${HOST}:${port}: ${reason}.`, { cause }));
    });
    server.listen(port, HOST);
  });
}

/** Debounces file changes; ignores `.git` and `node_modules`. */
function watchDirectory(directory: string, changed: () => void, onTrouble: (message: string) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(directory, { recursive: true }, (_, name) => {
    if (name !== null && /(?:^|[\\/])(?:\.git|node_modules)(?:[\\/]|$)/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  });
  watcher.on("error", (error) => onTrouble(`Changes are not noticed any more: ${errorText(error)}.`));
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
