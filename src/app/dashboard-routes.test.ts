import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listApiKeys } from "#features/keys/api-keys.ts";
import { browse, type Browsing, dangerousMarkup } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
const NOON = new Date("2026-11-20T12:00:00Z");
const withoutRequest = (page: string) => page.replace(/req_\w+/, "");

let app: TestApp;
let member: Browsing;
let stranger: Browsing;

const { get, post }: Omit<Browsing, "upload"> = {
  get: (path) => member.get(path),
  post: (path, fields, headers) => member.post(path, fields, headers),
};

async function createJob(prompt: string): Promise<string> {
  const made = await post("/harbor-docs/jobs", { prompt });
  expect(made.status).toBe(303);
  return made.location!;
}

beforeAll(async () => {
  app = await createTestApp("sqlite", { now: NOON });
  member = await browse(app, app.key);
  stranger = await browse(app, null);
});
afterAll(() => app[Symbol.asyncDispose]());

describe("access to a project's pages", () => {
  const pages = ["/harbor-docs", "/harbor-docs/jobs", "/harbor-docs/keys"];

  it("redirects strangers to the sign-in page and returns them afterwards", async () => {
    for (const path of [...pages, "/harbor-docs/jobs?status=failed"]) {
      const answer = await stranger.get(path);
      expect(answer).toMatchObject({ status: 303, location: `/sign-in?to=${encodeURIComponent(path)}` });
    }
  });

  it("returns the same 404 for another project's key as for a missing project", async () => {
    const other = await browse(app, await app.makeKey(await app.makeProject("Other docs")));
    const job = await createJob("Fix the broken links.");
    const missing = await other.get("/no-such-project");
    for (const path of [...pages, job, `${job}/stream`]) {
      const answer = await other.get(path);
      expect(answer.status).toBe(404);
      expect(withoutRequest(answer.text)).toBe(withoutRequest(missing.text));
    }
    const below = job.replace("harbor-docs", "other-docs");
    expect((await other.get(below)).status).toBe(404);
    expect((await other.post(`${below}/cancel`, {})).status).toBe(404);
    expect((await other.post(`${job}/cancel`, {})).status).toBe(404);
    expect((await other.post("/harbor-docs/jobs", { prompt: "x" })).status).toBe(404);
    const [key] = await listApiKeys(app, app.project.id);
    expect((await other.post(`/other-docs/keys/${key!.id}/revoke`, {})).status).toBe(404);
    expect((await listApiKeys(app, app.project.id))[0]?.revokedAt).toBeNull();
    expect((await get(job)).text).toContain("Cancel the job");
  });

  it("rejects a form without the token of its own pages", async () => {
    const before = await listApiKeys(app, app.project.id);
    const job = await createJob("Fix the broken links.");
    for (const path of ["/harbor-docs/keys", "/harbor-docs/jobs", `${job}/message`, `${job}/cancel`]) {
      for (const token of ["", "wrong"]) {
        const answer = await post(path, { csrf: token, prompt: "x", name: "x", lifetime: "7" });
        expect(answer.status).toBe(403);
      }
    }
    expect(await listApiKeys(app, app.project.id)).toEqual(before);
    expect((await get(job)).text).toContain("Cancel the job");
  });

  it("redirects a signed-in reader from the start page to their project", async () => {
    expect(await get("/")).toMatchObject({ status: 303, location: "/harbor-docs" });
    expect((await stranger.get("/")).text).toContain("Docent is running");
  });

  it("explains on a fresh server how to create a project and a key", async () => {
    const { text } = await stranger.get("/");
    expect(text).toContain('<code>docent projects create "My docs" --repo PATH_OR_URL</code>');
    expect(text).toContain("<code>docent keys create my-docs</code>");
    expect(text).toContain('href="/sign-in"');
  });

  it("redirects an address with a trailing slash to the page, and never to another host", async () => {
    for (const [path, location] of [
      ["/harbor-docs/", "/harbor-docs"],
      ["/harbor-docs/jobs/?status=failed", "/harbor-docs/jobs?status=failed"],
      ["/sign-in//", "/sign-in"],
      ["//evil.example/", "/evil.example"],
      ["/\\evil.example/", "/evil.example"],
      ["//", "/"],
    ]) {
      expect(await get(path!)).toMatchObject({ status: 308, location });
    }
    for (const path of ["/v2/agent/", "/health/"]) expect((await get(path)).status).toBe(404);
    expect((await post("/harbor-docs/jobs/", { prompt: "x" })).status).toBe(404);
  });

  it("compresses pages and assets, unless the client does not support it", async () => {
    const send = async (path: string, encoding: string) => {
      const headers = { "accept-encoding": encoding, accept: "text/html" };
      return app.app.fetch(new Request(`http://localhost:4000${path}`, { headers }), { peerAddress: "127.0.0.1" });
    };
    const script = /src="(\/_docent\/dashboard[^"]+)"/.exec((await get("/harbor-docs")).text)?.[1] ?? "";
    for (const path of ["/", "/sign-in", "/no-such/page", script]) {
      const plain = await send(path, "gzip;q=0");
      expect(plain.headers.get("content-encoding")).toBeNull();
      const packed = await send(path, "deflate, gzip");
      expect([packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual(["gzip", "Accept-Encoding"]);
      const unpacked = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString("utf8");
      expect(withoutRequest(unpacked)).toBe(withoutRequest(await plain.text()));
    }
  });

  it("allows only its own script, and no content from other hosts", async () => {
    for (const path of pages) {
      const { headers } = await get(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'");
      expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
      expect(policy).not.toContain("frame-src");
      expect(headers.get("cache-control")).toBe("private, no-cache");
    }
    const script = /src="(\/_docent\/dashboard[^"]+)"/.exec((await get("/harbor-docs")).text)?.[1];
    const served = await get(script!);
    expect(served.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(served.text).toContain("EventSource");
  });
});

