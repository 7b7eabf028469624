import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { createGithubApps } from "#hosts/github/github-apps.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { systemClock } from "#lib/clock.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { insertTestProject } from "#testing/projects.ts";
import { connectionRow } from "./connections.ts";
import { createFollowing } from "./following.ts";
import { createHostCalls } from "./host-call.ts";

/** One project on a host that responds, some on one that never does, and a server that follows them all. */
async function openFollowing(options: { silent: number }) {
  const server = startGithubServer({ "index.md": "one\n" });
  const connected = await openConnectedHost({ kind: "github", api: githubApi, server });
  onTestFinished(() => connected[Symbol.asyncDispose]());
  const { database, vault, repoStore, repository } = connected;
  const hanging = new Set<ServerResponse>();
  const silent = createServer((_request, response) => {
    hanging.add(response);
    response.once("close", () => hanging.delete(response));
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const lines: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    const { msg, project, reason } = JSON.parse(chunk.toString()) as Record<string, string>;
    lines.push(`${msg}: ${project} ${reason}`);
    done();
  };
  const logger = pino(new Writable({ write }));
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep });
  const deps = { database, vault, repoStore, outboundHttp, calls, sleep, clock: systemClock, logger };
  const hostApps = createGithubApps(deps);
  const following = createFollowing({ ...deps, hostApps, apis: { github: githubApi } });
  for (let index = 0; index < options.silent; index++) {
    const projectId = await insertTestProject(database, `silent-${index}`);
    await database.kysely.updateTable("project").set({ code_host: "github" }).where("id", "=", projectId).execute();
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/acme/docs`;
    const connection = { projectId, url, apiUrl: url, remoteId: "1", credential: { token: new Secret(HOST_TOKEN) } };
    const row = connectionRow({ vault, clock: systemClock }, connection, new Secret("webhook-secret"));
    await database.kysely.insertInto("connection").values(row).execute();
    await repoStore.create(projectId, { branch: "main" });
    following.hint(projectId);
  }
  return { following, hanging, silent, database, repoStore, repository, lines };
}

it("hosts that hang do not keep other projects from being followed", async () => {
  const COUNT = 8;
  const { following, hanging, silent, repoStore, repository } = await openFollowing({ silent: COUNT });
  following.hint(repository.projectId);
  const started = following.start();
  const shown = () => repoStore.resolve(repository.projectId, "refs/heads/main");
  await expect.poll(shown, { timeout: 60_000 }).not.toBeNull();
  await expect.poll(() => hanging.size, { timeout: 60_000 }).toBe(COUNT);
  silent.closeAllConnections();
  await started[Symbol.asyncDispose]();
});

it("a server that stops waits for no host, leaves no git process behind, and records no trouble", async () => {
  const { following, hanging, database } = await openFollowing({ silent: 1 });
  const started = following.start();
  await expect.poll(() => hanging.size, { timeout: 60_000 }).toBe(1);
  await started[Symbol.asyncDispose]();
  await expect.poll(() => hanging.size).toBe(0);
  expect(
    await database.kysely.selectFrom("connection").select("trouble").where("trouble", "is not", null).execute(),
  ).toEqual([]);
});

it("logs once why a project is not followed, and nothing about a project that was deleted meanwhile", async () => {
  const { following, hanging, silent, database, repository, lines } = await openFollowing({ silent: 2 });
  const started = following.start();
  await expect.poll(() => hanging.size, { timeout: 60_000 }).toBe(2);
  const projects = await database.kysely.selectFrom("project").select(["id", "slug"]).orderBy("slug").execute();
  const [deleted, kept] = projects.filter(({ slug }) => slug.startsWith("silent-"));
  await database.kysely.deleteFrom("project").where("id", "=", deleted!.id).execute();
  const looks = async () =>
    (await database.kysely.selectFrom("connection").select("trouble").where("trouble", "is not", null).execute())
      .length;
  silent.closeAllConnections();
  await expect.poll(looks).toBe(1);
  following.hint(kept!.id);
  await expect.poll(() => hanging.size, { timeout: 60_000 }).toBe(1);
  silent.closeAllConnections();
  await expect.poll(() => hanging.size).toBe(0);
  await started[Symbol.asyncDispose]();
  expect(lines).toEqual([`project not followed: ${kept!.id} GitHub does not answer git.`]);
  expect(lines.join("")).not.toContain(repository.projectId);
});
