import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { issueOperatorPass } from "#features/keys/operator-pass.ts";
import { type Browsing, browse, browseAsOperator, connectInBrowser } from "#testing/browsing.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let host: HostServer;
let operator: Browsing;
const projects = () => app.database.kysely.selectFrom("project").select("slug").orderBy("slug").execute();
const form = (name: string, more: Record<string, string> = {}) => ({
  name,
  url: `${host.url}/`,
  kind: "",
  branch: "",
  token: ` ${HOST_TOKEN}\n`,
  ...more,
});

beforeAll(async () => {
  app = await createTestApp("sqlite");
  host = await startGithubServer({ "index.md": "# Welcome\n" });
});
beforeEach(async () => {
  operator = await browseAsOperator(app);
});
afterEach(() => {
  host.state.fault = () => null;
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

describe("creating projects", () => {
  it("is allowed with a link of `docent admin`, but not for strangers or a project's key", async () => {
    for (const somebody of [await browse(app, null), await browse(app, app.key)]) {
      for (const path of [
        "/-/new",
        "/-/setup",
        "/admin?pass=",
        "/admin?pass=v1.x.y",
        "/-/new/connecting/github/req_00000000000000000000000000",
      ]) {
        const answer = await somebody.get(path);
        expect([path, answer.status]).toEqual([path, 401]);
        expect(answer.text).toContain("docent admin");
      }
      expect((await somebody.post("/-/new/github", form("Mine"))).status).toBe(401);
    }
    expect((await operator.get("/-/new")).text).toContain("New project");
    // Until the instance has an owner.
    expect(await operator.get("/admin")).toMatchObject({ status: 303, location: "/-/setup" });
    expect((await operator.get("/harbor-docs")).status).toBe(303);
  });

  it("is not allowed with a link after an hour, or with a session after half a day", async () => {
    const pass = issueOperatorPass(app);
    const late = await browse(app, null);
    const now = Date.now();
    app.time.now = new Date(now + 3_601_000);
    expect((await late.get(`/admin?pass=${encodeURIComponent(pass)}`)).status).toBe(401);
    expect((await operator.get("/-/new")).status).toBe(200);
    app.time.now = new Date(now + 12 * 3_600_000 + 1_000);
    expect((await operator.get("/-/new")).status).toBe(401);
    // A session is not a link.
    const cookie = /docent_operator=([^;]+)/.exec(
      (await late.get(`/admin?pass=${encodeURIComponent(issueOperatorPass(app))}`)).headers.get("set-cookie")!,
    )![1]!;
    expect((await late.get(`/admin?pass=${encodeURIComponent(cookie)}`)).status).toBe(401);
    app.time.now = null;
  });

  it("rejects a form from another site", async () => {
    expect((await operator.post("/-/new/github", { ...form("Forged"), csrf: "wrong" })).status).toBe(403);
    expect(await projects()).not.toContainEqual({ slug: "forged" });
  });
});

describe("connecting a repository in a browser", () => {
  it("creates its project, shows the key once, and signs the browser in", async () => {
    const done = await connectInBrowser(operator, form("Acme docs", { kind: "github" }));
    expect(done.status).toBe(200);
    expect(done.headers.get("cache-control")).toBe("no-store");
    expect(done.text).not.toContain(HOST_TOKEN);
    const key = /id="new-key">(docent_\w+)</.exec(done.text)![1]!;
    const overview = await operator.get("/acme-docs");
    expect(overview.status).toBe(200);
    expect(overview.text).toContain(`<a href="${host.url}">`);
    expect(overview.text).toContain("/acme-docs/connection");
    expect((await (await browse(app, key)).get("/acme-docs")).status).toBe(200);
    // Due at once: the first sync creates the webhook.
    const rows = await app.database.kysely.selectFrom("connection").select(["synced_at", "tried_at"]).execute();
    expect(rows).toEqual([{ synced_at: expect.any(Number) as number, tried_at: null }]);
  });

  it("explains missing permissions of the token, keeps the other fields, and creates nothing", async () => {
    host.state.readers.add("reader");
    const before = await projects();
    const answer = await operator.post("/-/new/github", form("Read only", { token: "reader", branch: "main" }));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Contents and Pull requests “Read and write”");
    for (const kept of ['value="Read only"', `value="${host.url}/"`, 'value="main"'])
      expect(answer.text).toContain(kept);
    expect(answer.text).not.toContain('"reader"');
    for (const [fields, words] of [
      [{ token: "unknown-token" }, "refused the token"],
      [{ token: "two words" }, "A token is one word"],
      [{ token: "" }, "A token is one word"],
      [{ name: "Harbor docs" }, "belongs to another project"],
      [{ url: "ftp://x/a/b" }, "https address"],
      [{ url: "http://169.254.169.254/a/b" }, "DOCENT_CODE_HOST_ALLOW"],
      [{ url: `${host.origin}/acme/other` }, "has no repository at"],
      [{ kind: "bitbucket" }, "from the list"],
      [{ branch: "nowhere" }, "no branch nowhere"],
    ] as const) {
      const refused = await connectInBrowser(operator, form("Refused", fields));
      expect(refused.text).toContain(words);
    }
    expect(await projects()).toEqual(before);
  });

  it("shows progress if it takes longer, and the error if it fails", async () => {
    const held = Promise.withResolvers<void>();
    host.state.fault = async (request) => {
      if (request.url.includes(".git/")) await held.promise;
      return null;
    };
    const [slow, failing] = await Promise.all([
      operator.post("/-/new/github", form("Slow docs")),
      operator.post("/-/new/github", form("Failing docs", { branch: "nowhere" })),
    ]);
    for (const { location } of [slow, failing]) {
      const page = await operator.get(location!);
      expect(page.text).toContain("Connecting the repository");
      expect(page.text).toContain('data-refresh="1"');
    }
    held.resolve();
    await expect.poll(async () => (await operator.get(failing.location!)).text).toContain("no branch nowhere");
    await expect.poll(async () => (await operator.get(slow.location!)).text).toContain("Slow docs is connected");
    expect((await operator.get(slow.location!)).status).toBe(404);
    expect(await projects()).toContainEqual({ slug: "slow-docs" });
    expect(await projects()).not.toContainEqual({ slug: "failing-docs" });
  });
});
