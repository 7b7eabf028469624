import { randomBytes, createSecretKey } from "node:crypto";
import { setTimeout as realSleep } from "node:timers/promises";
import type { CodeHost, HostedRepository, RemoteKind } from "#hosts/code-host.ts";
import { createGithubApps } from "#hosts/github/github-apps.ts";
import { connectionRow } from "#hosts/remote/connections.ts";
import type { HostApi } from "#hosts/remote/host-api.ts";
import type { HostApps, Installation } from "#hosts/remote/host-apps.ts";
import { createHostCalls, type Sleep } from "#hosts/remote/host-call.ts";
import { createRemoteCodeHost } from "#hosts/remote/remote-code-host.ts";
import type { Database, Engine } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { createKeyVault, type KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { copyFolder, createTestDirectory, makeFolderTemplate } from "#testing/repositories.ts";
import { HOST_TOKEN, type HostServer } from "./host-server.ts";

export interface ConnectedHost extends AsyncDisposable {
  host: CodeHost;
  secondHost(): CodeHost;
  repoStore: RepoStore;
  repository: HostedRepository;
  database: Database;
  vault: KeyVault;
  hostApps: HostApps;
  server: HostServer;
  /** The commit of `main` at the host. */
  main: ObjectId;
  /** Connects a further project on the same database to the same repository with the same token; it has no mirror. */
  connectAnother(slug: string): Promise<ProjectId>;
}

/** A project of Docent that is connected to an imitated host; both are disposed together. */
export async function openConnectedHost(options: {
  engine?: Engine;
  kind: RemoteKind;
  api: HostApi;
  server: Promise<HostServer>;
  /** Whether the mirror has `main` already, as after a first fetch. */
  isFetched?: boolean;
  /** Connects through an app instead of a token; gets the clients of the hosts. */
  installOn?(hostApps: HostApps, server: HostServer): Promise<Installation>;
  /** Real time by default. */
  sleep?: Sleep;
}): Promise<ConnectedHost> {
  await using made = new AsyncDisposableStack();
  const server = made.use(await options.server);
  const { database } = made.use(await openTestDatabase(options.engine ?? "sqlite"));
  const directory = made.use(await createTestDirectory());
  const origin = async () => ({
    url: `${server.url}.git`,
    authorization: options.api.gitAuthorization(new Secret(HOST_TOKEN)),
    addresses: [],
  });
  const repoStore = made.use(createRepoStore({ root: directory.path, logger: silentLogger, origin }));
  const vault = createKeyVault(createSecretKey(randomBytes(32)));
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const sleep = options.sleep ?? realSleep;
  const create = () => {
    const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep });
    const hostApps = createGithubApps({ database, vault, calls, outboundHttp, clock: systemClock });
    const apis = { [options.kind]: options.api };
    return { database, vault, repoStore, outboundHttp, calls, sleep, hostApps, apis, logger: silentLogger };
  };
  const deps = create();
  const installation = await options.installOn?.(deps.hostApps, server);
  const connect = async (slug: string): Promise<ProjectId> => {
    const projectId = await insertTestProject(database, slug);
    await database.kysely.updateTable("project").set({ code_host: options.kind }).where("id", "=", projectId).execute();
    const connection = {
      projectId,
      url: server.url,
      apiUrl: options.api.apiUrl(server.origin),
      remoteId: "4711",
      credential: installation ? { installation } : { token: new Secret(HOST_TOKEN) },
    };
    const row = connectionRow({ vault, clock: systemClock }, connection, new Secret("webhook-secret"));
    await database.kysely.insertInto("connection").values(row).execute();
    return projectId;
  };
  const projectId = await connect("acme");
  const { parts } = server;
  const main = (await parts.repoStore.resolve(parts.repository.projectId, "refs/heads/main"))!;
  const repository = { projectId, codeHost: options.kind, slug: "acme", url: server.url, branch: "main" };
  const host = createRemoteCodeHost(deps);
  const fetch = async () => {
    await repoStore.create(projectId, { branch: "main", blobs: "at-host" });
    if (options.isFetched) await host.fetchBranch(repository, "main");
    return repoStore.directory(projectId);
  };
  if (options.isFetched) await copyMirror(main, repoStore.directory(projectId), fetch);
  else await fetch();
  const owned = made.move();
  return {
    host,
    secondHost: () => createRemoteCodeHost(create()),
    hostApps: deps.hostApps,
    repoStore,
    repository,
    main,
    database,
    vault,
    server,
    connectAnother: connect,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Mirrors with a fetched `main`, by its commit: others are copied from them, which takes a tenth of a first fetch. */
const mirrors = new Map<ObjectId, Promise<string>>();

async function copyMirror(main: ObjectId, to: string, fetch: () => Promise<string>): Promise<void> {
  const known = mirrors.get(main);
  if (known) return copyFolder(await known, to);
  const made = fetch().then(makeFolderTemplate);
  mirrors.set(main, made);
  await made;
}
