import { execFileSync } from "node:child_process";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { git } from "#testing/repositories.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { findProject } from "#features/projects/projects.ts";
import { siteOf } from "#features/sites/site-project.ts";
import { createKeptReports } from "#features/sites/report/kept-reports.ts";
import type { Report } from "#features/sites/report/report.ts";
import { claimDeployment } from "./deployment-rows.ts";
import { createDeploymentWatch } from "./deployment-watch.ts";

interface Listed {
  deployments: {
    commit: string;
    subject: string;
    author: string;
    live: boolean;
    state: string;
    pages: number | null;
    errors: number | null;
    liveAfterMs: number | null;
  }[];
  pin: { commit: string; by: string } | null;
}

async function call(app: TestApp, method: string, at: string, body?: object) {
  const response = await app.app.fetch(
    new Request(`http://localhost:4000/v2/project/${app.project.id}${at}`, {
      method,
      headers: { Authorization: `Bearer ${app.key}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
    { peerAddress: "127.0.0.1" },
  );
  const text = await response.text();
  return { status: response.status, json: (text === "" ? {} : JSON.parse(text)) as Listed & { error: string } };
}

/**
 * Commits to the branch of a project without a source. The same text at the same path in two projects is the same
 * commit.
 */
async function writePage({ repoStore }: TestApp, id: ProjectId, text: string): Promise<string> {
  const before = await repoStore.resolve(id, "refs/heads/main");
  const tree = await repoStore.snapshot(id, {
    base: before ?? "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    edits: [{ path: "index.md", content: Buffer.from(text) }],
  });
  const commit = await repoStore.commit(id, {
    tree,
    parents: before === null ? [] : [before],
    message: "Write\n",
    author: { name: "Eve", email: "eve@example.com" },
    at: new Date("2026-11-20T12:00:00Z"),
  });
  await repoStore.updateRef(id, { ref: "refs/heads/main", to: commit, expected: before });
  return commit;
}

const list = async (app: TestApp) => (await call(app, "GET", "/deployments")).json;

/** The title of the first page, as a reader would get it now. */
async function shown(app: TestApp): Promise<string | undefined> {
  const project = await findProject(app, app.project.id);
  const version = await app.deployments.versions.current(siteOf(project!));
  return version.docs.pages.get("/" as never)?.title;
}

it.each(BOTH_ENGINES)(
  "each commit of the branch is one row, however many processes notice it, on %s",
  async (engine) => {
    await using app = await createTestApp(engine);
    const others = await Promise.all([1, 2].map(() => app.makeNode()));
    const look = () =>
      Promise.all(
        [app, ...others].flatMap(({ deployments }) => [1, 2].map(() => deployments.watch.look(app.project.id))),
      );
    await look();
    const first = (await app.repoStore.resolve(app.project.id, "refs/heads/main"))!;
    const second = await app.pushCommit("main", { "index.md": "# Second\n", "more.md": "# More\n" });
    await app.pushCommit("main", { "index.md": "# Third\n" }).then(look);
    const { deployments } = await list(app);
    expect(deployments.map(({ commit }) => commit)).not.toContain(second); // no look between the two
    expect(deployments).toMatchObject([
      { subject: "Edit by hand", author: "Ada Writer", live: true, state: "ready", pages: 2 },
      { commit: first, live: false, state: "ready", pages: 1 },
    ]);
    await look();
    expect((await list(app)).deployments).toHaveLength(2);
  },
);

it("stays at a pinned commit, whatever is pushed, force-pushed or collected, until it is unpinned", async () => {
  await using app = await createTestApp("sqlite", { files: { "index.md": "# First\n" } });
  const { id } = app.project;
  const first = (await app.repoStore.resolve(id, "refs/heads/main"))!;
  await app.deployments.watch.look(id);
  const second = await app.pushCommit("main", { "index.md": "# Second\n" });
  await app.deployments.watch.look(id);
  expect(await shown(app)).toBe("Second");

  expect(await call(app, "POST", "/pin", { commit: second.slice(0, 8) })).toMatchObject({
    status: 200,
    json: { commit: second, by: "test" },
  });
  // Removes the commit from the branch, and lets git collect everything that is unreachable.
  await app.repoStore.updateRef(id, { ref: "refs/heads/main", to: first, expected: second });
  await app.pushCommit("main", { "index.md": "# Other\n" });
  await app.deployments.watch.look(id);
  await git(app.repoStore.directory(id), "gc", "--quiet", "--prune=now");
  expect(await shown(app)).toBe("Second");
  const node = await app.makeNode();
  const project = await findProject(app, id);
  expect((await node.deployments.versions.current(siteOf(project!))).commit).toBe(second);
  // A look in between may record the branch's way back as one more.
  const { pin, deployments } = (await list(app)) as Awaited<ReturnType<typeof list>> & { pin: object };
  expect(pin).toMatchObject({ commit: second });
  expect(deployments[0]).toMatchObject({ live: false, state: "ready", liveAt: null });
  expect(deployments.filter(({ live }) => live)).toMatchObject([{ commit: second }]);

  expect((await call(app, "DELETE", "/pin")).status).toBe(204);
  expect(await shown(app)).toBe("Other");
  expect((await list(app)).deployments[0]).toMatchObject({ live: true, liveAt: expect.any(String) as unknown });
  expect(await app.repoStore.resolve(id, "refs/docent/pinned")).toBeNull();
});

it("calls no deployment live while the repository lacks the pinned commit", async () => {
  await using app = await createTestApp("sqlite", { files: { "index.md": "# First\n" } });
  const { id } = app.project;
  const first = (await app.repoStore.resolve(id, "refs/heads/main"))!;
  await app.deployments.watch.look(id);
  const second = await app.pushCommit("main", { "index.md": "# Second\n" });
  await app.deployments.watch.look(id);
  await call(app, "POST", "/pin", { commit: second });
  expect((await list(app)).deployments[0]).toMatchObject({ commit: second, live: true });

  // As after restoring a backup that is older than the pin.
  const directory = app.repoStore.directory(id);
  await app.repoStore.updateRef(id, { ref: "refs/heads/main", to: first, expected: second });
  await git(directory, "update-ref", "-d", "refs/docent/pinned");
  await git(directory, "gc", "--quiet", "--prune=now");
  // A look in between may record the branch's way back as a third.
  const { deployments } = await list(app);
  expect(deployments.length).toBeGreaterThanOrEqual(2);
  expect(deployments.filter(({ live }) => live)).toEqual([]);
});

it("refuses to pin a commit that is not the site's, and says what to do", async () => {
  await using app = await createTestApp("sqlite");
  const { id } = app.project;
  const main = (await app.repoStore.resolve(id, "refs/heads/main"))!;
  await app.repoStore.updateRef(id, { ref: "refs/heads/draft", to: main, expected: null });
  const draft = await app.pushCommit("draft", { "index.md": "# Secret draft\n" });
  const other = await app.makeProject("Other docs");
  const otherCommit = await writePage(app, other.id, "# Theirs\n");
  await app.deployments.watch.look(other.id);
  const treeOfMain = await git(app.repoStore.directory(id), "rev-parse", "main^{tree}");
  for (const [commit, words] of [
    [draft, "There is no commit"],
    [draft.slice(0, 10), "There is no commit"],
    [otherCommit, "There is no commit"],
    [otherCommit.slice(0, 10), "There is no commit"],
    [treeOfMain.trim(), "There is no commit"],
    ["0".repeat(40), "There is no commit"],
    ["main", "by its id"],
    ["abc12", "by its id"],
    ["%25%25%25%25%25%25%25", "by its id"],
    ["--upload-pack=touch", "by its id"],
  ]) {
    const answer = await call(app, "POST", "/pin", { commit: commit! });
    expect([commit, answer.status]).toEqual([commit, 400]);
    expect(answer.json.error).toContain(words);
  }
  expect((await list(app)).pin).toBeNull();
});

it("says why a commit cannot be shown, and readers keep the previous version", async () => {
  await using app = await createTestApp("sqlite", { files: { "index.md": "# First\n" } });
  const { id } = app.project;
  await app.deployments.watch.look(id);
  await pushBomb(app);
  await app.deployments.watch.look(id);
  const { deployments } = await list(app);
  expect(deployments[0]).toMatchObject({ state: "failed", live: false });
  expect(deployments[1]).toMatchObject({ state: "ready", live: true });
  expect(await shown(app)).toBe("First");
});

/** A commit of a few objects that expands to a billion files. */
async function pushBomb({ repoStore, project }: TestApp): Promise<void> {
  const directory = repoStore.directory(project.id);
  const expected = (await repoStore.resolve(project.id, "refs/heads/main"))!;
  let tree = (await git(directory, "rev-parse", "main^{tree}")).trim();
  for (let level = 0; level < 9; level++) {
    const input = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\td${index}\n`).join("");
    tree = execFileSync("git", ["mktree"], { cwd: directory, input, encoding: "utf8" }).trim();
  }
  const author = { name: "Eve", email: "eve@example.com" };
  const options = { tree, parents: [expected], message: "Too much\n", author, at: new Date() };
  const to = await repoStore.commit(project.id, options);
  await repoStore.updateRef(project.id, { ref: "refs/heads/main", to, expected });
}

it("looks at every project, even while others are pushed to constantly", async () => {
  await using app = await createTestApp("sqlite");
  const quiet = await app.makeProject("Quiet");
  const busy = new Set([app.project.id, (await app.makeProject("Busy")).id]);
  const seen: string[] = [];
  const repoStore = {
    async exists(id: ProjectId) {
      seen.push(id);
      if (busy.has(id) && seen.length < 1_000) void watch.look(id);
      await new Promise((resolve) => setImmediate(resolve));
      return false;
    },
  } as unknown as RepoStore;
  const { versions } = app.deployments;
  const watch = createDeploymentWatch({ ...app, repoStore, versions, logger: silentLogger });
  const looks = [...busy].map((id) => watch.look(id));
  await watch.look(quiet.id);
  expect(seen.length).toBeLessThan(20);
  busy.clear();
  await Promise.all(looks);
});

const REPORT: Report = {
  pages: 1,
  problems: [],
  leftOut: 0,
  errors: 0,
  warnings: 0,
  links: { checked: 0, broken: 0 },
  durationMs: 1,
};

it("creates the report that a stopped node did not finish, and keeps the time when the site went live", async () => {
  await using app = await createTestApp("sqlite");
  const { versions } = app.deployments;
  const node = (makeReport: () => Promise<Report>) => {
    const reports = createKeptReports({ logger: silentLogger, makeReport });
    const watch = createDeploymentWatch({ ...app, clock, versions, logger: silentLogger, reports });
    return { reports, watch };
  };
  let now = new Date();
  const clock = { now: () => now };
  const stopped = Promise.withResolvers<Report>();
  const killed = node(() => stopped.promise);
  await killed.watch.look(app.project.id);
  const before = (await list(app)).deployments[0];
  expect(before).toMatchObject({ state: "ready", errors: null });

  const restarted = node(async () => REPORT);
  await restarted.watch.look(app.project.id);
  expect((await list(app)).deployments[0]).toMatchObject({ errors: null }); // another node may be working on it
  now = new Date(now.getTime() + 6 * 60_000);
  await restarted.watch.look(app.project.id);
  await expect.poll(async () => (await list(app)).deployments).toEqual([{ ...before, errors: 0, warnings: 0 }]);
  stopped.reject(new Error("killed"));
});

it("records the newest commit even if another node records an older one concurrently", async () => {
  await using app = await createTestApp("sqlite");
  const older = (await app.repoStore.resolve(app.project.id, "refs/heads/main"))!;
  const newer = await app.pushCommit("main", { "index.md": "# Newer\n" });
  let isFirst = true;
  const repoStore = Object.assign(Object.create(app.repoStore) as RepoStore, {
    async log(...asked: Parameters<RepoStore["log"]>) {
      if (isFirst) {
        isFirst = false;
        await claimDeployment(app, app.project, { commit: older, pushedAt: null });
      }
      return app.repoStore.log(...asked);
    },
  });
  const { versions } = app.deployments;
  await createDeploymentWatch({ ...app, repoStore, versions, logger: silentLogger }).look(app.project.id);
  expect((await list(app)).deployments[0]).toMatchObject({ commit: newer, state: "ready" });
});

it("keeps the time of a push even if another process looks at the branch before it is recorded", async () => {
  await using app = await createTestApp("sqlite");
  const { id } = app.project;
  const looked = Promise.withResolvers<void>();
  const repoStore = Object.assign(Object.create(app.repoStore) as RepoStore, {
    async exists(project: ProjectId) {
      await looked.promise;
      return app.repoStore.exists(project);
    },
  });
  const { versions } = app.deployments;
  const watch = createDeploymentWatch({ ...app, repoStore, versions, logger: silentLogger });
  await using _following = watch.start();
  void watch.look(id);
  app.database.wakeUp.notify("repository", id); // the push
  const done = watch.look(id);
  looked.resolve();
  await done;
  expect((await list(app)).deployments).toMatchObject([{ state: "ready", liveAfterMs: expect.any(Number) as unknown }]);
});

it("a finished update keeps its result, and one that a stopped server left behind fails", async () => {
  await using app = await createTestApp("sqlite", { now: new Date("2026-11-20T12:00:00Z") });
  const update = async (id: string) => (await app.deployments.updates.find(app.project.id, id))!;
  const asked = { kind: "update", branch: "main" } as const;
  const { id } = await app.deployments.updates.begin(app.project, asked);
  await app.deployments.updates.settled();
  const ended = await update(id);
  expect(ended.status).toBe("success");
  const lost = await app.deployments.updates.begin(app.project, asked);
  await app.deployments.updates.settled();
  const row = app.database.kysely.updateTable("site_update").where("id", "=", lost.id);
  await row.set({ status: "in_progress", ended_at: null }).execute();

  app.time.now = new Date("2026-11-20T12:16:00Z");
  expect(await update(id)).toEqual(ended);
  expect(await update(lost.id)).toMatchObject({ status: "failure", endedAt: new Date("2026-11-20T12:15:00Z") });
});

describe("with another project", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp("sqlite");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  let count = 0;
  /** A project whose first commit is live: the same commit in each project with this text. */
  async function published(text = "# First\n"): Promise<TestApp & { first: string }> {
    const project = await app.makeProject(`Docs ${(count += 1)}`);
    const first = await writePage(app, project.id, text);
    await app.deployments.watch.look(project.id);
    return { ...app, project, key: await app.makeKey(project), first };
  }
  const renumber = ({ project }: TestApp, number: number) =>
    sql`update deployment set number = ${number} where project_id = ${project.id}`.execute(app.database.kysely);

  it("a project lists only its own deployments", async () => {
    const [one] = [await published(), await published()];
    expect((await list(one)).deployments).toHaveLength(1);
  });

  it("a project that deletes its old deployments leaves those of the other", async () => {
    const [busy, quiet] = [await published(), await published()];
    await renumber(busy, 500);
    await writePage(app, busy.project.id, "# Second\n");
    await app.deployments.watch.look(busy.project.id);
    expect((await list(quiet)).deployments).toMatchObject([{ commit: quiet.first, live: true }]);
  });

  it("a report is stored with the deployment of its own project", async () => {
    const [one, other] = [await published("# Looked over\n"), await published("# Looked over\n")];
    expect(other.first).toBe(one.first);
    await renumber(other, 9);
    const reports = createKeptReports({ logger: silentLogger, makeReport: async () => REPORT });
    const { versions } = app.deployments;
    const watch = createDeploymentWatch({ ...app, versions, logger: silentLogger, reports });
    await watch.refresh(one.project.id);
    const errors = async () => {
      const lists = await Promise.all([one, other].map(list));
      return lists.map(({ deployments }) => deployments[0]?.errors);
    };
    await expect.poll(errors).toContain(0);
    expect(await errors()).toEqual([0, null]);
  });

  it("unpinning a site marks its own newest deployment as live", async () => {
    const [one, other] = [await published(), await published()];
    await call(one, "POST", "/pin", { commit: one.first });
    await writePage(app, one.project.id, "# Second\n");
    await app.deployments.watch.look(one.project.id);
    expect((await list(one)).deployments[0]).toMatchObject({ live: false, liveAt: null });
    await renumber(other, 9);
    expect((await call(one, "DELETE", "/pin")).status).toBe(204);
    expect((await list(one)).deployments[0]).toMatchObject({ live: true, liveAt: expect.any(String) as unknown });
  });

  it("unpinning a site leaves the other pinned", async () => {
    const [one, other] = [await published(), await published()];
    for (const each of [one, other]) await call(each, "POST", "/pin", { commit: each.first });
    expect((await call(one, "DELETE", "/pin")).status).toBe(204);
    expect((await list(other)).pin).toMatchObject({ commit: other.first });
  });
});