describe("the overview", () => {
  it("links to the live site, with the counts of its report", async () => {
    await app.deployments.watch.look(app.project.id);
    const { database } = app;
    const counts = { errors: 2, warnings: 1 };
    await database.kysely.updateTable("deployment").set(counts).where("project_id", "=", app.project.id).execute();
    expect((await get("/harbor-docs")).text).toMatch(
      /<a href="\/harbor-docs\/deployments\/1">[^<]*2 errors, 1 warning</,
    );
  });

  it("shows the site, the clone URL, the project's ID, jobs, pull requests and visitors", async () => {
    await using fresh = await createTestApp("sqlite");
    const reader = await browse(fresh, fresh.key);
    expect((await reader.get("/harbor-docs")).text).toContain("No jobs yet. Describe a change above to start one.");
    await reader.post("/harbor-docs/jobs", { prompt: "Say hello.", title: "Greeting" });
    await fresh.carryOut({ files: { "index.md": "# Hello\n" } });
    await reader.post("/harbor-docs/jobs", { prompt: `Another\n${HOSTILE}` });
    const { text } = await reader.get("/harbor-docs");
    expect(text).toContain("http://harbor-docs.localhost:4000/");
    expect(text).toContain("http://localhost:4000/git/harbor-docs.git");
    expect(text).toContain(fresh.project.id);
    expect(text).toContain("<b>Edit pages</b>");
    expect(text).toContain('href="/harbor-docs/pull/1"');
    expect(text).toContain("<b>Another</b>");
    expect(text).toContain('data-refresh="4"');
    expect(text).toContain("No visitors yet.");
    expect(dangerousMarkup(text)).toEqual([]);
  });
});

