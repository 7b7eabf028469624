import { testVault } from "#testing/vault.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostedRepository } from "#hosts/code-host.ts";
import { createEmbeddedCodeHost, type EmbeddedCodeHost } from "#hosts/embedded/embedded-code-host.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import type { Database } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory, createTestRepository, type TestFile } from "#testing/repositories.ts";
import { createTestApp } from "#testing/test-app.ts";
import { createPullRequestRoutes } from "./pull-request-routes.ts";
import { createChangeReader } from "./pull-request-view.ts";
import { ENGINES } from "#testing/databases.ts";

const made = new AsyncDisposableStack();
let database: Database;
let store: RepoStore;
let host: EmbeddedCodeHost;
let repository: HostedRepository & { name: string };
let main: ObjectId;
let app: ReturnType<typeof createPullRequestRoutes>;

beforeAll(async () => {
  ({ database } = made.use(await openTestDatabase("sqlite")));
  store = made.use(createRepoStore({ root: made.use(await createTestDirectory()).path, logger: silentLogger }));
  repository = {
    projectId: newProjectId(),
    codeHost: "embedded",
    slug: "acme",
    url: null,
    branch: "main",
    name: "Acme <Docs>",
  };
  const files: Record<string, TestFile> = {
    "index.md": "# Hi\n\nThe old name of the page.\n",
    "moved.md": "a text\nthat is\nlong enough\nto be found again\n",
    "big.md": "line\n".repeat(3_000),
    "logo.png": new Uint8Array([0, 1, 2]),
  };
  await using source = await createTestRepository(files);
  await store.import(repository.projectId, { source: source.path, branch: null });
  await database.kysely
    .insertInto("project")
    .values({
      id: repository.projectId,
      slug: "acme",
      name: repository.name,
      source_url: null,
      code_host: "embedded",
      branch: "main",
      settings: "{}",
      created_at: 0,
    })
    .execute();
  main = (await store.resolve(repository.projectId, "HEAD"))!;
  host = createEmbeddedCodeHost({
    database,
    repoStore: store,
    clock: systemClock,
    logger: silentLogger,
    baseUrl: () => "http://docs.test",
  });
  app = createPullRequestRoutes({
    codeHost: host,
    repoStore: store,
    database,
    clock: systemClock,
    agentCallsPerHour: 10,
    redact: (text) => text,
    vault: testVault,
    redactFor: () => Promise.resolve((text) => text),
    readChanges: createChangeReader({ repoStore: store }),
    parserFor: (owner) => {
      parsedFor.push(owner);
      return createInProcessParser();
    },
    findRepository: async (slug) =>
      slug === "acme"
        ? {
            ...repository,
            siteUrl: "http://acme.docs.test",
            isPublishedElsewhere: false,
            isArchived: false,
            isPublic: true,
            mention: null,
          }
        : null,
    session: {
      async read(request) {
        const [, who] = /who=(\w+)/.exec(request.headers.get("cookie") ?? "") ?? [];
        if (who === undefined) return null;
        const projectId = who === "owner" ? repository.projectId : newProjectId();
        return { projectId, keyId: "key_1", scope: "admin", csrfToken: "right", fingerprint: "", hash: "" };
      },
    },
    holderOf: async () => null,
    commentGuards: { minute: { admits: () => true }, day: { admits: () => true } },
    previewLinks: {
      link: ({ slug, ...name }) =>
        `http://pr-${"number" in name ? name.number : "?"}--${slug}.docs.test/?preview=secret`,
    },
  });
});
afterAll(() => made.disposeAsync());

let count = 0;
const parsedFor: string[] = [];
async function propose(
  files: Record<string, string | Uint8Array | null>,
  options: { body?: string; title?: string; draft?: boolean; message?: string } = {},
) {
  const head = `agent/${(count += 1)}`;
  const edits = Object.entries(files).map(([path, content]) => ({
    path,
    content: content === null ? null : Buffer.from(content),
  }));
  const tree = await store.snapshot(repository.projectId, { base: main, edits });
  const commit = await store.commit(repository.projectId, {
    tree,
    parents: [main],
    message: options.message ?? "Edit the pages",
    author: { name: "Docent", email: "agent@example.com" },
    at: new Date(0),
  });
  await host.push(repository, { branch: head, commit, expected: null });
  const ensured = await host.ensurePullRequest(repository, {
    head,
    base: "main",
    title: options.title ?? "Edit",
    body: options.body ?? "",
    draft: options.draft ?? false,
  });
  if (ensured.outcome !== "created") throw new Error(`not created: ${ensured.outcome}`);
  return { number: ensured.pullRequest.number, commit };
}

