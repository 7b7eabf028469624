import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CodeHostHarness, testCodeHost } from "#hosts/code-host.contract.ts";
import type { HostedRepository } from "#hosts/code-host.ts";
import type { Database, Engine } from "#db/database.ts";
import { EMPTY_TREE } from "#git/objects/objects.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Clock } from "#lib/clock.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { importFiles } from "#testing/imported-files.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createEmbeddedCodeHost, type EmbeddedCodeHost } from "./embedded-code-host.ts";

interface EmbeddedHarness extends CodeHostHarness {
  host: EmbeddedCodeHost;
  database: Database;
}

async function open(engine: Engine): Promise<EmbeddedHarness> {
  await using made = new AsyncDisposableStack();
  const { database } = made.use(await openTestDatabase(engine));
  const root = made.use(await createTestDirectory());
  const repoStore = made.use(createRepoStore({ root: root.path, logger: silentLogger }));
  const repository: HostedRepository = {
    projectId: newProjectId(),
    codeHost: "embedded",
    slug: "acme",
    url: null,
    branch: "main",
  };
  await importFiles(repoStore, repository.projectId, { "index.md": "one\n", "guide.md": "guide\n" });
  const main = (await repoStore.resolve(repository.projectId, "refs/heads/main"))!;
  await database.kysely
    .insertInto("project")
    .values({
      id: repository.projectId,
      slug: repository.slug,
      name: "Acme",
      source_url: null,
      code_host: "embedded",
      branch: "main",
      settings: "{}",
      created_at: 0,
    })
    .execute();
  let time = Date.UTC(2026, 0, 1);
  const clock: Clock = { now: () => new Date((time += 1_000)) };
  const create = () =>
    createEmbeddedCodeHost({ database, repoStore, clock, logger: silentLogger, baseUrl: () => "http://docs.test" });
  const owned = made.move();
  return {
    host: create(),
    secondHost: create,
    repoStore,
    repository,
    main,
    database,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.each(ENGINES)("the embedded code host on %s", (engine) => {
  testCodeHost(() => open(engine));
});

describe("the embedded code host", () => {
  let harness: EmbeddedHarness;
  let main: ObjectId;
  let head: ObjectId;

  // Each test begins with the open pull request 1 from `agent/one`.
  beforeEach(async () => {
    harness = await open("sqlite");
    const { host, repository, repoStore } = harness;
    main = harness.main;
    const edits = [{ path: "index.md", content: Buffer.from("two\n") }];
    const tree = await repoStore.snapshot(repository.projectId, { base: main, edits });
    head = await commit(tree, [main]);
    await host.push(repository, { branch: "agent/one", commit: head, expected: null });
    await host.ensurePullRequest(repository, { head: "agent/one", base: "main", title: "T", body: "", draft: false });
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const commit = (tree: ObjectId, parents: ObjectId[], message = "Edit") =>
    harness.repoStore.commit(harness.repository.projectId, {
      tree,
      parents,
      message,
      author: { name: "Docent", email: "docent@example.com" },
      at: new Date(0),
    });
  const setRef = async (ref: string, to: ObjectId | null) => {
    const expected = await harness.repoStore.resolve(harness.repository.projectId, ref);
    expect(await harness.repoStore.updateRef(harness.repository.projectId, { ref, to, expected })).toBe(true);
  };
  const get = () => harness.host.getPullRequest(harness.repository, 1);

  it("links to pages of this server", async () => {
    expect((await get())?.url).toBe("http://docs.test/acme/pull/1");
    expect(harness.host.repositoryUrl(harness.repository)).toBe("http://docs.test/git/acme.git");
  });

  it("tells listeners of pushes and merges", async () => {
    const heard: string[] = [];
    harness.database.wakeUp.subscribe("repository", (project) => heard.push(project));
    await harness.host.mergePullRequest(harness.repository, 1, { expectedHead: null });
    expect(heard).toEqual([harness.repository.projectId]);
  });

  it("writes who merged into the commit", async () => {
    const { repoStore, repository, host } = harness;
    const by = { name: "Ada <Lovelace>", email: "ada@example.com" };
    await host.mergePullRequest(repository, 1, { expectedHead: null, by });
    const tip = (await repoStore.resolve(repository.projectId, "refs/heads/main"))!;
    const [merged] = await repoStore.log(repository.projectId, { base: main, head: tip, limit: 1 });
    expect(merged?.trailers["Merged-by"]).toBe("Ada Lovelace <ada@example.com>");
  });

  it("makes no commit of a merge that would change nothing", async () => {
    const { repoStore, repository, host } = harness;
    const same = (await repoStore.log(repository.projectId, { base: main, head, limit: 1 }))[0]!.tree;
    await setRef("refs/heads/main", await commit(same, [main], "The same by hand"));
    const outcome = await host.mergePullRequest(repository, 1, { expectedHead: null });
    expect(outcome).toMatchObject({
      ok: false,
      reason: "blocked",
      detail: expect.stringContaining("Close it.") as string,
    });
    expect((await get())?.state).toBe("open");
  });

  it("finishes a merge that crashed after the base branch moved", async () => {
    const squashed = await commit(
      (await harness.repoStore.log(harness.repository.projectId, { base: main, head, limit: 1 }))[0]!.tree,
      [main],
      "T (#1)",
    );
    await setRef("refs/pull/1/head", head);
    await setRef("refs/pull/1/merge", squashed);
    await setRef("refs/heads/main", squashed);
    expect(await get()).toMatchObject({ state: "merged", mergedCommit: squashed, head: { commit: head } });
    expect(await harness.host.fetchBranch(harness.repository, "agent/one")).toBeNull();
    expect(await harness.host.pullRequestRange(harness.repository, 1)).toEqual({ base: main, head });
  });

  it("leaves a merge open that crashed before the base branch moved, and merges it later", async () => {
    const planned = await commit(EMPTY_TREE, [main], "never landed");
    await setRef("refs/pull/1/head", head);
    await setRef("refs/pull/1/merge", planned);
    expect(await get()).toMatchObject({ state: "open" });
    expect(await harness.host.mergePullRequest(harness.repository, 1, { expectedHead: head })).toMatchObject({
      ok: true,
    });
  });

  it("closes a pull request whose branch was deleted, and still shows its changes", async () => {
    await setRef("refs/heads/agent/one", null);
    await harness.host.recordPush(harness.repository, { branch: "agent/one", before: head, after: null });
    expect(await get()).toMatchObject({ state: "closed", head: { commit: head } });
    expect(await harness.host.pullRequestRange(harness.repository, 1)).toEqual({ base: main, head });
    expect(await harness.repoStore.resolve(harness.repository.projectId, "refs/pull/1/head")).toBe(head);
  });

  it("leaves a pull request open while its base branch is lost, too", async () => {
    await setRef("refs/heads/agent/one", null);
    await setRef("refs/heads/main", null);
    expect(await get()).toMatchObject({ state: "open", head: { commit: head } });
    await setRef("refs/heads/main", main);
    await setRef("refs/heads/agent/one", head);
    expect(await get()).toMatchObject({ state: "open" });
  });

  describe("in a repository that was restored from a clone without its branch", () => {
    beforeEach(async () => {
      const { database } = harness; // the row names a commit that the repository does not have
      await setRef("refs/heads/agent/one", null);
      await database.kysely
        .updateTable("pull_request")
        .set({ head_sha: "e".repeat(40) })
        .execute();
    });

    it("is closed without its changes", async () => {
      expect(await get()).toMatchObject({ state: "closed", head: { commit: "e".repeat(40) } });
      expect(await harness.host.pullRequestRange(harness.repository, 1)).toBeNull();
    });

    it("is no obstacle to a push", async () => {
      await setRef("refs/heads/main", head);
      await harness.host.recordPush(harness.repository, { branch: "main", before: main, after: head });
      expect(await get()).toMatchObject({ state: "closed" });
    });

    it("has no changes if it was merged before", async () => {
      const ended = { state: "merged", merge_base: main, merged_sha: main, closed_at: 1 } as const;
      await harness.database.kysely.updateTable("pull_request").set(ended).execute();
      expect(await harness.host.pullRequestRange(harness.repository, 1)).toBeNull();
    });
  });

  it("counts a branch as merged when a person pushed its commits to the base branch", async () => {
    await setRef("refs/heads/main", head);
    await harness.host.recordPush(harness.repository, { branch: "main", before: main, after: head });
    expect(await get()).toMatchObject({ state: "merged", mergedCommit: head });
    expect(await harness.host.pullRequestRange(harness.repository, 1)).toEqual({ base: main, head });
  });

  describe("with 250 newer pull requests", () => {
    beforeEach(async () => {
      const { database } = harness;
      const unmerged = await commit(EMPTY_TREE, [main], "Not merged");
      const row = await database.kysely.selectFrom("pull_request").selectAll().executeTakeFirstOrThrow();
      const newer = Array.from({ length: 250 }, (_, index) => ({
        ...row,
        number: index + 2,
        head: `agent/newer-${index}`,
        head_sha: unmerged,
      }));
      await database.kysely.insertInto("pull_request").values(newer).execute();
      for (const { head: branch } of newer.slice(-1)) await setRef(`refs/heads/${branch}`, unmerged);
    });

    it("notices a merge by plain git, and merges no other", async () => {
      const { host, repository } = harness;
      await setRef("refs/heads/main", head);
      await host.recordPush(repository, { branch: "main", before: main, after: head });
      expect(await get()).toMatchObject({ state: "merged", mergedCommit: head });
      const open = await host.listPullRequests(repository, { state: "open", limit: 300, before: null });
      expect(open).toHaveLength(250);
    });

    it("closes the one whose branch was deleted", async () => {
      const { host, repository, database } = harness;
      await setRef("refs/heads/agent/one", null);
      await host.recordPush(repository, { branch: "agent/one", before: head, after: null });
      const { state } = await database.kysely
        .selectFrom("pull_request")
        .select("state")
        .where("number", "=", 1)
        .executeTakeFirstOrThrow();
      expect(state).toBe("closed");
    });

    it("leaves one alone whose base is another branch", async () => {
      const { host, repository, database } = harness;
      await database.kysely.updateTable("pull_request").set({ base: "next" }).where("number", "=", 1).execute();
      await setRef("refs/heads/main", head);
      await host.recordPush(repository, { branch: "main", before: main, after: head });
      expect(await get()).toMatchObject({ state: "open" });
    });
  });

  it("opens a merged one again when the repository was put back to before the merge", async () => {
    const { database, host, repository } = harness;
    await database.kysely
      .updateTable("pull_request")
      .set({ state: "merged", merged_sha: "f".repeat(40), closed_at: 1 })
      .execute();
    await host.reconcile(repository);
    expect(await get()).toMatchObject({ state: "open", mergedCommit: null });
  });

  it("keeps the range of a merged pull request", async () => {
    const before = await harness.host.pullRequestRange(harness.repository, 1);
    await harness.host.mergePullRequest(harness.repository, 1, { expectedHead: null });
    expect(await harness.host.pullRequestRange(harness.repository, 1)).toEqual(before);
    expect(before).toEqual({ base: main, head });
  });

  it("lists by state, newest first, page by page", async () => {
    const { host, repository } = harness;
    for (const branch of ["a", "b", "c"]) {
      await host.push(repository, { branch, commit: head, expected: null });
      await host.ensurePullRequest(repository, { head: branch, base: "main", title: branch, body: "", draft: false });
    }
    await host.closePullRequest(repository, 2);
    const numbers = async (options: Parameters<typeof host.listPullRequests>[1]) =>
      (await host.listPullRequests(repository, options)).map(({ number }) => number);
    expect(await numbers({ state: "all", limit: 3, before: null })).toEqual([4, 3, 2]);
    expect(await numbers({ state: "all", limit: 3, before: 2 })).toEqual([1]);
    expect(await numbers({ state: "open", limit: 9, before: null })).toEqual([4, 3, 1]);
    expect(await numbers({ state: "merged", limit: 9, before: null })).toEqual([]);
  });
});
