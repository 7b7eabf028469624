import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createHostCalls } from "#hosts/remote/host-call.ts";
import { reachHost } from "#hosts/remote/reach-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type ConnectedHost, openConnectedHost } from "#testing/hosts/connected-host.ts";
import { type GithubServer, startGithubServer } from "#testing/hosts/github-server.ts";
import { installGithubApp, makeGithubApp } from "#testing/hosts/installed-app.ts";
import { findConnection } from "#hosts/remote/connections.ts";
import { appJwt } from "./app-jwt.ts";
import { githubAppManifest, hostOrigin } from "./app-manifest.ts";
import { githubApi } from "./github-api.ts";

const FILES = { "index.md": "one\n" };
const open = async (): Promise<ConnectedHost & { server: GithubServer }> => {
  const server = await startGithubServer(FILES);
  const connected = await openConnectedHost({
    kind: "github",
    api: githubApi,
    server: Promise.resolve(server),
    installOn: installGithubApp,
  });
  return { ...connected, server };
};
const mints = ({ state }: GithubServer) => state.requests.filter((one) => one.endsWith("/access_tokens")).length;

it("signs JWTs for an app with RS256, from a minute ago and for less than ten", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = new Secret(privateKey.export({ type: "pkcs1", format: "pem" }).toString());
  const jwt = appJwt({ number: "7", privateKey: pem }, new Date("2026-11-20T12:00:00.900Z"));
  const [head = "", claims = "", signature = ""] = jwt.reveal().split(".");
  expect(JSON.parse(Buffer.from(head, "base64url").toString())).toEqual({ alg: "RS256", typ: "JWT" });
  const noon = Date.parse("2026-11-20T12:00:00Z") / 1_000;
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
    iat: noon - 60,
    exp: noon + 540,
    iss: "7",
  });
  const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
  expect(verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))).toBe(true);
});

describe("the manifest of an app", () => {
  const options = {
    id: "app_1",
    state: "a b",
    origin: "https://github.com",
    organization: "",
    baseUrl: "https://docs.acme.test",
  };
  it("requests the needed permissions, and names the addresses of this server", () => {
    const { action, manifest } = githubAppManifest(options);
    expect(action).toBe("https://github.com/settings/apps/new?state=a%20b");
    expect(JSON.parse(manifest)).toMatchObject({
      name: "Docent docs.acme.test",
      public: false,
      redirect_url: "https://docs.acme.test/admin/github-app/made",
      setup_url: "https://docs.acme.test/admin/github-app/installed",
      hook_attributes: { url: "https://docs.acme.test/git/app/app_1/webhook" },
      default_permissions: {
        contents: "write",
        pull_requests: "write",
        statuses: "write",
        issues: "read",
        metadata: "read",
      },
      default_events: ["push", "pull_request", "issue_comment", "pull_request_review", "pull_request_review_comment"],
    });
  });
  it("can be for an organization, or an Enterprise Server, by their addresses", () => {
    const other = githubAppManifest({ ...options, origin: "https://ghe.acme.test/x", organization: "acme" });
    expect(other.action).toBe("https://ghe.acme.test/organizations/acme/settings/apps/new?state=a%20b");
  });
  it("has no webhook where GitHub could not reach it", () => {
    const { manifest } = githubAppManifest({ ...options, baseUrl: "http://localhost:4000" });
    expect(manifest).not.toMatch(/hook|events/);
  });
  it.each(["", "github.com", "ftp://github.com", "https://user:secret@github.com"])("refuses the host %j", (origin) => {
    expect(() => hostOrigin(origin)).toThrow("Enter the address of GitHub");
  });
  it.each(["a/b", "../x", "https://github.com/acme", "-a"])("refuses the organization %j", (organization) => {
    expect(() => githubAppManifest({ ...options, organization })).toThrow("An organization is one word");
  });
});