describe("API keys", () => {
  beforeEach(() => {
    app.time.now = new Date((app.time.now ?? NOON).getTime() + 61 * 60_000); // the hourly limit starts again
  });

  it("are shown once, in a response that is not cached, and work", async () => {
    const made = await post("/harbor-docs/keys", { name: "CI", lifetime: "30" });
    expect(made.status).toBe(201);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const key = /docent_[0-9A-Za-z]{38}/.exec(made.text)?.[0] ?? "";
    expect((await app.call("GET", "/jobs", { key })).status).toBe(200);
    const later = await get("/harbor-docs/keys");
    expect(later.text).not.toContain(key);
    expect(later.text).toContain(`docent_…${key.slice(-4)}`);
    const stored = (await listApiKeys(app, app.project.id)).at(-1)!;
    expect(stored.name).toBe("CI");
    expect(stored.expiresAt!.getTime() - stored.createdAt.getTime()).toBe(30 * 86_400_000);
  });

  it("are sent uncompressed, like every response that must not leak", async () => {
    const made = await post("/harbor-docs/keys", { name: "CI", lifetime: "30" }, { "accept-encoding": "gzip" });
    expect(made.headers.get("content-encoding")).toBeNull();
    expect(made.text).toMatch(/docent_[0-9A-Za-z]{38}/);
  });

  it("have the scope of the form; an unknown scope is rejected", async () => {
    const made = await post("/harbor-docs/keys", { name: "Counts", lifetime: "30", scope: "read" });
    const key = /docent_[0-9A-Za-z]{38}/.exec(made.text)?.[0] ?? "";
    expect((await app.call("GET", "/jobs", { key })).status).toBe(200);
    expect((await app.call("POST", "/job", { key, body: { prompt: "Fix links." } })).status).toBe(403);
    await post("/harbor-docs/keys", { name: "Plain", lifetime: "30" });
    const own = await listApiKeys(app, app.project.id);
    expect(own.find(({ name }) => name === "Plain")?.scope).toBe("agent");
    const refused = await post("/harbor-docs/keys", { name: "Root", lifetime: "30", scope: "root" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("A key has the scope read, agent, write or admin.");
    const tooLong = await post("/harbor-docs/keys", { name: "x".repeat(200), lifetime: "30", scope: "read" });
    expect(tooLong.text).toContain('<option value="read" selected>');
    expect((await listApiKeys(app, app.project.id)).map(({ name }) => name)).not.toContain("Root");
  });

  it("work from the addresses of the form, or from everywhere without any", async () => {
    const made = await post("/harbor-docs/keys", { name: "Office", lifetime: "30", allow: "10.0.0.0/8, 192.0.2.1" });
    const key = /docent_[0-9A-Za-z]{38}/.exec(made.text)?.[0] ?? "";
    expect((await app.call("GET", "/jobs", { key })).status).toBe(403);
    expect((await get("/harbor-docs/keys")).text).toContain("10.0.0.0/8 192.0.2.1");
    const refused = await post("/harbor-docs/keys", { name: "Odd", lifetime: "30", allow: "10.0.0.0/33" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="10.0.0.0/33"');
    const own = (await listApiKeys(app, app.project.id)).filter(({ name }) => ["Office", "Odd"].includes(name));
    expect(own.map(({ allow }) => allow)).toEqual([["10.0.0.0/8", "192.0.2.1"]]);
  });

  it("are created once per form, even if it is sent or reloaded again", async () => {
    const count = async () => (await listApiKeys(app, app.project.id)).length;
    const before = await count();
    const once = /name="once" value="([^"]+)"/.exec((await get("/harbor-docs/keys")).text)?.[1] ?? "";
    const send = (name: string) => post("/harbor-docs/keys", { name, lifetime: "30", once });
    const answers = [await send("Reloaded"), ...(await Promise.all([send("Reloaded"), send(" Reloaded")]))];
    expect(answers.map(({ status }) => status)).toEqual([201, 303, 303]);
    expect(await count()).toBe(before + 1);
    const [first, second] = answers;
    const key = /docent_[0-9A-Za-z]{38}/.exec(first!.text)?.[0] ?? "";
    expect((await app.call("GET", "/jobs", { key })).status).toBe(200);
    expect(second!.location).toBe("/harbor-docs/keys?repeated");
    const after = await get(second!.location!);
    expect(after.text).toContain("This key was made when the form was sent first");
    expect(after.text).not.toContain(key);
    // A form that was changed after going back creates another key.
    expect((await send("Changed")).status).toBe(201);
    expect((await send("Changed")).status).toBe(303);
    expect(await count()).toBe(before + 2);
  });

  it("expire after 90 days by default, and never if the form says so", async () => {
    expect((await get("/harbor-docs/keys")).text).toMatch(/<option value="90" selected>/);
    await post("/harbor-docs/keys", { name: "For good", lifetime: "never" });
    expect((await listApiKeys(app, app.project.id)).at(-1)).toMatchObject({ name: "For good", expiresAt: null });
    const before = await listApiKeys(app, app.project.id);
    for (const lifetime of ["", "0", "91", "1e9", "-7"]) {
      const answer = await post("/harbor-docs/keys", { name: "Odd", lifetime });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("A key lives 7, 30, 60 or 90 days, or never expires.");
    }
    expect((await post("/harbor-docs/keys", { name: "  ", lifetime: "7" })).status).toBe(400);
    expect(await listApiKeys(app, app.project.id)).toEqual(before);
  });

  it("show a hostile name as text", async () => {
    const made = await post("/harbor-docs/keys", { name: HOSTILE, lifetime: "7" });
    expect(dangerousMarkup(made.text)).toEqual([]);
    const list = await get("/harbor-docs/keys");
    expect(dangerousMarkup(list.text)).toEqual([]);
    expect(list.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    const { id } = (await listApiKeys(app, app.project.id)).at(-1)!;
    expect(dangerousMarkup((await get(`/harbor-docs/keys/${id}/revoke`)).text)).toEqual([]);
    expect(dangerousMarkup((await post("/harbor-docs/keys", { name: HOSTILE.repeat(9), lifetime: "7" })).text)).toEqual(
      [],
    );
  });

  it("are limited to ten an hour, and the page says when the next one is possible", async () => {
    for (let count = 0; count < 10; count++) {
      expect((await post("/harbor-docs/keys", { name: `Key ${count}`, lifetime: "7" })).status).toBe(201);
    }
    const answer = await post("/harbor-docs/keys", { name: "One more", lifetime: "7" });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.text).toContain(
      "A project makes at most 10 keys an hour, and this one has. Try again in 61 minutes.",
    );
    expect(answer.text).toContain('value="One more"');
  });

  it("stop working after a confirmed revocation", async () => {
    const made = await post("/harbor-docs/keys", { name: "Old", lifetime: "7" });
    const key = /docent_[0-9A-Za-z]{38}/.exec(made.text)![0];
    const { id } = (await listApiKeys(app, app.project.id)).at(-1)!;
    const question = await get(`/harbor-docs/keys/${id}/revoke`);
    expect(question.text).toContain("Programs that use it are refused from then on.");
    expect(question.text).not.toContain("signs you out");
    expect((await app.call("GET", "/jobs", { key })).status).toBe(200);
    expect(await post(`/harbor-docs/keys/${id}/revoke`, {})).toMatchObject({
      status: 303,
      location: "/harbor-docs/keys",
    });
    expect((await app.call("GET", "/jobs", { key })).status).toBe(401);
    expect((await get(`/harbor-docs/keys/${id}/revoke`)).status).toBe(404);
  });

  it("sign out the browser that signed in with the revoked one", async () => {
    const mine = await browse(app, await app.makeKey(app.project));
    const { id } = (await listApiKeys(app, app.project.id)).at(-1)!;
    const question = await mine.get(`/harbor-docs/keys/${id}/revoke`);
    expect(question.text).toContain("You are signed in with this key: revoking it signs you out.");
    expect(question.text).not.toContain("last working key");
    const other = await app.makeProject("Pier docs");
    const last = await browse(app, await app.makeKey(other));
    const [lastKey] = await listApiKeys(app, other.id);
    expect((await last.get(`/pier-docs/keys/${lastKey!.id}/revoke`)).text).toContain(
      "An admin with an account can create another on this page",
    );
    const answer = await mine.post(`/harbor-docs/keys/${id}/revoke`, {});
    expect(answer).toMatchObject({ status: 303, location: "/sign-in" });
    expect(answer.headers.get("set-cookie")).toMatch(/^docent_session=; Path=\/; Max-Age=0/);
    expect((await mine.get("/harbor-docs")).location).toContain("/sign-in");
  });
});
