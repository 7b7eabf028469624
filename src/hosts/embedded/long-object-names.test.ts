import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { expect, it } from "vitest";
import type { HostedRepository } from "#hosts/code-host.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { createSmartHttp } from "./smart-http.ts";

// docs/operate/troubleshooting.md explains these words of git.
it("git refuses to push a SHA-256 repository to an empty one", async () => {
  await using root = await createTestDirectory();
  await using work = await createTestDirectory();
  await using repoStore = createRepoStore({ root: root.path, logger: silentLogger });
  const repository: HostedRepository = {
    projectId: newProjectId(),
    codeHost: "embedded",
    slug: "acme",
    url: null,
    branch: "main",
  };
  await repoStore.create(repository.projectId, { branch: "main" });
  const serve = createSmartHttp({
    repoStore,
    logger: silentLogger,
    authorize: async () => repository,
    admitGrowth: async () => null,
    onPush: async () => undefined,
    publishFrom: async () => undefined,
  });
  const listener = getRequestListener((request) => serve(request, "127.0.0.1"), { overrideGlobalObjects: false });
  await using server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await once(server.listen(0, "127.0.0.1"), "listening");

  await git(work.path, "init", "-q", "--object-format=sha256", "-b", "main", "long-names");
  const source = path.join(work.path, "long-names");
  await commitFiles(source, { "index.md": "first\n" }, "First");
  const remote = `http://docent:key@127.0.0.1:${(server.address() as AddressInfo).port}/git/acme.git`;
  const child = spawn("git", ["push", remote, "main"], { cwd: source, stdio: ["ignore", "ignore", "pipe"] });
  expect(await text(child.stderr)).toMatch(
    /unexpected capabilities\^\{\}|the receiving end does not support this repository's hash algorithm/,
  );
  server.closeAllConnections();
  expect(await repoStore.resolve(repository.projectId, "main")).toBeNull();
});