describe("a GitHub App of this server", () => {
  it("is stored with its keys encrypted, and only once", async () => {
    await using connected = await open();
    const { hostApps, database, server } = connected;
    const [app] = await hostApps.list();
    expect(app).toMatchObject({ origin: server.origin, name: "Docent test", owner: "acme" });
    const rows = JSON.stringify(await database.kysely.selectFrom("github_app").selectAll().execute());
    expect(rows).not.toContain("PRIVATE KEY");
    expect(rows).not.toContain(server.app.webhookSecret);
    const other = makeGithubApp(hostApps, server);
    await expect(other).resolves.toMatchObject({ name: "Docent test" });
    const again = hostApps.take({ id: "app_2", origin: server.origin, code: "0123456789" });
    await expect(again).rejects.toThrow("Start again");
  });

  it("lists the repositories that it is installed on", async () => {
    await using connected = await open();
    const { hostApps, server } = connected;
    const [app] = await hostApps.list();
    const repository = { url: server.url, path: "acme/docs", isArchived: false };
    expect(await hostApps.offers(app!.id)).toMatchObject([
      { account: "acme", isSuspended: false, repositories: [repository] },
    ]);
    server.app.isSuspended = true;
    expect(await hostApps.offers(app!.id)).toMatchObject([{ isSuspended: true, repositories: [] }]);
    server.app.isInstalled = false;
    expect(await hostApps.offers(app!.id)).toEqual([]);
    await expect(hostApps.findInstallation(server.url)).rejects.toThrow(`Install it there: ${app!.installUrl}`);
    await expect(hostApps.findInstallation("https://github.com/a/b")).rejects.toThrow(
      "no GitHub App at https://github.com",
    );
  });

  it("reuses a token for an hour, requests another in its last ten minutes, and stores none on disk", async () => {
    await using connected = await open();
    const { server, repository, database } = connected;
    const token = async () => (await findConnection(connected, repository.projectId))!.token.reveal();
    const before = mints(server);
    const [first, same] = await Promise.all([token(), token()]);
    expect([first, await token(), mints(server) - before]).toEqual([same, first, 1]);
    expect(first.length).toBe(520);
    const rows = JSON.stringify(await database.kysely.selectFrom("connection").selectAll().execute());
    expect(rows).not.toContain(first);

    server.app.tokenSeconds = 599;
    connected.hostApps.forgetTokens(await connected.hostApps.findInstallation(server.url));
    const short = await token();
    expect(short).not.toBe(first);
    expect(await token()).not.toBe(short);
  });

  it("gives each project a token for its own repository alone, even if two ask at once", async () => {
    await using connected = await open();
    const { hostApps, server } = connected;
    const installation = await hostApps.findInstallation(server.url);
    const token = (remoteId: string) => hostApps.token(installation, { url: server.url, remoteId });
    const [own, other] = await Promise.allSettled([token("4711"), token("4712")]);
    expect(own.status).toBe("fulfilled");
    expect(other).toMatchObject({
      reason: { message: expect.stringContaining("Its owner adds the repository") as string },
    });
  });

  it("may post the address of a preview at a commit", async () => {
    await using connected = await open();
    const { server, repository } = connected;
    const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
    const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep });
    const reached = await reachHost({ ...connected, calls, apis: { github: githubApi } }, repository.projectId);
    const commit = "a".repeat(40) as ObjectId;
    const head = { branch: "docent/a", commit };
    const status = { name: "docent/preview", url: "http://127.0.0.1/preview", description: "The preview" };
    await githubApi.notices.postStatus(reached.call, reached.path, { head }, status);
    expect(server.state.notices.statuses).toMatchObject([{ commit, name: "docent/preview" }]);
  });

  it("works without previews when it was created before previews were supported", async () => {
    await using connected = await open();
    const { hostApps, server, repository } = connected;
    server.app.granted = { contents: "write", pull_requests: "write", issues: "read", metadata: "read" };
    hostApps.forgetTokens(await hostApps.findInstallation(server.url));
    const { token } = (await findConnection(connected, repository.projectId))!;
    expect(server.app.tokens.get(token.reveal())).toMatchObject({
      repository_ids: [4711],
      permissions: server.app.granted,
    });
  });

  it("says who has to do what after it was suspended, uninstalled, deleted or restricted", async () => {
    await using connected = await open();
    const { hostApps, server, repository } = connected;
    const installation = await hostApps.findInstallation(server.url);
    const failure = async () => {
      hostApps.forgetTokens(installation);
      return findConnection(connected, repository.projectId).then(
        () => "none",
        (error: Error) => error.message,
      );
    };
    server.app.isSuspended = true;
    expect(await failure()).toMatch(/suspended the app Docent test .*Settings → Applications/);
    server.app.isSuspended = false;
    server.app.granted = { contents: "read", metadata: "read" };
    expect(await failure()).toMatch(/may not do all that is needed.*permissions requested are not granted/);
    server.app.isInstalled = false;
    expect(await failure()).toMatch(/is not installed any more\. Install it again: http.*give this project a token/);
    server.state.fault = (request) =>
      request.url.includes("/app/") ? Response.json({ message: "Integration not found" }, { status: 401 }) : null;
    expect(await failure()).toMatch(/does not take the app Docent test for itself/);
  });
});
