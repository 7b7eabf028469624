import { composeApiAddresses } from "./app/api-addresses.ts";
import { composeAnalytics } from "./app/analytics.ts";
import { type CodeHosts, composeCodeHosts } from "./app/code-hosts.ts";
import { type Context, createContext } from "./app/context.ts";
import { composeDeployments } from "./app/deployments.ts";
import { composeTurns } from "./app/job-workers.ts";
import { composeJobs } from "./app/jobs.ts";
import { composeReports } from "./app/reports.ts";
import { composeSearch } from "./app/search.ts";
import { composePreviewLinks } from "./app/sites.ts";
import { startBackgroundWork, startUpkeep } from "./app/roles/background-work.ts";
import { composeWeb } from "./app/roles/web.ts";
import { composeWorkerApp } from "./app/roles/worker-app.ts";
import { composeStore, type Store } from "./app/store.ts";
import type { Config } from "./app/instance/config.ts";
import { type ContentProcess, createContentProcess } from "./docs/render/process/content-process.ts";
import { bind, type BoundServer } from "./app/http/server.ts";
import { removeInstanceFile, writeInstanceFile } from "./app/instance/instance-file.ts";
import { AppError } from "./lib/app-error.ts";
import type { Clock } from "./lib/clock.ts";
import type { Logger } from "./lib/logger.ts";
import type { LogFolder } from "./lib/logs/log-files.ts";
import { createOutboundHttp } from "./lib/network/outbound-http.ts";
import { endLeases } from "./features/jobs/transitions/by-workers.ts";
import { hasOwner } from "./features/accounts/people.ts";
import { issueOperatorPass } from "./features/keys/operator-pass.ts";
import { claimServerLock } from "./app/instance/server-lock.ts";

export interface RunningServer extends AsyncDisposable {
  baseUrl: string;
  /** Where the first account is created, good for an hour; null when the instance has an owner. */
  setupUrl: string | null;
  port: number;
}

export interface ServerOptions {
  logger: Logger;
  clock?: Clock;
  /** Where `logger` keeps its lines besides, for the threads of this process, whose lines are written by themselves. */
  keptLog?: LogFolder;
  /** See `StoreOptions`. */
  adopt?: boolean;
}

/**
 * Takes its port, builds everything, the store first, and serves. Disposing goes the other way: no new requests, running jobs given
 * back, views flushed, store closed.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  if (config.traces instanceof AppError) throw config.traces;
  await using stack = new AsyncDisposableStack();
  stack.use(claimServerLock(config));
  const context = createContext(config, options);
  // Before the store: one that is brought up to date goes back to no older version, and a port that is taken changes nothing.
  const port = await bindPort(context);
  stack.defer(() => port.close());
  const store = stack.use(await composeStore(context, { adopt: options.adopt ?? false }));
  // With SQLite the lock is proof that no worker lives: its jobs need not wait until their leases run out.
  if (config.database.engine === "sqlite") await endLeases({ database: store.database, clock: context.clock });
  const server = stack.use(await serveStore(context, { store, hosts: composeCodeHosts(context, store), port }));
  const opened = stack.move();
  return { ...server, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function bindPort({ config, logger, address, isTrustedProxy }: Context): Promise<BoundServer> {
  const connections = {
    perAddress: config.connectionsPerAddress,
    isTrustedProxy,
  };
  const port = await bind({ logger }, { host: config.host, port: config.port }, { connections });
  address.listensAt(port.port);
  return port;
}

/** The server on a store that is already open. Disposing closes neither the store nor `content`, where that is given. */
export async function serveStore(
  context: Context,
  {
    store,
    hosts,
    content: given,
    isOneThread,
    port,
  }: { store: Store; hosts: CodeHosts; content?: ContentProcess; isOneThread?: boolean; port?: BoundServer },
): Promise<RunningServer> {
  const { config, logger, address, own } = context;
  const http = port ?? (await bindPort(context));
  const { dataDirectory, role } = config;
  await using stack = new AsyncDisposableStack();
  if (port === undefined) stack.defer(() => http.close());
  const closing = new AbortController();
  const outboundHttp = createOutboundHttp(config.webhooks);
  // Before what they follow.
  if (config.traces && "url" in config.traces)
    own(stack, "traces", (await import("./app/traces.ts")).composeTraces(context, config.traces));
  const metrics =
    config.metricsToken &&
    stack.use((await import("./app/metrics.ts")).composeMetrics(context, { store, views: () => analytics.stats() }));
  const content = given ?? own(stack, "content process", createContentProcess({ logger }));
  const analytics = stack.use(await composeAnalytics(context, { ...store, outboundHttp, isOneThread }));
  const previewLinks = composePreviewLinks(context, store);
  const addresses = composeApiAddresses(context, { ...store, content, outboundHttp });
  const jobs = composeJobs(context, { store, hosts, outboundHttp });
  const turns = composeTurns(context, { jobs, store, hosts, content, previewLinks, addresses, outboundHttp });
  const search = own(stack, "search", composeSearch(context, { ...store, content, isOneThread }));
  const reports = own(stack, "reports", composeReports(context, { content }));
  const { codeHost } = hosts;
  const sources = { store, content, search, reports, codeHost, previewLinks, addresses };
  const deployments = composeDeployments(context, sources);
  const checks = { content, metrics: metrics && { token: config.metricsToken!, ...metrics }, closing: closing.signal };
  const parts = { ...sources, hosts, analytics, jobs, turns, deployments, outboundHttp };
  const app =
    role === "worker"
      ? composeWorkerApp(context, { store, ...checks })
      : composeWeb(stack, context, { ...parts, ...checks });
  startUpkeep(stack, context, { store, hosts });
  hosts.keep(stack);
  if (role !== "web") await startBackgroundWork(stack, context, parts);
  own(stack, "site updates", deployments.updates);
  own(stack, "connections", { [Symbol.asyncDispose]: () => http.close() });
  http.serve(app);
  writeInstanceFile(dataDirectory, address.baseUrl());
  stack.defer(() => removeInstanceFile(dataDirectory));
  stack.defer(() => closing.abort());
  const opened = stack.move();
  const setupUrl =
    role === "worker" || (await hasOwner(store.database.kysely))
      ? null
      : `${address.baseUrl()}/admin?pass=${encodeURIComponent(issueOperatorPass({ vault: store.vault, clock: context.clock }, { isForFirst: true }))}`;
  return { baseUrl: address.baseUrl(), setupUrl, port: http.port, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
