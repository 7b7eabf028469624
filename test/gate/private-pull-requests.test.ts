import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { saveSettings } from "#features/projects/projects.ts";
import { addProject, callApi, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient, type SiteAnswer, type SiteClient } from "#test/support/site-client.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const PROGRAM = { accept: "*/*" };

let server: TestServer;
let client: SiteClient;
let job: AgentJobBody;
let previewHost: string;
let token: string;

const onServer = () => new URL(server.baseUrl).host;
const send = (host: string, path: string, headers: Record<string, string>, method = "GET") =>
  client.send(path, { method, headers: { host, ...headers } });

/** The cookie of somebody who signed in with a key. */
async function signIn(key: string): Promise<string> {
  const answer = await client.send("/sign-in", {
    method: "POST",
    headers: { host: onServer(), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ key }).toString(),
  });
  return String(answer.headers["set-cookie"]).split(";")[0]!;
}

/** What an answer tells somebody who cannot read it: the secret word, or whether there is anything at all. */
const told = ({ status, headers, text }: SiteAnswer) => ({
  status,
  location: headers.location ?? null,
  text: text.replaceAll(/req_\w+/g, ""),
});

beforeAll(async () => {
  server = await startTestServer({
    engine: "sqlite",
    files: {
      "docs.json": JSON.stringify({ name: "Test", navigation: ["index", "guides/setup"] }),
      "index.md": "# Start\n\nWe sell the Blue Heron.\n",
      "guides/setup.md": "# Setup\n\nThe Blue Heron is set up here.\n\n![A mark](/mark.svg)\n",
      "mark.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
  });
  client = createSiteClient(server);
  const { baseUrl, instance } = server;
  const prompt = 'Replace "Blue Heron" with "Secret Crane".';
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
  job = await waitForJob(baseUrl, instance, body.id);
  const link = new URL(job.previewLink ?? "http://none");
  previewHost = link.host;
  token = link.searchParams.get("preview") ?? "";
  // It stays when the pull request has ended.
  const { repoStore, project } = instance;
  const to = await repoStore.resolve(project.id, `refs/heads/${job.source.ref}`);
  await repoStore.updateRef(project.id, { ref: "refs/heads/crane", to, expected: null });
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

describe("a pull request without a sign-in", () => {
  const addresses = ["pulls", "pull/1", "pull/1/files", "pull/1/commits", "pull/1.diff", "pull/1/preview"];

  it("redirects people to sign in and back, and returns a plain error to programs", async () => {
    for (const address of addresses) {
      const path = `/test-docs/${address}`;
      const seen = await send(onServer(), path, BROWSER);
      expect([seen.status, seen.headers.location]).toEqual([303, `/sign-in?to=${encodeURIComponent(path)}`]);
      const program = await send(onServer(), path, PROGRAM);
      expect([program.status, program.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="docent"']);
      expect(JSON.parse(program.text)).toMatchObject({ code: "unauthorized" });
      expect(seen.text + program.text).not.toContain("Crane");
    }
  });

  it("does not reveal whether a project or a pull request exists", async () => {
    const { key } = await otherProject();
    const guest = await signIn(key);
    for (const headers of [BROWSER, PROGRAM, { ...BROWSER, cookie: guest }, { authorization: `Bearer ${key}` }]) {
      for (const [real, absent] of [
        ["/test-docs/pull/1", "/test-docs/pull/999"],
        ["/test-docs/pull/1.diff", "/test-docs/pull/999.diff"],
        ["/test-docs/pull/1", "/no-such-docs/pull/1"],
        ["/test-docs/pulls", "/no-such-docs/pulls"],
        ["/test-docs/jobs", "/no-such-docs/jobs"],
        ["/test-docs", "/no-such-docs"],
        ["/test-docs/analytics", "/no-such-docs/analytics"],
        ["/test-docs/pull/1/preview", "/no-such-docs/pull/7/preview"],
      ] as const) {
        const [here, there] = [await send(onServer(), real, headers), await send(onServer(), absent, headers)];
        const renamed = JSON.stringify(told(there)).replaceAll(encodeURIComponent(absent), encodeURIComponent(real));
        expect(JSON.parse(renamed)).toEqual(told(here));
      }
    }
  });

  it("cannot be merged, closed or read with a key of another project", async () => {
    const cookie = await signIn((await otherProject()).key);
    for (const action of ["merge", "close", "ready"]) {
      expect((await send(onServer(), `/test-docs/pull/1/${action}`, { ...BROWSER, cookie }, "POST")).status).toBe(404);
    }
  });

  it("can be read by the project's own people and keys", async () => {
    const cookie = await signIn(server.instance.key);
    expect((await send(onServer(), "/test-docs/pull/1", { ...BROWSER, cookie })).text).toContain("Crane");
    const authorization = `Bearer ${server.instance.key}`;
    expect((await send(onServer(), "/test-docs/pull/1.diff", { authorization })).text).toContain("+We sell the Secret");
  });
});

describe("a preview", () => {
  const surfaces = [
    "/",
    "/guides/setup",
    "/guides/setup.md",
    "/index.md",
    "/mark.svg",
    "/llms.txt",
    "/llms-full.txt",
    "/sitemap.xml",
    "/robots.txt",
    "/nothing-here",
  ];
  const wrongTokens = () => ["", "x", token.slice(1), token.toLowerCase(), `${token}x`, "%C3%A9"];

  it("shows nothing in any format without the link", async () => {
    for (const surface of surfaces) {
      const seen = await send(previewHost, surface, BROWSER);
      const back = `${server.baseUrl}/test-docs/pull/1/preview?path=${encodeURIComponent(surface)}`;
      expect([seen.status, seen.headers.location, seen.text]).toEqual([303, back, ""]);
      const program = await send(previewHost, surface, PROGRAM);
      expect(program.status).toBe(401);
      expect(program.text).not.toContain("Crane");
      for (const wrong of wrongTokens()) {
        expect((await send(previewHost, `${surface}?preview=${wrong}`, PROGRAM)).status).toBe(401);
        expect((await send(previewHost, surface, { ...PROGRAM, cookie: `docent_preview=${wrong}` })).status).toBe(401);
      }
    }
    expect((await send(previewHost, "/_docent/view", PROGRAM, "POST")).status).toBe(401);
  });

  it("does not reveal whether a preview exists", async () => {
    for (const headers of [BROWSER, PROGRAM]) {
      const here = told(await send(previewHost, "/guides/setup", headers));
      for (const absent of ["pr-9--test-docs", "pr-1--no-such-docs"]) {
        const there = told(await send(previewHost.replace("pr-1--test-docs", absent), "/guides/setup", headers));
        const [, number, slug] = /pr-(\d)--(.*)/.exec(absent)!;
        const location = there.location?.replace(`/${slug}/pull/${number}`, "/test-docs/pull/1") ?? null;
        expect({ ...there, location }).toEqual(here);
      }
    }
  });

  it("opens with its link: a browser is redirected to a URL without the secret, a program uses the link each time", async () => {
    expect(job.previewLink).toBe(`http://${previewHost}/?preview=${token}`);
    expect(token).toMatch(/^[\w-]{22,}$/); // at least 128 bits
    const first = await send(previewHost, `/guides/setup?a=1&preview=${token}`, BROWSER);
    expect([first.status, first.headers.location]).toEqual([303, "/guides/setup?a=1"]);
    expect(first.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const [set = ""] = first.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^docent_preview=[\w-]+; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = set.split(";")[0]!;
    for (const surface of surfaces.slice(0, -1)) {
      const seen = await send(previewHost, surface, { ...BROWSER, cookie });
      expect([surface, seen.status]).toEqual([surface, 200]);
      expect(seen.headers).toMatchObject({ "x-robots-tag": "noindex, nofollow", "cache-control": "private, no-cache" });
      expect(seen.text).not.toContain(token);
      expect((await send(previewHost, `${surface}?preview=${token}`, PROGRAM)).text).not.toContain(token);
    }
    expect((await send(previewHost, `/guides/setup.md?preview=${token}`, PROGRAM)).text).toContain("Secret Crane");
    expect((await send(previewHost, "/nothing-here", { ...BROWSER, cookie })).status).toBe(404);
  });

  it("has a banner that explains it, with a link to the pull request", async () => {
    const { text } = await send(previewHost, "/guides/setup", { ...BROWSER, cookie: `docent_preview=${token}` });
    expect(text).toContain(`href="${server.baseUrl}/test-docs/pull/1"`);
  });

  it("redirects a signed-in reader to the requested page, and nowhere else", async () => {
    const cookie = await signIn(server.instance.key);
    const go = (path: string) =>
      send(onServer(), `/test-docs/pull/1/preview?path=${encodeURIComponent(path)}`, { ...BROWSER, cookie });
    expect((await go("/guides/setup?a=1")).headers.refresh).toBe(
      `0; url=http://${previewHost}/guides/setup?a=1&preview=${token}`,
    );
    for (const path of ["//evil.example/", "https://evil.example/", "/\\evil.example", "", "x"]) {
      expect((await go(path)).headers.refresh).toMatch(`0; url=http://${previewHost}/`);
    }
    expect((await send(onServer(), "/test-docs/pull/9/preview", { ...BROWSER, cookie })).status).toBe(404);
  });

  it("does not open with the link of another preview", async () => {
    const { baseUrl, instance } = server;
    const elsewhere = await otherProject();
    const previews = [
      { host: previewHost, token },
      await openPreview(baseUrl, instance, 'Change the description of guides/setup to "Second".'),
      await openPreview(baseUrl, elsewhere, 'Replace "Grey Goose" with "Secret Swan".'),
      await openPreview(baseUrl, elsewhere, 'Change the description of index to "Second".'),
    ];
    const labels = previews.map(({ host }) => host.split(".")[0]);
    expect(labels).toEqual(["pr-1--test-docs", "pr-2--test-docs", "pr-1--other-docs", "pr-2--other-docs"]);
    for (const { host } of previews) {
      for (const { host: from, token: link } of previews) {
        const program = await send(host, `/index.md?preview=${link}`, PROGRAM);
        const browser = await send(host, "/index.md", { ...BROWSER, cookie: `docent_preview=${link}` });
        expect([host, from, program.status, browser.status]).toEqual([
          host,
          from,
          ...(host === from ? [200, 200] : [401, 303]),
        ]);
      }
    }
  });
});

describe("a project that makes its pull requests public", () => {
  it("lets everyone read them and open their previews, and no one merge", async () => {
    const { database, project } = server.instance;
    await saveSettings({ database }, project, { publicPullRequests: true });
    expect((await send(onServer(), "/test-docs/pull/1", BROWSER)).text).toContain("Crane");
    expect((await send(onServer(), "/test-docs/pull/1.diff", PROGRAM)).text).toContain("Crane");
    expect((await send(onServer(), "/test-docs/pulls", BROWSER)).status).toBe(200);
    expect((await send(previewHost, "/guides/setup.md", PROGRAM)).text).toContain("Crane");
    expect((await send(onServer(), "/test-docs/jobs", BROWSER)).status).toBe(303);
    expect((await send(onServer(), "/test-docs/pull/1/merge", BROWSER, "POST")).status).toBe(303);
    await saveSettings({ database }, project, {});
    expect((await send(onServer(), "/test-docs/pull/1", BROWSER)).status).toBe(303);
    expect((await send(previewHost, "/guides/setup.md", PROGRAM)).status).toBe(401);
  });
});

describe("the link of a preview", () => {
  it("is in the pull request's description, and expires with the pull request", async () => {
    const { baseUrl, instance } = server;
    const cookie = await signIn(instance.key);
    const page = await send(onServer(), "/test-docs/pull/1", { ...BROWSER, cookie });
    expect(page.text).toContain(`href="http://${previewHost}/?preview=${token}"`);
    const [, csrf = ""] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
    const merged = await client.send("/test-docs/pull/1/merge", {
      method: "POST",
      headers: { host: onServer(), cookie, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrf }).toString(),
    });
    expect(merged.status).toBe(303);
    expect((await send(previewHost, `/index.md?preview=${token}`, PROGRAM)).status).toBe(401);
    const after = await send(onServer(), "/test-docs/pull/1", { ...BROWSER, cookie });
    expect(after.text).toContain("Merged into main");
    expect(after.text).not.toContain(previewHost);
    expect((await callApi(baseUrl, instance, { path: `/job/${job.id}` })).body.previewLink).toBeNull();
    // An old link leads somebody who is signed in to the pull request.
    const old = await send(onServer(), "/test-docs/pull/1/preview?path=%2F", { ...BROWSER, cookie });
    expect([old.status, old.headers.location]).toEqual([303, "/test-docs/pull/1"]);
  });
});

/** Where a new pull request's preview is, and the token that opens it. */
async function openPreview(baseUrl: string, instance: Pick<TestInstance, "project" | "key">, prompt: string) {
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
  const { previewLink, error } = await waitForJob(baseUrl, instance, body.id);
  expect({ error, previewLink }).toEqual({ error: null, previewLink: expect.any(String) as string });
  const { host, searchParams } = new URL(previewLink!);
  return { host, token: searchParams.get("preview")! };
}

let other: Promise<Pick<TestInstance, "project" | "key">> | undefined;
/** Another project on the same server, with a key. */
function otherProject() {
  const files = { "index.md": "# Other\n\nWe sell the Grey Goose.\n" };
  return (other ??= addProject(server.instance, { name: "Other docs", files }));
}

interface PreviewAnswer {
  statusId: string;
  previewUrl: string;
  code: string;
}

/** One call of the commercial interface. */
async function callProject(path: string, key: string, body?: object) {
  const response = await fetch(`${server.baseUrl}/v1/project/${path}`, {
    method: body || path.startsWith("update/") ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as PreviewAnswer & Record<string, unknown> };
}

describe("the preview of a branch", () => {
  // All that git takes for a name, and that turns or closes what stands around it.
  const HOSTILE = '"><svg/onload=alert(1)>&\u202e<!--';
  const ask = (branch: unknown, key = server.instance.key) =>
    callProject(`preview/${server.instance.project.id}`, key, { branch });
  const opened = async (branch: string) => {
    const { body } = await ask(branch);
    const url = new URL(body.previewUrl);
    return { ...body, host: url.host, token: url.searchParams.get("preview") ?? "" };
  };

  it("opens only with its link, names its branch and commit, and links to the live site", async () => {
    const { repoStore, project } = server.instance;
    const branch = "crane";
    const preview = await opened(branch);
    expect(await opened(branch)).toMatchObject({ host: preview.host, token: preview.token });
    const door = `${server.baseUrl}/test-docs/previews/${/^branch-([0-9a-f]{10})--test-docs\./.exec(preview.host)?.[1]}`;
    for (const surface of ["/", "/index.md", "/llms.txt", "/sitemap.xml", "/mark.svg"]) {
      expect((await send(preview.host, surface, PROGRAM)).status).toBe(401);
      expect((await send(preview.host, `${surface}?preview=${token}`, PROGRAM)).status).toBe(401); // the pull request's
      expect((await send(previewHost, `${surface}?preview=${preview.token}`, PROGRAM)).status).toBe(401);
      const asked = await send(preview.host, surface, BROWSER);
      expect([asked.status, asked.headers.location]).toEqual([303, `${door}?path=${encodeURIComponent(surface)}`]);
    }
    const cookie = `docent_preview=${preview.token}`;
    const { text, headers } = await send(preview.host, "/", { ...BROWSER, cookie });
    const commit = (await repoStore.resolve(project.id, `refs/heads/${branch}`)) ?? "";
    expect(text).toContain("Secret Crane");
    expect(text).toContain(`Preview of branch ${branch} at commit ${commit.slice(0, 7)}`);
    expect(text).toContain(
      `<a href="${server.baseUrl.replace("localhost", "test-docs.localhost")}/">Back to the live site</a>`,
    );
    expect(headers).toMatchObject({ "x-robots-tag": "noindex, nofollow", "cache-control": "private, no-cache" });
    const member = await signIn(server.instance.key);
    expect((await send(onServer(), new URL(door).pathname, { ...BROWSER, cookie: member })).headers.refresh).toBe(
      `0; url=http://${preview.host}/?preview=${preview.token}`,
    );
    expect((await send(onServer(), "/test-docs/deployments", { ...BROWSER, cookie: member })).text).toContain(
      `http://${preview.host}/?preview=${preview.token}`,
    );
  });

  it("shows a new commit in its banner, even on an unchanged page", async () => {
    const { repoStore, project } = server.instance;
    const ref = "refs/heads/moving";
    const base = (await repoStore.resolve(project.id, "refs/heads/main"))!;
    await repoStore.updateRef(project.id, { ref, to: base, expected: null });
    const preview = await opened("moving");
    const look = async () =>
      (await send(preview.host, `/guides/setup?preview=${preview.token}`, { accept: "text/html" })).text;
    const cookie = `docent_preview=${preview.token}`;
    const page = async () => (await send(preview.host, "/guides/setup", { ...BROWSER, cookie })).text;
    expect(await page()).toContain(`at commit ${base.slice(0, 7)}`);
    const author = { name: "Ada", email: "ada@example.com" };
    const tree = await repoStore.snapshot(project.id, {
      base,
      edits: [{ path: "other.txt", content: Buffer.from("x") }],
    });
    const to = await repoStore.commit(project.id, {
      tree,
      parents: [base],
      message: "Other\n",
      author,
      at: new Date(),
    });
    await repoStore.updateRef(project.id, { ref, to, expected: base });
    await expect.poll(page, { timeout: 20_000 }).toContain(`at commit ${to.slice(0, 7)}`);
    await repoStore.updateRef(project.id, { ref, to: null, expected: to });
    await expect.poll(look, { timeout: 20_000 }).not.toContain("Blue Heron");
  });

  it("shows a branch name as text", async () => {
    const { repoStore, project } = server.instance;
    const to = await repoStore.resolve(project.id, "refs/heads/main");
    await repoStore.updateRef(project.id, { ref: `refs/heads/${HOSTILE}`, to, expected: null });
    const preview = await opened(HOSTILE);
    const { text } = await send(preview.host, "/", { ...BROWSER, cookie: `docent_preview=${preview.token}` });
    const member = await signIn(server.instance.key);
    const page = (await send(onServer(), "/test-docs/deployments", { ...BROWSER, cookie: member })).text;
    for (const shown of [text, page]) {
      expect(shown).toContain("&quot;&gt;&lt;svg/onload=alert(1)&gt;&amp;");
      expect(shown).not.toContain("<svg/onload");
      expect(shown).not.toContain("\u202e");
    }
  });

  it("returns an error for an unknown branch, and for keys of other projects", async () => {
    for (const branch of ["no-such-branch", "-x", "a..b", "HEAD", "refs/heads/main", "../../x", "a b", "", 7, null]) {
      const { status, body } = await ask(branch);
      expect([branch, status, body.code]).toEqual([branch, 400, "invalid"]);
    }
    const { key } = await otherProject();
    expect((await ask("main", key)).status).toBe(404);
    const { statusId } = await opened("main");
    const [foreign, absent] = await Promise.all(
      [statusId, "upd_x"].map((id) => callProject(`update-status/${id}`, key)),
    );
    expect([foreign!.status, { ...foreign!.body, requestId: "" }]).toEqual([404, { ...absent!.body, requestId: "" }]);
  });
});

it("reports over HTTP the state of an update and a preview", async () => {
  const { project, key } = server.instance;
  const ended = async (id: string) => {
    let body: Record<string, unknown> = {};
    const isOver = async () => {
      ({ body } = await callProject(`update-status/${id}`, key));
      return body["status"] === "success" || body["status"] === "failure";
    };
    await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
    return body;
  };
  const triggered = await callProject(`update/${project.id}`, key);
  expect([triggered.status, Object.keys(triggered.body)]).toEqual([202, ["statusId"]]);
  const sha = await server.instance.repoStore.resolve(project.id, "refs/heads/main");
  expect(await ended(triggered.body.statusId)).toMatchObject({
    _id: triggered.body.statusId,
    projectId: project.id,
    status: "success",
    summary: `Commit ${sha!.slice(0, 7)} is live, with 2 pages.`,
    subdomain: "test-docs",
    commit: { sha, ref: "main" },
    source: "internal",
  });
  const branch = "crane";
  const preview = await callProject(`preview/${project.id}`, key, { branch });
  expect(await ended(preview.body.statusId)).toMatchObject({
    status: "success",
    author: "Docent",
    commit: { ref: branch, message: "Replace “Blue Heron” with “Secret Crane”" },
  });
});
