import type { CodeHost } from "#hosts/code-host.ts";
import { composeCodeHosts } from "#app/code-hosts.ts";
import { createContext } from "#app/context.ts";
import { composeStore } from "#app/store.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import type { Database } from "#db/database.ts";
import type { Config } from "#app/instance/config.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { type RunningServer, type ServerOptions, serveStore } from "#main.ts";

export interface ComposedOptions extends ServerOptions {
  /** Render processes that it shares with others. */
  content?: ContentProcess;
  /** Whether views are folded and sites searched in this thread, not in others that load the modules anew. */
  isOneThread?: boolean;
  /** Put between the server and its store, its repositories or its code hosts: faults, points at which it stops. */
  wrapDatabase?(database: Database): Database;
  wrapRepoStore?(repoStore: RepoStore): RepoStore;
  wrapCodeHost?(codeHost: CodeHost): CodeHost;
}

/**
 * A server of the parts that `startServer` is built of. It takes no lock on its directory: several on one with SQLite are
 * what queues and leases must stand too.
 */
export async function startComposed(config: Config, options: ComposedOptions): Promise<RunningServer> {
  await using stack = new AsyncDisposableStack();
  const context = createContext(config, options);
  const opened = stack.use(await composeStore(context, { adopt: options.adopt ?? false }));
  const store = {
    ...opened,
    database: options.wrapDatabase?.(opened.database) ?? opened.database,
    repoStore: options.wrapRepoStore?.(opened.repoStore) ?? opened.repoStore,
  };
  const hosts = composeCodeHosts(context, store);
  const codeHost = options.wrapCodeHost?.(hosts.codeHost) ?? hosts.codeHost;
  const { content, isOneThread = false } = options;
  const parts = { store, hosts: { ...hosts, codeHost }, isOneThread, ...(content && { content }) };
  const server = stack.use(await serveStore(context, parts));
  const owned = stack.move();
  return { ...server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
