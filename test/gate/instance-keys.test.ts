import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "#features/keys/api-keys.ts";
import type { KeyScope } from "#kit/levels.ts";
import { ENGINES } from "#testing/databases.ts";
import { browse } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

async function makeKey(app: TestApp, more: { scope?: KeyScope; allow?: string[] } = {}) {
  const deps = { database: app.database, clock: app.clock, keysPerHour: 100 };
  return createApiKey(deps, { projectId: null, name: "everything", expiresInDays: 7, ...more });
}

async function ask(
  app: TestApp,
  call: { method?: string; path: string; key?: string; body?: object; headers?: Record<string, string>; from?: string },
): Promise<Answer> {
  const headers = {
    ...(call.key !== undefined && { Authorization: `Bearer ${call.key}` }),
    ...(call.body && { "Content-Type": "application/json" }),
    ...call.headers,
  };
  const request = new Request(`http://localhost:4000${call.path}`, {
    method: call.method ?? (call.body ? "POST" : "GET"),
    headers,
    ...(call.body && { body: JSON.stringify(call.body) }),
  });
  const response = await app.app.fetch(request, { peerAddress: call.from ?? "127.0.0.1" });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, json };
}

describe.each(ENGINES)("a key of the instance on %s", (engine) => {
  it("works on every project, with separate Idempotency-Keys for each", async () => {
    await using app = await createTestApp(engine);
    const other = await app.makeProject("Other");
    const { key } = await makeKey(app, { scope: "agent" });
    const headers = { "Idempotency-Key": "same" };
    const create = (project: string) =>
      ask(app, { path: `/v2/agent/${project}/job`, key, body: { prompt: "Fix the broken links." }, headers });
    const [first, second] = [await create(app.project.id), await create(other.id)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.json["id"]).not.toBe(second.json["id"]);
    expect((await create(app.project.id)).json["id"]).toBe(first.json["id"]);
    expect((await create(other.id)).headers.get("idempotent-replayed")).toBe("true");
    const at = (project: string) => ask(app, { path: `/v2/agent/${project}/job/${String(first.json["id"])}`, key });
    expect([(await at(app.project.id)).status, (await at(other.id)).status]).toEqual([200, 404]);
    expect((await create("prj_01m83zm717e389j4ffzvxajn4k")).status).toBe(404);
  });

  it("shows which project's repository is missing, over HTTP and in the dashboard", async () => {
    await using app = await createTestApp(engine);
    const lost = await app.makeProject("Lost");
    await rm(app.repoStore.directory(lost.id), { recursive: true });
    const { key } = await makeKey(app);
    const { json } = await ask(app, { path: "/v2/projects", key });
    const missing = (json["projects"] as { slug: string; repository: { missing: boolean } }[])
      .filter(({ repository }) => repository.missing)
      .map(({ slug }) => slug);
    expect(missing).toEqual(["lost"]);
    const browser = await browse(app, key);
    const { text } = await browser.get("/");
    expect(text).toContain("One repository is missing from the data directory.");
    expect(text.split("Repository missing")).toHaveLength(2);
    expect((await browser.get("/lost")).text).toContain("The repository of this project is missing");
    await expect.poll(async () => (await ask(app, { path: "/ready" })).status).toBe(200);
  });

  it("creates projects, once even for concurrent requests", async () => {
    await using app = await createTestApp(engine);
    const { key } = await makeKey(app);
    const body = { name: "Handbook", contentRoot: "docs" };
    const headers = { "Idempotency-Key": "k" };
    const made = await Promise.all([1, 2, 3].map(() => ask(app, { path: "/v2/projects", key, body, headers })));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ json }) => json["id"])).size).toBe(1);
    expect(made[0]!.json).toMatchObject({ slug: "handbook", settings: { contentRoot: "docs" }, connection: null });
    expect((await ask(app, { path: "/v2/projects", key, body })).status).toBe(409);
    const slug = await ask(app, { path: "/v2/projects", key, body: { name: "Handbook", slug: "manual" } });
    expect(slug.json["slug"]).toBe("manual");
    const first = await ask(app, { path: "/v2/projects?limit=2", key });
    const next = await ask(app, { path: `/v2/projects?limit=2&cursor=${String(first.json["nextCursor"])}`, key });
    const slugs = [first, next].flatMap(({ json }) => (json["projects"] as { slug: string }[]).map((one) => one.slug));
    expect(slugs).toEqual(["manual", "handbook", "harbor-docs"]);
    expect([first.headers.get("link"), next.json["nextCursor"]]).toEqual([expect.stringContaining('rel="next"'), null]);
  });

  it("is limited to its addresses, if any: over HTTP, for git, in browsers and for agents", async () => {
    await using app = await createTestApp(engine);
    const allow = ["192.0.2.0/24", "2001:db8::/32"];
    const { key } = await makeKey(app, { allow });
    const jobs = `/v2/agent/${app.project.id}/jobs`;
    const statuses = async (path: string, more: object = {}) =>
      Promise.all(
        ["192.0.2.9", "::ffff:192.0.2.9", "2001:db8::1", "192.0.3.1", "2001:db9::1", ""].map(
          async (from) => (await ask(app, { path, key, from, ...more })).status,
        ),
      );
    expect(await statuses(jobs)).toEqual([200, 200, 200, 403, 403, 403]);
    const refused = await ask(app, { path: jobs, key, from: "10.0.0.1" });
    expect(refused.json["code"]).toBe("forbidden");
    expect(refused.text).not.toContain("192.0.2");
    // Nobody is a proxy here: what a client says of itself counts for nothing.
    const lying = { headers: { "X-Forwarded-For": "192.0.2.9" } };
    expect((await ask(app, { path: jobs, key, from: "10.0.0.1", ...lying })).status).toBe(403);
    const git = `/git/${app.project.slug}.git/info/refs?service=git-upload-pack`;
    expect(await statuses(git)).toEqual([200, 200, 200, 403, 403, 403]);
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const mcp = { body: message, headers: { Accept: "application/json, text/event-stream" } };
    expect(await statuses(`/mcp?project=${app.project.id}`, mcp)).toEqual([200, 200, 200, 403, 403, 403]);
    expect(await statuses(`/v2/agent/${app.project.id}/job/job_x/stream`)).toEqual([404, 404, 404, 403, 403, 403]);

    const signIn = (from: string) => {
      const request = new Request("http://localhost:4000/sign-in", {
        method: "POST",
        body: new URLSearchParams({ key, to: "/" }),
      });
      return app.app.fetch(request, { peerAddress: from });
    };
    const elsewhere = await signIn("10.0.0.1");
    expect([elsewhere.status, elsewhere.headers.get("set-cookie")]).toEqual([403, null]);
    const cookie = (await signIn("192.0.2.9")).headers.get("set-cookie")!.split(";", 1)[0]!;
    const home = (from: string) =>
      ask(app, { path: `/${app.project.slug}/keys`, from, headers: { cookie, accept: "text/html" } });
    expect((await home("192.0.2.10")).status).toBe(200);
    expect((await home("10.0.0.1")).text).not.toContain("API keys");
  });

  it("signs in to every project, until it is revoked", async () => {
    await using app = await createTestApp(engine);
    const other = await app.makeProject("Other");
    const made = await makeKey(app);
    const form = { method: "POST", body: new URLSearchParams({ key: made.key, to: "/" }) };
    const signedIn = await app.app.fetch(new Request("http://localhost:4000/sign-in", form), {
      peerAddress: "127.0.0.1",
    });
    const cookie = signedIn.headers.get("set-cookie")!.split(";", 1)[0]!;
    const page = (path: string) => ask(app, { path, headers: { cookie, accept: "text/html" } });
    const home = await page("/");
    expect(home.text).toContain(`href="/${app.project.slug}"`);
    expect(home.text).toContain(`href="/${other.slug}"`);
    for (const { slug } of [app.project, other]) expect((await page(`/${slug}/keys`)).status).toBe(200);
    expect((await page(`/${other.slug}/pulls`)).status).toBe(200);
    await revokeApiKey(app, made.id);
    expect((await page("/")).text).not.toContain(`href="/${other.slug}"`);
    expect((await ask(app, { path: "/v2/projects", key: made.key })).status).toBe(401);
  });
});

