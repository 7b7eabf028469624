import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { createProject } from "#features/projects/projects.ts";
import { systemClock } from "#lib/clock.ts";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { userAgents } from "#testing/views.ts";
import { createPerson } from "#test/support/person.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const ALLOW = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32", DOCENT_JOURNAL_SECONDS: "1" };
const made = new AsyncDisposableStack();
let server: TestServer;
let person: Awaited<ReturnType<typeof createPerson>>;
let tokenFile: string;
let host: Awaited<ReturnType<typeof startSourceHost>>;

beforeAll(async () => {
  server = made.use(
    await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n", "a.md": "# A\n" },
      environment: ALLOW,
    }),
  );
  host = made.use(await startSourceHost({ "a.ts": "a\n" }));
  const home = made.use(await createTestDirectory()).path;
  person = await createPerson(home);
  tokenFile = path.join(home, "token");
  await writeFile(tokenFile, host.token);
  const { project, key } = server.instance;
  await person.docent(["login", "--server", server.baseUrl, "--project", project.id], { input: key });
});
afterAll(() => made.disposeAsync());

/** What both places answer alike; `name` keeps what they make apart. */
describe.each(["at a server", "beside a data directory"])("commands %s", (place) => {
  const isServer = place === "at a server";
  const name = isServer ? "api" : "cli";
  const where = () => (isServer ? [] : ["--data", server.instance.data]);
  const project = () => server.instance.project.id;
  const docent = (...args: string[]) => person.docent([...args, ...where()], { environment: ALLOW });
  async function json<T>(...args: string[]): Promise<T> {
    const { exitCode, stdout, stderr } = await docent(...args, "--json");
    expect([args, exitCode, stderr]).toEqual([args, 0, ""]);
    expect(stdout).not.toContain(host.token);
    return JSON.parse(stdout) as T;
  }

  it("add and list sources, replace their tokens and remove them", async () => {
    const sources = (action: string, ...more: string[]) => ["projects", "sources", action, project(), ...more];
    const address = ["--repo", host.server.url, "--host", "github"];
    const added = await json<object>(...sources("add", name, ...address, "--token-file", tokenFile));
    expect(Object.keys(added)).toEqual(["id", "name", "kind", "url", "branch", "syncedAt", "trouble"]);
    expect(await json(...sources("list"))).toEqual([added]);
    expect((await docent(...sources("list"))).stdout).toContain(host.server.url);
    expect((await docent(...sources("add", "other", ...address))).stderr).toContain("to nobody without a token");
    expect(await json(...sources("token", name, "--token-file", tokenFile))).toMatchObject({ replaced: true });
    expect((await docent(...sources("remove", "no-such"))).stderr).toContain('There is no source "no-such"');
    expect((await docent(...sources("remove", name))).stdout).toBe(`Removed ${name} and its mirror.\n`);
    expect(await json(...sources("list"))).toEqual([]);
  });

  it("create automations for merges in a source only", async () => {
    const address = ["--repo", host.server.url, "--host", "github", "--token-file", tokenFile];
    await json("projects", "sources", "add", project(), name, ...address);
    const create = ["automations", "create", project(), "Follow the API", "Document it."];
    const automation = await json<{ id: string }>(...create, "--source", name, "--merged");
    expect(automation).toMatchObject({ trigger: { kind: "source_merge", source: name } });
    await json("automations", "delete", project(), automation.id);
    await json("projects", "sources", "remove", project(), name);
  });

  it("create links to a private site, and revoke them", async () => {
    expect((await docent("projects", "link", project())).stderr).toContain("it needs no link");
    await docent("projects", "access", project(), "links");
    const link = await json<{ url: string; expiresAt: string }>("projects", "link", project(), "--path", "/a", "--days", "2");
    expect(new URL(link.url).pathname).toBe("/a");
    expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(47 * 3_600_000);
    const open = async () => {
      using site = createSiteClient(server);
      const { pathname, search } = new URL(link.url);
      return (await site.send(pathname + search)).status;
    };
    expect(await open()).toBe(200);
    expect((await docent("projects", "sign-out", project())).stdout).toContain("has ended");
    expect(await open()).toBe(401);
    await docent("projects", "access", project(), "public");
  });

  it("set the hosts of API descriptions, and the proxy", async () => {
    const api = (action: string, ...more: string[]) => ["projects", "api", action, project(), ...more];
    const set = await json(...api("hosts", "api.example.com"));
    expect(set).toEqual({ hosts: ["api.example.com"], proxy: false, addresses: [] });
    expect(await json(...api("proxy", "on"))).toEqual({ ...(set as object), proxy: true });
    expect((await docent(...api("list"))).stdout).toContain("Asked: api.example.com\nRequests that readers try");
    expect((await docent(...api("read"))).stdout).toBe("0 addresses are asked now.\n");
    expect((await docent(...api("hosts", "no host"))).stderr).not.toBe("");
    await docent(...api("hosts"));
    await docent(...api("proxy", "off"));
    expect(await json(...api("list"))).toEqual({ hosts: [], proxy: false, addresses: [] });
  });

  it("erase the readers of an address, and print the snippet", async () => {
    const address = isServer ? "198.51.100.7" : "198.51.100.8";
    const views = [{ event_id: address, path: "/", address, userAgent: userAgents.chrome }];
    const sent = await fetch(`${server.baseUrl}/v1/analytics/${project()}/views`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.instance.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ views }),
    });
    expect(sent.status).toBe(200);
    const erase = ["analytics", "erase", project(), "--address", address];
    expect((await docent(...erase)).stderr).toContain("add --yes");
    const erased = await json<object>(...erase, "--yes");
    expect(erased).toMatchObject({ address, visitors: 1, views: 1, days: 1, damagedFiles: isServer ? null : 0 });
    const snippet = await docent("analytics", "snippet", project());
    expect(snippet.stdout).toContain(`/ingest/${project()}`);
    expect(snippet.stderr).toContain("No origin may send views yet.");
  });
}, 120_000); // oxfmt-ignore

it("projects are printed the same way on a data directory and at a server", async () => {
  const { database, repoStore, data } = server.instance;
  const deps = { database, repoStore, clock: systemClock };
  await createProject(deps, { name: "Second docs", source: host.work, branch: null });
  const wide = await createApiKey({ ...deps, keysPerHour: 10 }, { projectId: null, name: "wide", expiresInDays: 7 });
  const operator = await createPerson(made.use(await createTestDirectory()).path);
  await operator.docent(["login", "--server", server.baseUrl], { input: wide.key });
  for (const name of ["B_KEY", "A_KEY"]) {
    await operator.docent(["projects", "secret", "second-docs", name], { input: "sk-x" });
  }
  for (const args of [["list"], ["show", "second-docs"], ["set", "second-docs", "mention", "harbor"], ["access", "second-docs"], ["domain", "list", "second-docs"], ["api", "list", "second-docs"], ["sources", "list", "second-docs"]]) {
    const [there, here] = await Promise.all([[], ["--data", data]].map((more) => operator.docent(["projects", ...args, "--json", ...more])));
    expect([args, here!.exitCode, here!.stdout]).toEqual([args, 0, there!.stdout]);
  }
  // A folder of the machine says nothing elsewhere, and is in neither.
  expect((await operator.docent(["projects", "list", "--json", "--data", data])).stdout).not.toContain(host.work);
}, 120_000); // oxfmt-ignore
