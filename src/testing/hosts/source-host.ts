import { createSecretKey, randomBytes } from "node:crypto";
import path from "node:path";
import { githubApi } from "#hosts/github/github-api.ts";
import type { SourceDeps } from "#hosts/sources/sync-source.ts";
import type { Engine } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { createKeyVault } from "#lib/secrets/key-vault.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { commitFiles, createTestDirectory, createTestRepository, git, type TestFile } from "#testing/repositories.ts";
import { startGithubServer } from "./github-server.ts";
import { HOST_TOKEN, type HostServer } from "./host-server.ts";

/** A repository on another host that people push to, to be read as a source. */
export interface SourceHost extends AsyncDisposable {
  server: HostServer;
  /** A read-only token. */
  token: string;
  /** A clone of it with a work tree. */
  work: string;
  /** Commits there, pushes with all tags, and returns the commit. */
  push(files: Record<string, TestFile | null>, message: string): Promise<string>;
}

export async function startSourceHost(files: Record<string, string>): Promise<SourceHost> {
  await using made = new AsyncDisposableStack();
  const server = made.use(await startGithubServer(files));
  const { path: work } = made.use(await createTestRepository(files));
  const token = "reader-of-sources-0123456789";
  server.state.readers.add(token);
  const address = `${server.url.replace("://", `://any:${HOST_TOKEN}@`)}.git`;
  // The same commit as the host's, which is quicker than a clone.
  await git(work, "remote", "add", "origin", address);
  const owned = made.move();
  return {
    server,
    token,
    work,
    async push(changed, message) {
      const commit = await commitFiles(work, changed, message);
      await git(work, "push", "--quiet", "--force", "--follow-tags", "--tags", "origin", "main");
      return commit;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A project with a data directory of its own, and everything needed to add sources to it. */
export async function openSourceStore(options: { engine?: Engine; allow?: readonly string[] } = {}) {
  await using made = new AsyncDisposableStack();
  const { database } = made.use(await openTestDatabase(options.engine ?? "sqlite"));
  const directory = made.use(await createTestDirectory());
  const root = path.join(directory.path, "repositories");
  const repoStore = made.use(createRepoStore({ root, logger: silentLogger }));
  const deps: SourceDeps = {
    database,
    repoStore,
    vault: createKeyVault(createSecretKey(randomBytes(32))),
    outboundHttp: createOutboundHttp({ allow: options.allow ?? ["127.0.0.1/32"] }),
    apis: { github: githubApi },
    clock: systemClock,
  };
  const projectId = await insertTestProject(database, "acme");
  const owned = made.move();
  return { deps, projectId, dataDirectory: directory.path, root, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