it("an instance key needs a project for MCP, and pushes to all of them", async () => {
  await using app = await createTestApp("sqlite");
  const { key } = await makeKey(app);
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_jobs", arguments: {} } };
  const headers = { Accept: "application/json, text/event-stream" };
  const mcp = (path: string, as = key) => ask(app, { path, key: as, body, headers });
  expect((await mcp("/mcp")).json).toMatchObject({ code: "invalid", details: [{ path: "project" }] });
  expect((await mcp(`/mcp?project=${app.project.id}`)).status).toBe(200);
  expect((await mcp("/mcp?project=prj_01m83zm717e389j4ffzvxajn4k")).status).toBe(404);
  const other = await app.makeProject("Other");
  expect((await mcp(`/mcp?project=${other.id}`, app.key)).status).toBe(404);
  const push = (slug: string, as: string) =>
    ask(app, { path: `/git/${slug}.git/info/refs?service=git-receive-pack`, key: as });
  expect((await push(other.slug, key)).status).toBe(200);
  expect((await push(other.slug, (await makeKey(app, { scope: "agent" })).key)).status).toBe(403);
});

it("an instance key is never created, listed or revoked by a project's key", async () => {
  await using app = await createTestApp("sqlite");
  const wide = await makeKey(app);
  expect((await ask(app, { path: "/v2/instance/keys", key: app.key })).status).toBe(403);
  const own = await ask(app, { path: `/v2/project/${app.project.id}/keys`, key: app.key });
  expect(own.text).not.toContain(wide.id);
  const revoke = (path: string, key: string) => ask(app, { method: "DELETE", path: `${path}/${wide.id}`, key });
  expect((await revoke(`/v2/project/${app.project.id}/keys`, app.key)).status).toBe(404);
  expect((await revoke("/v2/instance/keys", app.key)).status).toBe(403);
  const body = { name: "next", scope: "admin", allow: ["10.0.0.0/8"] };
  const made = await ask(app, { path: "/v2/instance/keys", key: wide.key, body });
  expect(made.json).toMatchObject({ allow: ["10.0.0.0/8"], scope: "admin" });
  expect((await revoke("/v2/instance/keys", wide.key)).status).toBe(204);
  for (const list of [[], ["10.0.0.0/33"], ["x"], ["::ffff:10.0.0.1"], ["10.0.0.1/8/8"], Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`)]) {
    const refused = await ask(app, { path: `/v2/project/${app.project.id}/keys`, key: app.key, body: { ...body, allow: list } });
    expect([list.length, refused.status]).toEqual([list.length, 400]);
  } // oxfmt-ignore
});

describe("a key that is limited to addresses, behind a trusted proxy", () => {
  const statuses = async (send: (app: TestApp, key: string, from: string) => Promise<{ status: number }>) => {
    await using app = await createTestApp("sqlite", { trustedProxies: "127.0.0.1" });
    const { key } = await makeKey(app, { allow: ["192.0.2.0/24"] });
    const from = (address: string) => send(app, key, address);
    return [(await from("192.0.2.9")).status, (await from("203.0.113.9")).status];
  };

  it("is checked over HTTP against the forwarded client address", async () => {
    const asked = await statuses((app, key, from) =>
      ask(app, { path: `/v2/agent/${app.project.id}/jobs`, key, headers: { "X-Forwarded-For": from } }),
    );
    expect(asked).toEqual([200, 403]);
  });

  it("is checked at sign-in against the forwarded client address", async () => {
    const signedIn = await statuses(async (app, key, from) => {
      const body = new URLSearchParams({ key, to: "/" });
      const form = { method: "POST", body, headers: { "X-Forwarded-For": from } };
      return app.app.fetch(new Request("http://localhost:4000/sign-in", form), { peerAddress: "127.0.0.1" });
    });
    expect(signedIn).toEqual([303, 403]);
  });
});

describe("a project over HTTP", () => {
  it("is read and changed by its own admin key, and deleted with its name", async () => {
    await using app = await createTestApp("sqlite");
    const path = `/v2/project/${app.project.id}`;
    const change = (body: object) => ask(app, { method: "PATCH", path, key: app.key, body });
    const before = await ask(app, { path, key: app.key });
    const changed = await change({
      name: "Harbor manual",
      settings: { contentRoot: "docs", publicPullRequests: true },
      secrets: { ANTHROPIC_API_KEY: "sk-very-secret" },
      access: { mode: "password", password: "long enough" },
    });
    expect(changed.json).toMatchObject({
      name: "Harbor manual",
      settings: { contentRoot: "docs", publicPullRequests: true },
      secrets: ["ANTHROPIC_API_KEY"],
      access: { mode: "password" },
    });
    expect(changed.text).not.toMatch(/very-secret|long enough/);
    expect(changed.json["version"]).not.toBe(before.json["version"]);
    expect((await change({ settings: { contentRoot: null } })).json["settings"]).toEqual({ publicPullRequests: true });
    for (const wrong of [{ settings: { nope: 1 } }, { settings: { publicAddress: "https://x/?" } }, { branch: "nowhere" }, { access: { mode: "password" } }, { domains: ["localhost"] }, { name: "" }, { nope: 1 }]) {
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400]);
    } // oxfmt-ignore
    expect((await change({ settings: { models: {} } })).status).toBe(403);
    const asked = await change({ name: "Not this", domains: ["docs.example.org"] });
    expect(asked.status === 409 || asked.status === 503).toBe(true);
    expect((await ask(app, { path, key: app.key })).json["name"]).toBe("Harbor manual");
    const remove = (name: string) =>
      ask(app, { method: "DELETE", path: `${path}?name=${encodeURIComponent(name)}`, key: app.key });
    expect((await remove("Harbor docs")).status).toBe(409);
    expect((await remove("Harbor manual")).status).toBe(204);
    expect((await ask(app, { path, key: app.key })).status).toBe(401);
    expect(await app.repoStore.exists(app.project.id)).toBe(false);
  });

  it("keeps analytics settings that a change does not name, and resets them with null", async () => {
    await using app = await createTestApp("sqlite");
    const set = async (analytics: object | null) =>
      (
        await ask(app, {
          method: "PATCH",
          path: `/v2/project/${app.project.id}`,
          key: app.key,
          body: { settings: { analytics } },
        })
      ).json["settings"];
    await set({ retentionDays: 730, allowedOrigins: ["https://docs.example.com"] });
    const both = { retentionDays: 730, excludedNetworks: ["192.0.2.0/24"] };
    expect(await set({ excludedNetworks: ["192.0.2.0/24"] })).toEqual({
      analytics: { ...both, allowedOrigins: ["https://docs.example.com"] },
    });
    expect(await set({ allowedOrigins: null })).toEqual({ analytics: both });
    expect(await set(null)).toEqual({});
  });

  it("shows another branch once that exists", async () => {
    await using app = await createTestApp("sqlite");
    const path = `/v2/project/${app.project.id}`;
    const to = await app.repoStore.resolve(app.project.id, "refs/heads/main");
    await app.repoStore.updateRef(app.project.id, { ref: "refs/heads/next", to, expected: null });
    const changed = await ask(app, { method: "PATCH", path, key: app.key, body: { branch: "next" } });
    expect(changed.json["branch"]).toBe("next");
    await app.pushCommit("next", { "index.md": "# Next\n" });
    expect(await app.repoStore.resolve(app.project.id, "HEAD")).toBe(
      await app.repoStore.resolve(app.project.id, "refs/heads/next"),
    );
  });

  it("is copied only from URLs that this server may access, never from local files", async () => {
    await using app = await createTestApp("sqlite");
    const { key } = await makeKey(app);
    const create = (url: string) =>
      ask(app, { path: "/v2/projects", key, body: { name: "Copy", repository: { url } } });
    for (const url of ["/etc", "file:///etc", "ssh://x/y", "ext::sh -c id", "https://user@example.com/x", "http://127.0.0.1/x.git"]) {
      expect([url, (await create(url)).status]).toEqual([url, 400]);
    } // oxfmt-ignore
    for (const url of ["https://10.0.0.1/x", "https://169.254.169.254/x", "https://[::1]/x"]) {
      expect([url, (await create(url)).status]).toEqual([url, 403]);
    }
    expect((await ask(app, { path: "/v2/projects", key })).json["projects"]).toHaveLength(1);
  });

  it("gets no model that a job would be refused for, unless its provider comes with the same change", async () => {
    await using app = await createTestApp("sqlite");
    const path = `/v2/project/${app.project.id}`;
    const model = "own/writer";
    const refused = await ask(app, { method: "PATCH", path, key: app.key, body: { settings: { model } } });
    const job = await app.call("POST", "/job", { body: { prompt: "Fix the broken links.", model } });
    expect(job.status).toBe(400);
    expect([refused.status, refused.json["error"]]).toEqual([400, job.json["error"]]);
    const models = { providers: { own: { kind: "openai-compatible", baseUrl: "https://models.example/v1" } } };
    const { key } = await makeKey(app);
    const both = await ask(app, { method: "PATCH", path, key, body: { settings: { model, models } } });
    expect(both.json["settings"]).toMatchObject({ model });
  });

  it("loses no setting when several are changed concurrently", async () => {
    await using app = await createTestApp("sqlite");
    const path = `/v2/project/${app.project.id}`;
    const all = [{ model: "docent/builtin-rules" }, { instructions: "Short." }, { mention: "bot" }, { apiProxy: true }];
    const answers = await Promise.all(
      all.map((settings) => ask(app, { method: "PATCH", path, key: app.key, body: { settings } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask(app, { path, key: app.key })).json["settings"]).toEqual(Object.assign({}, ...all));
  });
});