const get = async (path: string, cookie = "who=owner") => {
  const response = await app.request(`http://docs.test${path}`, { headers: { cookie } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const post = (path: string, fields: Record<string, string>, cookie = "") =>
  app.request(`http://docs.test${path}`, { method: "POST", body: new URLSearchParams(fields), headers: { cookie } });

describe("a pull request's page", () => {
  it("shows description, commits and changes on the first page", async () => {
    const { number } = await propose(
      {
        "index.md": "# Hi\n\nThe new name of the page.\n",
        "moved.md": null,
        "guide.md": "a text\nthat is\nlong enough\nto be found again\n",
        "logo.png": new Uint8Array([0, 9]),
      },
      { title: "Rename things", body: "Done **well**.\n\n> As asked.", message: "Rename\n\nWhy.\n\nJob: 7" },
    );
    const { status, headers, text } = await get(`/acme/pull/${number}`);
    expect(status).toBe(200);
    expect(text).toContain("Rename things");
    expect(text).toContain("<p>Done <strong>well</strong>.</p>");
    expect(text).toContain("The <del>old</del> name of the page.");
    expect(text).toContain("The <ins>new</ins> name of the page.");
    expect(text).toContain('<span class="old-name">moved.md</span> → guide.md');
    expect(text).toContain("Moved without a change of content.");
    expect(text).toContain("A binary file");
    expect(text).toContain(`href="http://pr-${number}--acme.docs.test/?preview=secret"`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    const commits = await get(`/acme/pull/${number}/commits`);
    expect(commits.text).toContain("Why.");
    expect(commits.text).toContain("<dt>Job</dt>");
    expect((await get(`/acme/pull/${number}/files`)).text).toContain("The <ins>new</ins> name of the page.");
    expect((await get(`/acme/pull/${number}.diff`)).text).toContain("+The new name of the page.");
  });

  it("has its description parsed by the parser of its own project", async () => {
    const { number } = await propose({ "owner.md": "x\n" }, { body: "Some *text*." });
    parsedFor.length = 0;
    await app.request(`http://docs.test/acme/pull/${number}`);
    expect(parsedFor).toEqual([repository.projectId]);
  });

  it("escapes all text of the change, the title and the description", async () => {
    const hostile = "<img src=x onerror=alert(1)>\"'</td><script>alert(1)</script>";
    const { number } = await propose(
      { "evil.md": `${hostile}\n`, "a'b & c.md": "x\n" },
      {
        title: hostile,
        message: `${hostile}\n\n${hostile}\n\nKey: ${hostile}`,
        body: `${hostile}\n\n[a](javascript:alert(1)) [b](data:text/html,x) ![c](https://evil.test/x.png) <sub>ok <sub>\n\n| <b> |\n|---|\n| \`<i>\` |\n\n# ${hostile}`,
      },
    );
    for (const tab of ["", "/commits", "/files"]) {
      const { text } = await get(`/acme/pull/${number}${tab}`);
      expect(text).not.toMatch(/<script>|<img|onerror=alert\(1\)>(?!&quot;)|javascript:|href="data:text/);
      expect(text).toContain("Acme &lt;Docs&gt;");
    }
    const { text } = await get(`/acme/pull/${number}`);
    expect(text.match(/<sub>/g)).toHaveLength(text.match(/<\/sub>/g)!.length);
    expect(text).toContain("a&#39;b &amp; c.md");
  });

  it("shows characters that change the direction of text as code points, with a warning", async () => {
    const { number } = await propose({ "bidi.md": "if (admin\u202e) \u2066{\n" }, { title: "Fix\u202e" });
    const { text } = await get(`/acme/pull/${number}`);
    expect(text).not.toMatch(/\u202e(?![^<]*<\/title>)|\u2066/);
    expect(text).toContain("U+202E");
    expect(text).toContain("invisible or change the direction of text");
  });

  it("leaves out a large file and shows it alone on request", async () => {
    const { number } = await propose({ "big.md": "other\n".repeat(3_000), "index.md": "small\n" });
    const { text } = await get(`/acme/pull/${number}`);
    expect(text).toContain("6000 changed lines: too many to show here.");
    expect(text.length).toBeLessThan(40_000);
    const alone = await get(`/acme/pull/${number}/files?path=big.md`);
    expect(alone.text.match(/<tr class="added">/g)).toHaveLength(3_000);
    expect(alone.text).not.toContain("small");
    expect((await get(`/acme/pull/${number}/files?path=none.md`)).text).toContain("This file is not changed.");
  });

  it("truncates a very long line", async () => {
    const { number } = await propose({ "long.md": `${"x".repeat(900_000)}\n` });
    const { text } = await get(`/acme/pull/${number}`);
    expect(text).toContain("896000 more characters");
    expect(text.length).toBeLessThan(60_000);
  });

  it("nests the headings of a description in order below its own, whatever their levels", async () => {
    const { number } = await propose({ "heads.md": "x\n" }, { body: "##### A\n\n# B\n\n### C\n\n#### D\n\n### E\n" });
    const { text } = await get(`/acme/pull/${number}`);
    const prose = text.slice(text.indexOf('class="prose"'), text.indexOf('class="timeline"'));
    expect(prose.match(/<h\d>\w/g)).toEqual(["<h3>A", "<h3>B", "<h4>C", "<h5>D", "<h4>E"]);
  });

  it("stays readable after the merge", async () => {
    const { number } = await propose({ "later.md": "new page\n" });
    await host.mergePullRequest(repository, number, { expectedHead: null });
    const { text } = await get(`/acme/pull/${number}`);
    expect(text).toContain("Merged into main");
    expect(text).toContain("new page");
    expect(text).not.toContain('<form method="post" action="/acme');
  });

  it("says that its commits are not in a repository that was restored without them", async () => {
    const { number } = await propose({ "lost.md": "lost page\n" });
    await store.updateRef(repository.projectId, {
      ref: `refs/heads/agent/${count}`,
      to: null,
      expected: await store.resolve(repository.projectId, `refs/heads/agent/${count}`),
    });
    await database.kysely
      .updateTable("pull_request")
      .set({ head_sha: "e".repeat(40) })
      .where("number", "=", number)
      .execute();
    const { status, text } = await get(`/acme/pull/${number}`);
    expect(status).toBe(200);
    expect(text).toContain("The repository does not have the commits of this pull request");
    expect((await get(`/acme/pull/${number}/files`)).status).toBe(200);
  });

  it("answers 404 with a page for a pull request or project that does not exist", async () => {
    for (const path of [
      "/acme/pull/999",
      "/none/pull/1",
      "/acme/pull/999/files",
      "/acme/pull/999.diff",
      "/none/pulls",
    ]) {
      const { status, text } = await get(path);
      expect([status, text.includes("There is no such page")]).toEqual([404, true]);
    }
    expect((await get("/acme/pull/0")).status).toBe(404);
    expect((await get("/acme/pull/1e3")).status).toBe(404);
  });

  it.each(ENGINES)("ignores a number in an address that the tables on %s cannot hold", async (engine) => {
    await using elsewhere = await createTestApp(engine);
    const headers = { Authorization: `Bearer ${elsewhere.key}` };
    for (const before of ["3000000000", "9007199254740991", "0", "-1", "1e3", "x"]) {
      const answer = await elsewhere.app.fetch(
        new Request(`http://localhost/${elsewhere.project.slug}/pulls?before=${before}`, { headers }),
        {
          peerAddress: "",
        },
      );
      expect([before, answer.status]).toEqual([before, 200]);
    }
  });

  it("lists pull requests by state", async () => {
    const { number } = await propose({ "list.md": "x\n" }, { title: "In the list" });
    expect((await get("/acme/pulls")).text).toContain(`href="/acme/pull/${number}"`);
    await host.closePullRequest(repository, number);
    expect((await get("/acme/pulls?state=open")).text).not.toContain(`href="/acme/pull/${number}"`);
    expect((await get("/acme/pulls?state=closed")).text).toContain("In the list");
  });
});

describe("the buttons of a pull request's page", () => {
  it("ask a stranger to sign in and change nothing", async () => {
    const { number, commit } = await propose({ "index.md": "stranger\n" });
    expect((await get(`/acme/pull/${number}`, "")).text).toContain(`/sign-in?to=%2Facme%2Fpull%2F${number}`);
    const answer = await post(`/acme/pull/${number}/merge`, { csrf: "right", head: commit });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/sign-in?to=%2Facme%2Fpull%2F${number}`]);
    expect(await host.getPullRequest(repository, number)).toMatchObject({ state: "open" });
  });

  it("need a key of this project and the form's own token", async () => {
    const { number, commit } = await propose({ "index.md": "token\n" });
    for (const [fields, cookie, status] of [
      [{ csrf: "wrong", head: commit }, "who=owner", 403],
      [{ head: commit }, "who=owner", 403],
      [{ csrf: "right", head: commit }, "who=other", 404],
    ] as const) {
      for (const action of ["merge", "close"]) {
        expect((await post(`/acme/pull/${number}/${action}`, fields, cookie)).status).toBe(status);
      }
    }
    expect(await host.getPullRequest(repository, number)).toMatchObject({ state: "open" });
    expect((await get(`/acme/pull/${number}`, "who=other")).text).toContain("You are not a member of this project");
  });

  it("refuse an unreadable form like a form without a token", async () => {
    const { number } = await propose({ "index.md": "# Unreadable\n" });
    const answer = await app.request(`http://docs.test/acme/pull/${number}/merge`, {
      method: "POST",
      headers: { cookie: "who=owner", "content-type": "multipart/form-data" },
      body: "no boundary",
    });
    expect(answer.status).toBe(403);
  });

  it("merge the commit that the person has seen, and no later commit", async () => {
    const { number } = await propose({ "merge.md": "merge\n" });
    const page = await get(`/acme/pull/${number}`, "who=owner");
    const [, head = ""] = /name="head" value="([0-9a-f]{40})"/.exec(page.text) ?? [];
    const stale = await post(`/acme/pull/${number}/merge`, { csrf: "right", head: main }, "who=owner");
    expect(stale.status).toBe(409);
    expect(await stale.text()).toContain("It was not merged. The branch has new commits.");
    const merged = await post(`/acme/pull/${number}/merge`, { csrf: "right", head }, "who=owner");
    expect([merged.status, merged.headers.get("location")]).toEqual([303, `/acme/pull/${number}`]);
    expect(await host.getPullRequest(repository, number)).toMatchObject({ state: "merged" });
  });

  it("close the pull request", async () => {
    const { number, commit } = await propose({ "index.md": "close\n" });
    expect((await post(`/acme/pull/${number}/close`, { csrf: "right", head: commit }, "who=owner")).status).toBe(303);
    expect((await get(`/acme/pull/${number}`, "who=owner")).text).toContain("Closed without being merged");
  });

  it("mark a draft as ready, which can then be merged", async () => {
    const { number, commit } = await propose({ "ready.md": "x\n" }, { draft: true });
    const ready = await post(`/acme/pull/${number}/ready`, { csrf: "right", head: commit }, "who=owner");
    expect([ready.status, ready.headers.get("location")]).toEqual([303, `/acme/pull/${number}`]);
    expect(await host.getPullRequest(repository, number)).toMatchObject({ state: "open", draft: false });
    expect((await get(`/acme/pull/${number}`, "who=owner")).text).toContain("Ready to merge");
  });

  it("do not offer to merge a draft or a conflict, and name the conflicting files", async () => {
    const { number: draft } = await propose({ "draft.md": "x\n" }, { draft: true });
    const draftPage = (await get(`/acme/pull/${draft}`, "who=owner")).text;
    expect(draftPage).toContain("This is a draft");
    expect(draftPage).not.toContain(`/acme/pull/${draft}/merge`);
    const { number: first } = await propose({ "moved.md": "first\n" });
    const { number: second } = await propose({ "moved.md": "second\n" });
    await host.mergePullRequest(repository, first, { expectedHead: null });
    const clash = (await get(`/acme/pull/${second}`, "who=owner")).text;
    expect(clash).toContain("This branch conflicts with main");
    expect(clash).toContain("<code>moved.md</code>");
    const refused = await post(`/acme/pull/${second}/merge`, { csrf: "right" }, "who=owner");
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("It was not merged. The changes conflict with main.");
  });
});
