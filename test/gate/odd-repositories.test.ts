import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { systemClock } from "#lib/clock.ts";
import { createProject } from "#features/projects/projects.ts";
import { commitFiles, createTestRepository, git, type TestFile } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { requestSite } from "#cli/demo/demo-visits.ts";
import { addProject, callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

interface Oddity {
  files: Record<string, TestFile>;
  /** Words of the site's first page. */
  shows: string;
  /** How the job ends: its state, or why it failed. */
  ends: string;
  /** How the job failed, in words. */
  says?: string;
  changed: string[];
}

const REPLACE = 'Replace "Harbor Cloud" with "Harbor Platform".';
const TEXT = "# Start\n\nHarbor Cloud.\n";

const ODDITIES: Record<string, Oddity> = {
  "no commit": {
    files: {},
    shows: "The repository of this site is empty.",
    ends: "ref_not_found",
    changed: [],
    says: "The repository has no branch with a commit. Push the docs first.",
  },
  "no Markdown": { files: { "main.c": "int main;" }, shows: "no Markdown files", ends: "completed", changed: [] },
  "a broken docs.json": {
    files: { "docs.json": "{ broken", "index.md": TEXT },
    shows: "Harbor Cloud",
    ends: "impossible",
    changed: [],
  },
  "names with spaces and other scripts": {
    files: { "über uns/erste Schritte.md": TEXT, "文档/入门.md": TEXT, "index.md": "# Start\n" },
    shows: "Start",
    ends: "completed",
    changed: ["über uns/erste Schritte.md", "文档/入门.md"],
  },
  "links out of the tree": {
    files: {
      "index.md": TEXT,
      "passwords.md": { linkTo: "../../../../../../etc/passwd" },
      outside: { linkTo: "/etc" },
      "round.md": { linkTo: "round.md" },
    },
    shows: "Harbor Cloud",
    ends: "completed",
    changed: ["index.md"],
  },
  "a page of 5 MB": {
    files: { "index.md": TEXT, "large.md": `# Large\n\n${"Some words of a long page. ".repeat(195_000)}\n` },
    shows: "Harbor Cloud",
    ends: "completed",
    changed: ["index.md"],
  },
  "a page that is not UTF-8": {
    files: { "index.md": TEXT, "latin.md": Buffer.from("# Caf\u00e9\n\nHarbor Cloud.\n", "latin1") },
    shows: "Harbor Cloud",
    ends: "completed",
    changed: ["index.md"],
  },
  "a page that cannot be parsed": {
    files: { "index.mdx": TEXT, "broken.mdx": "# Broken\n\n<Card {{{ >\n\nHarbor Cloud.\n" },
    shows: "Harbor Cloud",
    ends: "completed",
    changed: ["index.mdx"],
  },
};

describe("a repository with", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine: "sqlite", files: { "index.md": TEXT } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(Object.entries(ODDITIES))(
    "%s: a clear end, a page or a warning, and a server that stays up",
    async (name, odd) => {
      const { project, key } = await addProject(server.instance, { name, files: odd.files });
      const page = await requestSite({ port: server.port, host: `${project.slug}.localhost` }, { path: "/" });
      expect(page).toMatchObject({ status: 200, body: expect.stringContaining(odd.shows) as string });
      const created = await callApi(server.baseUrl, { project, key }, { path: "/job", body: { prompt: REPLACE } });
      expect(created.status).toBe(201);
      const job = await waitForJob(server.baseUrl, { project, key }, created.body.id);
      expect(job.error?.code ?? job.status).toBe(odd.ends);
      expect(job.error?.hint ?? job.summary).toMatch(/\w/);
      expect(`${job.error?.message} ${job.error?.hint}`).toContain(odd.says ?? "");
      const diff = await callApi(
        server.baseUrl,
        { project, key },
        { path: `/job/${job.id}/diff`, headers: { accept: "application/json" } },
      );
      const { files } = diff.body as unknown as { files: { path: string }[] };
      expect(files.map((file) => file.path)).toEqual(odd.changed);
      expect(job.prLink === null).toBe(odd.changed.length === 0);
      expect((await fetch(`${server.baseUrl}/health`)).status).toBe(200);
    },
  );

  it("a navigation of MkDocs: pages are added to it and moved in it", async () => {
    const config = "site_name: T\nnav:\n  - Start: index.md # first\n  - Guides:\n      - Setup: guides/setup.md\n";
    const files = {
      "mkdocs.yml": `${config}plugins:\n  - redirects\nextra:\n  key: !ENV KEY\n`,
      "docs/index.md": "# Start\n\n[Setup](guides/setup.md)\n",
      "docs/guides/setup.md": "# Setup\n",
    };
    const { project, key } = await addProject(server.instance, { name: "MkDocs", files });
    const changed = async (prompt: string) => {
      const created = await callApi(server.baseUrl, { project, key }, { path: "/job", body: { prompt } });
      const job = await waitForJob(server.baseUrl, { project, key }, created.body.id);
      expect([job.status, job.error]).toEqual(["completed", null]);
      const diff = await fetch(`${server.baseUrl}/v2/agent/${project.id}/job/${job.id}/diff`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return diff.text();
    };
    expect(await changed('Add a page titled "Backups" to the group Guides with the text: "Back up."')).toContain(
      "+      - Backups: guides/backups.md",
    );
    const moved = await changed("Move the page docs/guides/setup.md to docs/install.md");
    expect(moved).toContain("+      - Setup: install.md");
    expect(moved).toContain("+        guides/setup.md: install.md");
    expect(moved).toContain("+[Setup](install.md)");
  });

  it("no branch of the expected name is published from the first pushed branch", async () => {
    const { database, repoStore } = server.instance;
    const deps = { database, repoStore, clock: systemClock };
    const project = await createProject(deps, { name: "First push", source: null, branch: null });
    const { key } = await createApiKey(
      { ...deps, keysPerHour: 10 },
      { projectId: project.id, name: "test", expiresInDays: 7, scope: "admin" },
    );
    await using source = await createTestRepository({ "index.md": TEXT }, { branch: "master" });
    const remote = `${server.baseUrl.replace("//", `//docent:${key}@`)}/git/${project.slug}.git`;
    await git(source.path, "push", "-q", remote, "master");
    const page = await requestSite({ port: server.port, host: `${project.slug}.localhost` }, { path: "/" });
    expect(page.body).toContain("Harbor Cloud");
    const created = await callApi(server.baseUrl, { project, key }, { path: "/job", body: { prompt: REPLACE } });
    const job = await waitForJob(server.baseUrl, { project, key }, created.body.id);
    expect([job.status, job.error]).toEqual(["completed", null]);
  });

  it("several branches can be published from another one with a command", async () => {
    const { database, repoStore } = server.instance;
    const project = await createProject(
      { database, repoStore, clock: systemClock },
      { name: "Two branches", source: null, branch: null },
    );
    await using source = await createTestRepository({ "index.md": "# Main\n" });
    await git(source.path, "checkout", "-q", "-b", "next");
    await commitFiles(source.path, { "index.md": "# Next\n" }, "Next");
    await git(source.path, "push", "-q", repoStore.directory(project.id), "main", "next");
    const set = (branch: string) =>
      runDocent(["projects", "set", project.slug, "branch", branch, "--data", server.instance.data], {
        environment: {},
      });
    expect((await set("next")).stdout).toBe("two-branches: the branch is next.\n");
    expect((await set("none")).stderr).toContain("There is no branch none. The branches are main, next.");
    await expect
      .poll(async () => (await requestSite({ port: server.port, host: "two-branches.localhost" }, { path: "/" })).body)
      .toContain("Next");
  });
});
